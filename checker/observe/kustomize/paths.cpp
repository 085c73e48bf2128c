#include "checker/observe/kustomize/paths.h"

#include <algorithm>
#include <vector>

#include "compiler/source/split.h"

namespace gpol::manifest::kustomize {

std::string join_path(std::string_view directory, std::string_view name) {
  const bool rooted = name.starts_with('/') || directory.starts_with('/');
  const std::string whole =
      name.starts_with('/') ? std::string(name) : std::string(directory) + "/" + std::string(name);
  std::vector<std::string_view> parts;
  for (const std::string_view part : split(whole, '/')) {
    if (part.empty() || part == ".") continue;
    if (part != "..") {
      parts.push_back(part);
    } else if (!parts.empty() && parts.back() != "..") {
      parts.pop_back();
    } else if (!rooted) {
      parts.push_back(part);
    }
  }
  std::string result = rooted ? "/" : "";
  for (const auto part : parts) result.append(result.empty() || result == "/" ? "" : "/").append(part);
  return result.empty() ? "." : result;
}

namespace {

// How many `..` a path begins with.
std::size_t ups(std::string_view path) {
  std::size_t count = 0;
  for (; path == ".." || path.starts_with("../"); ++count) path.remove_prefix(path.size() > 2 ? 3 : 2);
  return count;
}

}  // namespace

bool lies_below(std::string_view path, std::string_view directory) {
  if (path == directory || directory == "/") return true;
  if (directory == ".") return !path.starts_with('/') && ups(path) == 0;
  if (const auto count = ups(directory); count > 0 && directory.size() == 3 * count - 1)
    return !path.starts_with('/') && ups(path) <= count;
  return path.size() > directory.size() && path.starts_with(directory) && path[directory.size()] == '/';
}

bool is_remote(std::string_view name) {
  for (const std::string_view part : {"://", "?ref=", "?version=", ".git", "_git/"})
    if (name.find(part) != std::string_view::npos) return true;
  for (const std::string_view start : {"git@", "git::", "gh:", "github.com/", "github.com:"})
    if (name.starts_with(start)) return true;
  return false;
}

bool is_kueue_install(std::string_view name) {
  for (const std::string_view part : {"kubernetes-sigs/kueue/releases/", "kubernetes-sigs/kueue/config/default",
                                      "kubernetes-sigs/kueue//config/default"})
    if (name.find(part) != std::string_view::npos) return true;
  return false;
}

std::string version_in_address(std::string_view name) {
  for (const std::string_view before : {"/v", "=v"})
    for (auto at = name.find(before); at != std::string_view::npos; at = name.find(before, at + 1)) {
      const auto word = name.substr(at + 2, name.find_first_not_of("0123456789.", at + 2) - (at + 2));
      if (std::ranges::count(word, '.') == 2 && word.front() != '.' && word.back() != '.') return std::string(word);
    }
  return {};
}

}  // namespace gpol::manifest::kustomize
