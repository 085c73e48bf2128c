// Every hint that can be followed to the letter is: of each mistake of each golden that is to fail, the edits alone are
// made in a copy. The mistake is then gone, and nothing else is wrong where it was. Hints without an edit are those
// that need a decision; the right example on the page of their code shows one (tests/unit/cli/explain_pages_test.cpp).
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "tests/golden/golden.h"
#include "tests/golden/shard.h"
#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

namespace gpol::test {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

json diagnostics_of(const fs::path& policy) {
  return json::parse(run_gpol({"check", "--format", "json", policy.string()}).out).at("diagnostics");
}

struct Found {
  std::string code, message;
  int line = 0, column = 0;
  auto operator<=>(const Found&) const = default;
};

// Of one file, on some of its lines.
std::multiset<Found> on_lines(const json& diagnostics, const std::string& file, int from, int to) {
  std::multiset<Found> out;
  for (const json& d : diagnostics) {
    const json& at = d.at("location");
    if (at.is_null() || at.at("file") != file || at.at("line").is_null()) continue;
    const int line = at.at("line");
    if (line >= from && line <= to) out.insert({d.at("code"), d.at("message"), line, at.at("column")});
  }
  return out;
}

int lines(const std::string& text) { return static_cast<int>(std::count(text.begin(), text.end(), '\n')); }

// How many edits were followed.
int follow(const fs::path& policy) {
  int followed = 0;
  const std::string text = read_text(policy);
  const json before = diagnostics_of(policy);
  for (const json& d : before) {
    if (d.at("fix").is_null()) continue;
    const json& edits = d.at("fix").at("edits");
    const std::string file = d.at("location").at("file");
    if (fs::path(file) != policy || edits.size() != 1 || edits[0].at("location").at("file") != file) continue;
    const std::string replaces = edits[0].at("replaces"), insert = edits[0].at("insert");
    const int line = edits[0].at("location").at("line");
    const std::size_t at = offset_of(text, line, edits[0].at("location").at("column"));
    INFO(d.at("code").get<std::string>() << " " << d.at("message").get<std::string>() << ", line " << line);
    INFO("`" << replaces << "` -> `" << insert << "`");
    REQUIRE(text.substr(at, replaces.size()) == replaces);
    std::string changed = text;
    changed.replace(at, replaces.size(), insert);
    write_text(policy, changed);
    const json after = diagnostics_of(policy);
    const int there = d.at("location").at("line");
    const int last = std::max(there - lines(replaces), line) + lines(insert);
    const auto was = on_lines(before, file, std::min(there, line), std::max(there, line + lines(replaces)));
    const auto is = on_lines(after, file, std::min(there, line), last);
    std::set<std::pair<std::string, std::string>> known;
    for (const Found& one : was) known.emplace(one.code, one.message);
    const std::string code = d.at("code"), message = d.at("message");
    for (const Found& one : is) {
      // What does not read is known at once; what it means of the rest of the line may be known only now.
      const int column = edits[0].at("location").at("column");
      const bool here =
          one.line > line || (one.column >= column && one.column <= column + static_cast<int>(insert.size()));
      if (!one.code.starts_with("GP01") && !here) continue;
      INFO("after: " << one.code << " " << one.message);
      CHECK(known.contains({one.code, one.message}));
    }
    const auto same = [&](const std::multiset<Found>& all) {
      return std::count_if(all.begin(), all.end(),
                           [&](const Found& f) { return f.code == code && f.message == message; });
    };
    CHECK(same(is) < same(was));
    ++followed;
  }
  write_text(policy, text);
  return followed;
}

}  // namespace

TEST_CASE("hints: each that can be followed to the letter works") {
  const Root root;
  int followed = 0;
  const Scratch scratch;  // with the neighbours that they import
  fs::copy("tests/golden", scratch.path(), fs::copy_options::recursive);
  for (const Golden& golden : of_shard(goldens(GPOL_ROOT))) {
    INFO(golden.policy.string());
    const json before = json::parse(json_report(golden.policy)).at("diagnostics");
    if (std::any_of(before.begin(), before.end(), [](const json& d) { return !d.at("fix").is_null(); }))
      followed += follow(scratch.path() / fs::relative(golden.policy, "tests/golden"));
  }
  CHECK((followed > 0 || !shard().is_large()));
}

}  // namespace gpol::test
