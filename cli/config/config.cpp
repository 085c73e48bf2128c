#include "cli/config/config.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <filesystem>

#include "cli/codes.h"
#include "cli/commands/inputs.h"

namespace gpol {

namespace fs = std::filesystem;

namespace {

fs::path absolute(const FileTree& tree, const std::string& path) {
  const fs::path full = tree.weakly_canonical(path == "-" ? "." : path);
  return full.has_filename() ? full : full.parent_path();  // "queues/" is "queues"
}

fs::path start_of(const FileTree& tree, std::span<const std::string> paths) {
  const fs::path first = absolute(tree, paths.empty() ? "." : paths.front());
  return tree.is_directory(first) ? first : first.parent_path();
}

// Nothing: none, up to the root of the repository; outside of one, up to the working directory, never above both.
std::optional<fs::path> nearest_config(const FileTree& tree, const fs::path& start) {
  std::error_code error;
  fs::path root = start;
  while (root.has_relative_path() && !tree.is_repository(root)) root = root.parent_path();
  const fs::path top = tree.is_repository(root) ? root : fs::current_path(error);
  std::optional<fs::path> found;
  for (fs::path at = start;; at = at.parent_path()) {
    if (!found && tree.is_file(at / kConfigName)) found = at;
    if (at == top) return found;
    if (!at.has_relative_path()) break;
  }
  return found == start ? found : std::nullopt;
}

bool any_matches(const Config& config, const std::vector<std::string>& patterns, const std::string& file) {
  if (patterns.empty()) return false;
  const std::string inside = absolute(*config.tree, file).lexically_relative(config.directory).generic_string();
  return std::ranges::any_of(patterns, [&](std::string pattern) {
    while (pattern.ends_with('/')) pattern.pop_back();
    if (pattern.starts_with("./")) pattern.erase(0, 2);
    return inside == pattern || inside.starts_with(pattern + "/") || fnmatch(pattern.c_str(), inside.c_str(), 0) == 0;
  });
}

}  // namespace

bool Config::is(const std::string& file) const {
  return !path.empty() && absolute(*tree, file) == fs::path(directory) / kConfigName;
}

bool Config::excludes(const std::string& file) const { return any_matches(*this, said.exclude, file); }
bool Config::includes(const std::string& file) const { return any_matches(*this, said.include, file); }

Config find_config(std::span<const std::string> paths, std::vector<Diagnostic>& out, const FileTree& tree) {
  Config config;
  config.tree = &tree;
  const auto directory = nearest_config(tree, start_of(tree, paths));
  if (!directory) return config;
  std::error_code error;
  config.directory = directory->string();
  const fs::path shown = (*directory / kConfigName).lexically_relative(fs::current_path(error));
  config.path = shown.empty() || *shown.begin() == ".." ? (*directory / kConfigName).string() : shown.string();
  const auto text = read_policy_file(config.path, out, tree);
  if (!text) return {};
  config.text = *text;
  config.said = read_config_file(*text);
  for (const std::string& problem : config.said.problems)
    out.push_back(error_at(code::BadConfig, {}, fmt::format("`{}`: {}", config.path, problem),
                           "`gpol explain GP0604` shows every key"));
  if (!config.said.problems.empty()) config.said = {};
  config.whole =
      std::ranges::any_of(paths, [&](const std::string& path) { return absolute(tree, path) == *directory; });
  return config;
}

std::string config_directory(std::span<const std::string> paths) {
  const fs::path start = start_of(disk(), paths);
  for (fs::path at = start; at.has_relative_path(); at = at.parent_path())
    if (disk().is_repository(at)) return at.string();
  return start.string();
}

}  // namespace gpol
