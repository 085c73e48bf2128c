// SARIF 2.1.0, as GitHub's and GitLab's code scanning read it. Source of the fields: OASIS SARIF 2.1.0, sections 3.13
// to 3.58; columns count code points (columnKind).
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/render/annotations.h"
#include "cli/render/text.h"
#include "compiler/source/explain_pages.h"

namespace gpol {

namespace {

using Json = nlohmann::ordered_json;

// FNV-1a, 64 bits: no secret, and the same on every machine.
std::string fingerprint(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return fmt::format("{:016x}", hash);
}

// A path as a URI reference: GitHub takes those of the repository, relative.
std::string uri(std::string path) {
  while (path.starts_with("./")) path.erase(0, 2);
  std::string out;
  for (const char c : path) {
    const bool plain =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("-._~/").find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return path.starts_with('/') ? "file://" + out : out;
}

template <class Place>
Json region(const Place& at) {
  Json made{{"startLine", at.line}, {"startColumn", at.column}};
  if (at.end_line > at.line || at.end_column >= at.column) {
    made["endLine"] = at.end_line;
    made["endColumn"] = at.end_column;
  }
  return made;
}

std::string rule_of(const Annotation& found) {
  if (found.code != Code{}) return to_string(found.code);
  return "gpol-diff";
}

Json rules(const std::vector<Annotation>& found, std::map<std::string, std::size_t>& index) {
  Json all = Json::array();
  for (const Annotation& one : found) {
    const std::string id = rule_of(one);
    if (!index.emplace(id, all.size()).second) continue;
    Json rule{{"id", id}};
    std::string page = "What a change exposes, removes or needs approval for: docs/diff.md.",
                title = "what a change means";
    for (const CodeInfo& info : all_codes())
      if (to_string(info.code) == id) title = info.title;
    for (const ExplainPage& one_page : explain_pages())
      if (one_page.code == id) page = one_page.text;
    rule["shortDescription"] = {{"text", title}};
    rule["help"] = {{"text", page}, {"markdown", page}};
    all.push_back(std::move(rule));
  }
  return all;
}

Json result_of(const Annotation& one, const std::map<std::string, std::size_t>& index) {
  std::string text = one.message;
  if (!one.help.empty()) text += "\nhelp: " + one.help;
  Json result{{"ruleId", rule_of(one)},
              {"ruleIndex", index.at(rule_of(one))},
              {"level", one.level == Annotation::Level::Error ? "error" : "warning"},
              {"message", {{"text", printable_lines(text)}}}};
  if (!one.file.empty()) {
    Json location{{"artifactLocation", {{"uri", uri(one.file)}}}};
    if (one.line > 0) location["region"] = region(one);
    result["locations"] = Json::array({{{"physicalLocation", location}}});
  }
  result["partialFingerprints"] = {{"gpol/v1", fingerprint(rule_of(one) + "\n" + one.bundle + "\n" + one.subject)}};
  if (one.fresh) result["baselineState"] = "new";
  if (!one.fix.empty()) {
    std::map<std::string, Json> files;
    for (const Annotation::Replacement& edit : one.fix) {
      Json& list = files.try_emplace(edit.file, Json::array()).first->second;
      list.push_back({{"deletedRegion", region(edit)}, {"insertedContent", {{"text", edit.insert}}}});
    }
    Json changes = Json::array();
    for (auto& [file, list] : files)
      changes.push_back({{"artifactLocation", {{"uri", uri(file)}}}, {"replacements", std::move(list)}});
    result["fixes"] = Json::array(
        {{{"description", {{"text", one.help.empty() ? "edit" : one.help}}}, {"artifactChanges", changes}}});
  }
  return result;
}

}  // namespace

void write_sarif(const std::vector<Annotation>& found, const std::string& version, std::ostream& out) {
  std::map<std::string, std::size_t> index;
  Json driver{{"name", "gpol"}, {"version", version}, {"rules", rules(found, index)}};
  Json results = Json::array();
  for (const Annotation& one : found) results.push_back(result_of(one, index));
  const Json log{
      {"$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs",
       Json::array({{{"tool", {{"driver", driver}}}, {"columnKind", "unicodeCodePoints"}, {"results", results}}})}};
  out << log.dump(1, ' ', true, Json::error_handler_t::replace) << "\n";
}

}  // namespace gpol
