#include "checker/observe/node_commands.h"

#include <re2/re2.h>

#include <sstream>

namespace gpol {

namespace {

constexpr std::string_view kLabel = "kubectl label nodes \"$@\" --overwrite ",
                           kTaint = "kubectl taint nodes \"$@\" --overwrite ";

// KEY=VALUE, of characters that no shell changes.
bool read_label(const std::string& word, NodePool& pool) {
  static const re2::RE2 kForm("([-.\\w/:]+)=([-.\\w/:=]*)");
  std::string key, value;
  return re2::RE2::FullMatch(word, kForm, &key, &value) && pool.labels.emplace(key, value).second;
}

// KEY=VALUE:EFFECT or KEY:EFFECT
bool read_taint(const std::string& word, NodePool& pool) {
  static const re2::RE2 kForm("([-.\\w/:]+)(?:=([-.\\w/:=]*))?:(NoSchedule|PreferNoSchedule|NoExecute)");
  Taint taint;
  if (!re2::RE2::FullMatch(word, kForm, &taint.key, &taint.value, &taint.effect)) return false;
  pool.taints.push_back(std::move(taint));
  return true;
}

// What is checked of each node, and the words around it. Every line must be as it stands here: a check that is not made
// is a label that is not there.
constexpr std::string_view kLabelled = "  kubectl get nodes -l ", kNamed = " -o name | grep -qxF \"node/$node\"",
                           kTainted =
                               "  kubectl get node \"$node\" -o jsonpath='{range .spec.taints[*]}{.key}={.value}:"
                               "{.effect}{\"\\n\"}{end}' | grep -qxF ";

std::string if_not(std::string_view what, const std::string& word) {
  return " || { echo \"$node has no " + std::string(what) + " " + word + "\" >&2; missing=1; }";
}

bool read_check(const std::string& line, NodePool& pool) {
  const bool label = line.starts_with(kLabelled);
  if (!label && !line.starts_with(kTainted)) return false;
  const std::string_view rest = std::string_view(line).substr((label ? kLabelled : kTainted).size());
  const std::string word(rest.substr(0, rest.find(' ')));
  const std::string behind = (label ? std::string(kNamed) : "") + if_not(label ? "label" : "taint", word);
  return rest == word + behind && (label ? read_label(word, pool) : read_taint(word, pool));
}

// The lines behind `missing=0`, up to where a node that lacks something ends it all.
bool read_checks(std::istringstream& lines, NodePool& pool) {
  std::string line;
  if (!std::getline(lines, line) || line != "for node in \"$@\"; do") return false;
  std::size_t checks = 0;
  for (; std::getline(lines, line) && line != "done"; ++checks)
    if (!read_check(line, pool)) return false;
  return checks > 0 && std::getline(lines, line) && line == "[ \"$missing\" -eq 0 ]";
}

// The commands of a file, by whether they check what nodes carry or give it to them.
struct NodeScript {
  NodePool checked, given;
};

std::optional<NodeScript> read_script(const std::string& path, const std::string& bytes) {
  NodeScript script;
  const std::size_t slash = path.rfind('/');
  std::string name = path.substr(slash == std::string::npos ? 0 : slash + 1);
  if (!name.ends_with(".sh")) return std::nullopt;
  name.resize(name.size() - 3);
  script.checked.name = script.given.name = name;
  std::istringstream lines(bytes);
  int sets = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('#') || line.starts_with("[ \"$#\" -gt 0 ] || { echo 'usage: ")) continue;
    if (line == "set -eu") {
      ++sets;
      continue;
    }
    if (line == "missing=0") {
      if (sets == 0 || !read_checks(lines, script.checked)) return std::nullopt;
      continue;
    }
    const bool label = line.starts_with(kLabel);
    if (!label && !line.starts_with(kTaint)) return std::nullopt;
    std::istringstream words(line.substr((label ? kLabel : kTaint).size()));
    bool any = false;
    for (std::string word; words >> word; any = true)
      if (!(label ? read_label(word, script.given) : read_taint(word, script.given))) return std::nullopt;
    if (!any) return std::nullopt;
  }
  if (sets != 1) return std::nullopt;  // else a command that failed would go unseen
  return script;
}

}  // namespace

std::optional<NodePool> read_node_commands(const std::string& path, const std::string& bytes) {
  const auto script = read_script(path, bytes);
  if (!script) return std::nullopt;
  NodePool pool = script->checked;
  for (const auto& [key, value] : script->given.labels)
    if (!pool.labels.emplace(key, value).second) return std::nullopt;
  pool.taints.insert(pool.taints.end(), script->given.taints.begin(), script->given.taints.end());
  return pool;
}

std::optional<CutNodes> read_cut_commands(const std::string& path, const std::string& bytes) {
  const auto script = read_script(path, bytes);
  if (!script || !script->checked.taints.empty() || !script->given.taints.empty()) return std::nullopt;
  const auto& given = script->given.labels;
  if (given.size() != 1) return std::nullopt;
  const auto& [key, value] = *given.begin();
  if (key != kMigConfigLabel && key != kPluginConfigLabel) return std::nullopt;
  return CutNodes{value, script->checked.labels, key};
}

}  // namespace gpol
