// Every bundle of manifests below tests/bundles against what is committed beside it: a folder is one bundle, in the
// manner of one kind of team; NAME.expected is what `gpol verify` says of it, NAME.args (may be absent) what it is told
// beside the folder. GPOL_UPDATE_GOLDEN=1 rewrites what differs. What its fixes say is followed: after the edits the
// same finding is gone and nothing new is found.
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tests/golden/golden.h"
#include "tests/support/catch.h"
#include "tests/support/json_schema.h"
#include "tests/support/run_gpol.h"

namespace gpol::test {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

struct Root {
  fs::path before = fs::current_path();
  Root() { fs::current_path(GPOL_ROOT); }
  ~Root() { fs::current_path(before); }
};

struct Bundle {
  fs::path folder;
  std::vector<std::string> args;
  std::vector<std::string> told(const fs::path& where, std::vector<std::string> more) const {
    std::vector<std::string> all{"verify", where.string()};
    all.insert(all.end(), args.begin(), args.end());
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
};

std::vector<Bundle> bundles() {
  std::vector<Bundle> all;
  for (const auto& entry : fs::directory_iterator("tests/bundles")) {
    if (!entry.is_directory()) continue;
    Bundle bundle{entry.path(), {}};
    if (fs::exists(entry.path().string() + ".args")) {
      std::istringstream words(read_text(entry.path().string() + ".args"));
      for (std::string word; words >> word;) bundle.args.push_back(word);
    }
    all.push_back(std::move(bundle));
  }
  std::sort(all.begin(), all.end(), [](const Bundle& a, const Bundle& b) { return a.folder < b.folder; });
  return all;
}

// What is wrong, without its place: an edit moves lines.
std::set<std::string> found(const json& report) {
  std::set<std::string> all;
  for (const json& d : report["diagnostics"]) all.insert("diagnostic " + d["code"].get<std::string>());
  for (const json& o : report["obligations"])
    if (o["required"] && o["verdict"] != "proven")
      all.insert(o["family"].get<std::string>() + " " + o["code"].get<std::string>() + " " + o["subject"].dump());
  return all;
}

struct Change {
  std::string file;
  std::size_t line, column;
  std::string replaces, insert;
};

// Lines and columns are code points; what is replaced is text of the file.
std::size_t offset_of(const std::string& text, std::size_t line, std::size_t column) {
  std::size_t at = 0;
  for (; line > 1; --line) at = text.find('\n', at) + 1;
  for (; column > 1; --column) {
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) ++at;
  }
  return at;
}

void follow(const json& fix) {
  std::vector<Change> changes;
  for (const json& edit : fix["edits"])
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

}  // namespace

TEST_CASE("bundles: gpol says of each what is committed beside it, in every format") {
  const Root root;
  const json schema = json::parse(read_text("tests/support/report.schema.json"));
  int updated = 0;
  const auto all = bundles();
  REQUIRE(!all.empty());
  for (const Bundle& bundle : all) {
    INFO(bundle.folder.string());
    const Ran human = run_gpol(bundle.told(bundle.folder, {}));
    const std::string text = human.out + human.err + "exit code " + std::to_string(human.code) + "\n";
    const fs::path expected = bundle.folder.string() + ".expected";
    if (std::getenv("GPOL_UPDATE_GOLDEN") != nullptr) {
      if (fs::exists(expected) && read_text(expected) == text) continue;
      write_text(expected, text);
      ++updated;
      continue;
    }
    CHECK(difference(read_text(expected), text) == "");
    const Ran as_json = run_gpol(bundle.told(bundle.folder, {"--format", "json"}));
    CHECK(as_json.code == human.code);
    CHECK(SchemaCheck(schema)(json::parse(as_json.out)) == std::vector<std::string>{});
    CHECK(run_gpol(bundle.told(bundle.folder, {"--format", "markdown"})).code == human.code);
  }
  if (updated > 0) FAIL("updated " << updated << " bundles");
}

TEST_CASE("bundles: the edit of each finding takes it away and brings nothing new") {
  const Root root;
  std::size_t followed = 0;
  for (const Bundle& bundle : bundles()) {
    INFO(bundle.folder.string());
    const json report = json::parse(run_gpol(bundle.told(bundle.folder, {"--format", "json"})).out);
    std::set<std::string> tried;
    for (const json& o : report["obligations"]) {
      if (!o["required"] || o["verdict"] == "proven" || o["fix"].is_null() || o["fix"]["edits"].empty()) continue;
      if (!tried.insert(o["fix"].dump()).second) continue;
      const Scratch scratch;
      const fs::path copy = scratch.path() / "bundle";
      fs::copy(bundle.folder, copy, fs::copy_options::recursive);
      json fix = o["fix"];
      for (json& edit : fix["edits"]) {
        const std::string file = edit["location"]["file"];
        edit["location"]["file"] = (copy / fs::relative(file, bundle.folder)).string();
      }
      INFO(fix["text"].get<std::string>());
      follow(fix);
      const json after = json::parse(run_gpol(bundle.told(copy, {"--format", "json"})).out);
      const auto left = found(after), before = found(report);
      CHECK(
          !left.count(o["family"].get<std::string>() + " " + o["code"].get<std::string>() + " " + o["subject"].dump()));
      for (const std::string& one : left) {
        INFO(one);
        CHECK(before.count(one));
      }
      ++followed;
    }
  }
  CHECK(followed > 0);
}

TEST_CASE("bundles: all edits made together take all those findings away and bring nothing new") {
  const Root root;
  std::size_t followed = 0;
  for (const Bundle& bundle : bundles()) {
    INFO(bundle.folder.string());
    const json report = json::parse(run_gpol(bundle.told(bundle.folder, {"--format", "json"})).out);
    const Scratch scratch;
    const fs::path copy = scratch.path() / "bundle";
    json all = {{"edits", json::array()}};
    std::set<std::string> mended, edits, places;
    bool clash = false;  // two values for one field: one of them has to be chosen
    for (const json& o : report["obligations"]) {
      if (!o["required"] || o["verdict"] == "proven" || o["fix"].is_null() || o["fix"]["edits"].empty()) continue;
      mended.insert(o["family"].get<std::string>() + " " + o["subject"].dump());
      for (json edit : o["fix"]["edits"]) {
        if (!edits.insert(edit.dump()).second) continue;
        const bool replaces = !edit["replaces"].get<std::string>().empty();
        clash = clash || (replaces && !places.insert(edit["location"].dump()).second);
        const std::string file = edit["location"]["file"];
        edit["location"]["file"] = (copy / fs::relative(file, bundle.folder)).string();
        all["edits"].push_back(edit);
      }
    }
    if (mended.size() < 2 || clash) continue;
    fs::copy(bundle.folder, copy, fs::copy_options::recursive);
    follow(all);
    const json after = json::parse(run_gpol(bundle.told(copy, {"--format", "json"})).out);
    const auto before = found(report);
    for (const json& o : after["obligations"]) {
      if (!o["required"] || o["verdict"] == "proven") continue;
      INFO(o["message"].get<std::string>());
      CHECK(!mended.count(o["family"].get<std::string>() + " " + o["subject"].dump()));
      CHECK(before.count(o["family"].get<std::string>() + " " + o["code"].get<std::string>() + " " +
                         o["subject"].dump()));
    }
    ++followed;
  }
  CHECK(followed > 0);
}

}  // namespace gpol::test
