#include "cli/commands/diff_changes.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "cli/tree/changed_lines.h"

namespace gpol {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostChanges = 50;

// By the path below the side's own: where it stands, and its text. What is built in has no place.
std::map<std::string, std::pair<std::string, std::string>> texts_of(const PolicyReport* bundle,
                                                                    const DiffSource& side) {
  std::map<std::string, std::pair<std::string, std::string>> texts;
  if (bundle == nullptr || bundle->sources == nullptr) return texts;
  for (FileId file = 0; file < bundle->sources->size(); ++file)
    if (!bundle->sources->built_in(file))
      texts.emplace(below(side, bundle->sources->path(file)),
                    std::pair{bundle->sources->path(file), bundle->sources->text(file)});
  return texts;
}

}  // namespace

std::string below(const DiffSource& side, const std::string& path) {
  const fs::path normal = fs::path(path).lexically_normal();
  if (side.paths.size() != 1) return normal.generic_string();
  return normal.lexically_relative(fs::path(side.paths.front()).lexically_normal()).generic_string();
}

void note_changes(DiffBundle& bundle, const DiffSources& sources) {
  const auto was = texts_of(bundle.before, sources.before), is = texts_of(bundle.after, sources.after);
  const auto add = [&](const std::string& path, const std::string& before, const std::string& after) {
    for (ChangedLines& change : changed_lines(before, after))
      if (bundle.changes.size() < kMostChanges)
        bundle.changes.push_back(
            {fmt::format("{}:{}{}{}", path, change.line, change.within.empty() ? "" : ", in ", change.within),
             std::move(change.was), std::move(change.is)});
      else
        ++bundle.more_changes;
  };
  for (const auto& [name, file] : is)
    if (const auto old = was.find(name); old != was.end() && old->second.second != file.second)
      add(file.first, old->second.second, file.second);
    else if (old == was.end())
      bundle.changes.push_back({file.first, {}, {"the file is new"}});
  for (const auto& [name, file] : was)
    if (!is.contains(name)) bundle.changes.push_back({file.first, {"the file is gone"}, {}});
}

}  // namespace gpol
