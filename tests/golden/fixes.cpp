// Every fix, followed to the letter, works: the edits of a report are applied to a copy of the policy, again and again
// until none is left, and what they spoke of is then no longer refuted.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "tests/golden/golden.h"
#include "tests/golden/shard.h"
#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

namespace gpol::test {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

json report_of(const fs::path& policy) {
  return json::parse(run_gpol({"check", "--format", "json", policy.string()}).out);
}

struct Edit {
  std::size_t at;
  std::string replaces, insert;
  auto operator<=>(const Edit&) const = default;
};

using Finding = std::pair<std::string, std::string>;  // family, name of the subject

std::set<Finding> refuted(const json& report, bool with_edits) {
  std::set<Finding> found;
  for (const json& o : report.at("obligations"))
    if (o.at("verdict") == "refuted" && o.at("required").get<bool>() &&
        (!with_edits || (!o.at("fix").is_null() && !o.at("fix").at("edits").empty())))
      found.emplace(o.at("family").get<std::string>(), o.at("subject").value("name", json()).dump());
  return found;
}

// The text with all edits of the report; empty when there is none.
std::string edited(std::string text, const json& report) {
  std::set<Edit> edits;
  for (const json& o : report.at("obligations")) {
    if (o.at("fix").is_null()) continue;
    for (const json& edit : o.at("fix").at("edits"))
      edits.insert({offset_of(text, edit.at("location").at("line"), edit.at("location").at("column")),
                    edit.at("replaces"), edit.at("insert")});
  }
  if (edits.empty()) return {};
  std::size_t free = text.size();  // of two that overlap one is made, and the report is asked again
  for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit) {  // the last first: offsets before it stay
    if (edit->at + edit->replaces.size() > free) continue;
    free = edit->at;
    REQUIRE(text.substr(edit->at, edit->replaces.size()) == edit->replaces);
    text.replace(edit->at, edit->replaces.size(), edit->insert);
  }
  return text;
}

}  // namespace

TEST_CASE("fixes: what the edits of a report spoke of is no longer refuted once they are made") {
  const Root root;
  std::size_t followed = 0;
  const Scratch scratch;
  std::vector<Golden> all = of_shard(goldens(GPOL_ROOT));
  for (Golden& example : of_shard(examples(GPOL_ROOT))) all.push_back(std::move(example));
  for (const Golden& golden : all) {
    const fs::path& policy = golden.policy;
    const std::string topic = policy.parent_path().filename().string();
    if (!policy.string().starts_with("examples/") && topic != "proof" && topic != "build") continue;
    INFO(policy.string());
    if (refuted(json::parse(json_report(policy)), true).empty()) continue;
    const fs::path copy = scratch.path() / policy.filename();
    write_text(copy, read_text(policy));
    json report = report_of(copy);
    std::set<Finding> spoken_of = refuted(report, true);
    CHECK(!spoken_of.empty());
    ++followed;
    for (int round = 0; round < 6; ++round) {
      const std::string next = edited(read_text(copy), report);
      if (next.empty()) break;
      write_text(copy, next);
      report = report_of(copy);
      spoken_of.merge(refuted(report, true));
    }
    INFO(read_text(copy));
    for (const json& diagnostic : report.at("diagnostics")) CHECK(diagnostic.at("severity") != "error");
    std::set<Finding> left;
    const auto still = refuted(report, false);
    std::set_intersection(spoken_of.begin(), spoken_of.end(), still.begin(), still.end(),
                          std::inserter(left, left.end()));
    CHECK(left == std::set<Finding>{});
  }
  CHECK((followed > 0 || !shard().is_large()));
}

}  // namespace gpol::test
