#include "checker/observe/layout.h"

#include <filesystem>

#include "compiler/cluster/folders.h"

namespace gpol::manifest {
namespace {

std::string plain(const std::filesystem::path& path) { return path.lexically_normal().generic_string(); }

std::string last_word(const std::string& directory) { return std::filesystem::path(directory).filename().string(); }

bool is_manifest(const std::string& path) {
  return path == "-" || path.ends_with(".yaml") || path.ends_with(".yml") || path.ends_with(".json");
}

// A kustomization in overlays/<mode>/ is an overlay, one in base/ the base, any other the one above that. There is one
// of each.
void place_kustomization(const std::string& path, Layout& layout, Problems& problems) {
  const auto directory = directory_of(path);
  layout.kustomize = true;
  if (last_word(directory_of(directory)) == folder_name(Folder::Overlays)) {
    const auto mode = last_word(directory);
    if (!layout.overlays.emplace(mode, directory).second) problems.add("", "is a second overlay " + shown(mode), 0);
    return;
  }
  const bool is_base = last_word(directory) == folder_name(Folder::Base);
  std::string& place = is_base ? layout.base : layout.root;
  if (!place.empty())
    problems.add("", std::string("is a second ") + (is_base ? "base" : "kustomization") + " besides " + shown(place),
                 0);
  else
    place = directory.empty() ? "." : directory;
}

}  // namespace

std::string directory_of(const std::string& path) { return std::filesystem::path(path).parent_path().generic_string(); }

std::string resolve_path(const std::string& directory, const std::string& path) {
  auto result = plain(std::filesystem::path(directory) / path);
  if (result.size() > 1 && result.ends_with('/')) result.pop_back();
  return result;
}

bool lies_in(const std::string& path, const std::string& directory) {
  return directory == "." || (path.starts_with(directory) && path.substr(directory.size()).starts_with("/"));
}

Layout lay_out(std::span<const YamlFile> files, Problems& problems) {
  Layout layout;
  for (std::size_t i = 0; i < files.size(); ++i) {
    problems.enter({files[i].path, 0, 1});
    const auto path = plain(files[i].path);
    if (!layout.files.emplace(path, i).second) problems.add("", "is there twice", 0);
    if (!is_manifest(path)) problems.add("", "is not a manifest: its name does not end in .yaml, .yml or .json", 0);
  }
  for (const auto& [path, index] : layout.files) {
    problems.enter({files[index].path, 0, 1});
    if (std::filesystem::path(path).filename() == kKustomizationFile) place_kustomization(path, layout, problems);
  }
  return layout;
}

}  // namespace gpol::manifest
