// What the fixes of a bundle's report say is followed: after the edits the same finding is gone and nothing new is
// found.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/golden/bundle.h"
#include "tests/golden/golden.h"
#include "tests/golden/shard.h"
#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

namespace gpol::test {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

std::string name_of(const json& obligation) {
  return obligation["family"].get<std::string>() + " " + obligation["code"].get<std::string>() + " " +
         obligation["subject"].dump();
}

bool is_open(const json& obligation) { return obligation["required"] && obligation["verdict"] != "proven"; }
bool has_edits(const json& obligation) {
  return is_open(obligation) && !obligation["fix"].is_null() && !obligation["fix"]["edits"].empty();
}

// What is wrong, without its place: an edit moves lines.
std::set<std::string> found(const json& report) {
  std::set<std::string> all;
  for (const json& d : report["diagnostics"]) all.insert("diagnostic " + d["code"].get<std::string>());
  for (const json& o : report["obligations"])
    if (is_open(o)) all.insert(name_of(o));
  return all;
}

struct Change {
  std::string file;
  std::size_t line, column;
  std::string replaces, insert;
};

void follow(const json& edits) {
  std::vector<Change> changes;
  for (const json& edit : edits)
    changes.push_back({edit["location"]["file"], edit["location"]["line"], edit["location"]["column"], edit["replaces"],
                       edit["insert"]});
  std::reverse(changes.begin(), changes.end());
  std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    return std::tie(a.file, a.line, a.column) > std::tie(b.file, b.line, b.column);
  });
  for (const Change& change : changes) {
    std::string text = read_text(change.file);
    const std::size_t at = offset_of(text, change.line, change.column);
    REQUIRE(text.substr(at, change.replaces.size()) == change.replaces);
    text.replace(at, change.replaces.size(), change.insert);
    write_text(change.file, text);
  }
}

// The report of the bundle once the edits are made in a copy.
json report_after(const Bundle& bundle, json edits) {
  const Scratch scratch;
  const fs::path copy = scratch.path() / "bundle";
  fs::copy(bundle.folder, copy, fs::copy_options::recursive);
  for (json& edit : edits) {
    const std::string file = edit["location"]["file"];
    edit["location"]["file"] = (copy / fs::relative(file, bundle.folder)).string();
  }
  follow(edits);
  return json::parse(run_gpol(bundle.told(copy, {"--format", "json"})).out);
}

}  // namespace

TEST_CASE("bundles: the edit of each finding takes it away and brings nothing new") {
  const Root root;
  std::size_t followed = 0;
  for (const Bundle& bundle : bundles()) {
    INFO(bundle.folder.string());
    const json report = json::parse(played(bundle).json);
    const auto before = found(report);
    std::set<std::string> tried;
    for (const json& o : report["obligations"]) {
      if (!has_edits(o) || !tried.insert(o["fix"].dump()).second) continue;
      INFO(o["fix"]["text"].get<std::string>());
      const auto left = found(report_after(bundle, o["fix"]["edits"]));
      CHECK(!left.count(name_of(o)));
      for (const std::string& one : left) {
        INFO(one);
        // Where a loan ends there is less for replicas that counted on it.
        CHECK((before.count(one) || one == "diagnostic GP1502"));
      }
      ++followed;
    }
  }
  CHECK((followed > 0 || !shard().is_large()));
}

TEST_CASE("bundles: all edits made together take all those findings away and bring nothing new") {
  const Root root;
  std::size_t followed = 0;
  for (const Bundle& bundle : bundles()) {
    INFO(bundle.folder.string());
    const json report = json::parse(played(bundle).json);
    json all = json::array();
    std::set<std::string> mended, edits, places;
    bool clash = false;  // two values for one field: one of them has to be chosen
    for (const json& o : report["obligations"]) {
      if (!has_edits(o)) continue;
      mended.insert(o["family"].get<std::string>() + " " + o["subject"].dump());
      for (const json& edit : o["fix"]["edits"]) {
        if (!edits.insert(edit.dump()).second) continue;
        const bool replaces = !edit["replaces"].get<std::string>().empty();
        clash = clash || (replaces && !places.insert(edit["location"].dump()).second);
        all.push_back(edit);
      }
    }
    if (mended.size() < 2 || clash) continue;
    const json after = report_after(bundle, all);
    const auto before = found(report);
    for (const json& o : after["obligations"]) {
      if (!is_open(o)) continue;
      INFO(o["message"].get<std::string>());
      CHECK(!mended.count(o["family"].get<std::string>() + " " + o["subject"].dump()));
      CHECK(before.count(name_of(o)));
    }
    ++followed;
  }
  CHECK((followed > 0 || !shard().is_large()));
}

}  // namespace gpol::test
