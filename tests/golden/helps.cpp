// Every help of a finding that states no edit was tried: tests/golden/helps.table has what its reader would write,
// which is made in a copy, and what the help spoke of is then proven. A help that no row tries is a mistake, too.
// (Helps with edits: fixes.cpp.)
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/golden/golden.h"
#include "tests/golden/shard.h"
#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

namespace gpol::test {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* kTable = "tests/golden/helps.table";
constexpr std::string_view kHelp = "    help: ", kBreak = "⏎", kAtTheEnd = "+ ";

struct Row {
  std::string policy, code, help;
  std::vector<std::string> edits;  // "old => new", or "+ line"
};

std::vector<std::string> split(const std::string& text, const std::string& by) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  for (std::size_t at = 0; (at = text.find(by, from)) != std::string::npos; from = at + by.size())
    parts.push_back(text.substr(from, at - from));
  parts.push_back(text.substr(from));
  return parts;
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
  return text;
}

std::vector<Row> rows_of_table() {
  std::vector<Row> rows;
  std::istringstream lines(read_text(kTable));
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    if (line.starts_with(kHelp)) {
      REQUIRE(!rows.empty());
      rows.back().help = line.substr(kHelp.size());
      continue;
    }
    const auto parts = split(line, " | ");
    INFO(line);
    REQUIRE(parts.size() == 3);
    rows.push_back({parts[0], parts[1], {}, split(parts[2], " ;; ")});
  }
  return rows;
}

// Without its names, numbers and their units: helps of one kind are tried once.
std::string kind_of(const std::string& help) {
  std::string out;
  bool quoted = false;
  for (const char c : help) {
    if (c == '`') quoted = !quoted;
    const bool digit = c >= '0' && c <= '9';
    if (digit && !out.empty() && out.back() == 'N') continue;
    if (!quoted || c == '`') out += digit ? 'N' : c;
  }
  for (const char* unit :
       {"N GPUs", "N GPU", "N.N cpu", "N cpu", "N TiB", "N GiB", "N MiB", "N pods", "N pod", "N nvidia.com/mig-Ng.Ngb"})
    out = replaced(std::move(out), unit, "N");
  return out;
}

struct Help {
  std::string code, text, subject;
  bool has_edits = false;
  auto operator<=>(const Help&) const = default;
};

// Of all that is required and not proven, and of statements that say nothing; of what is planned nothing but leaving it
// out can be tried.
std::set<Help> helps_of(const json& report) {
  std::set<Help> helps;
  for (const json& o : report.at("obligations")) {
    const std::string code = o.at("code").is_null() ? "" : o.at("code").get<std::string>();
    const bool counts = o.at("required").get<bool>() || (code == "GP1501" && o.at("verdict") == "refuted");
    if (o.at("verdict") == "proven" || !counts || code >= "GP1600") continue;
    const json& fix = o.at("fix");
    helps.insert({code, fix.is_null() ? "" : fix.at("text").get<std::string>(),
                  o.at("subject").value("name", json()).dump(), !fix.is_null() && !fix.at("edits").empty()});
  }
  return helps;
}

std::string followed(std::string text, const std::vector<std::string>& edits) {
  for (const std::string& edit : edits) {
    if (edit.starts_with(kAtTheEnd)) {
      text += edit.substr(kAtTheEnd.size()) + "\n";
      continue;
    }
    const auto parts = split(replaced(edit, kBreak, "\n"), " => ");
    INFO(edit);
    REQUIRE(parts.size() == 2);
    REQUIRE(text.find(parts[0]) != std::string::npos);
    text = replaced(std::move(text), parts[0], parts[1]);
  }
  return text;
}

}  // namespace

TEST_CASE("helps: what each says was tried, and what it speaks of is then proven") {
  const Root root;
  const Scratch scratch;
  for (const Row& row : of_shard(rows_of_table())) {
    INFO(row.policy << " " << row.code << ": " << row.help);
    const auto before = helps_of(json::parse(json_report(row.policy)));
    const fs::path copy = scratch.path() / fs::path(row.policy).filename();
    write_text(copy, followed(read_text(row.policy), row.edits));
    const json report = json::parse(run_gpol({"check", "--format", "json", copy.string()}).out);
    for (const json& diagnostic : report.at("diagnostics"))
      if (diagnostic.at("severity") == "error") FAIL_CHECK(diagnostic.at("message").get<std::string>());
    const auto after = helps_of(report);
    std::size_t spoken_of = 0;
    for (const Help& help : before) {
      if (help.code != row.code || help.text != row.help || help.has_edits) continue;
      ++spoken_of;
      CHECK(std::none_of(after.begin(), after.end(),
                         [&](const Help& left) { return left.code == help.code && left.subject == help.subject; }));
    }
    CHECK(spoken_of > 0);
  }
}

TEST_CASE("helps: none of the goldens is without a row") {
  const Root root;
  std::set<std::pair<std::string, std::string>> tried;
  for (const Row& row : rows_of_table()) tried.emplace(row.code, kind_of(row.help));
  std::vector<Golden> all = of_shard(goldens(GPOL_ROOT));
  for (Golden& example : of_shard(examples(GPOL_ROOT))) all.push_back(std::move(example));
  for (const Golden& golden : all)
    for (const Help& help : helps_of(json::parse(json_report(golden.policy)))) {
      if (help.has_edits || help.text.empty()) continue;
      INFO(golden.policy.string() << " " << help.code << ": " << help.text);
      CHECK(tried.contains({help.code, kind_of(help.text)}));
    }
}

}  // namespace gpol::test
