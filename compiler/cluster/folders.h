// The folders that `build` writes, each once: emit names its files by this list, and by it those who read them back, or
// find them among other manifests, know what a file holds. Data alone: emit and observe share nothing else.
#pragma once

#include <cstdint>
#include <string_view>

namespace gpol {

enum class Folder : std::uint8_t { Base, Overlays, Controller, Nodes, Rbac, Partition, Scheduler };

enum class Holds : std::uint8_t {
  Applied,      // objects, and the kustomization that applies them
  Modes,        // a folder per mode: its kustomization, and patches of what is applied
  Objects,      // objects that no kustomization names: who applies the base need not be allowed to write them
  NodePatches,  // no objects: a patch per pool of nodes, whose names nobody knows here
};

struct FolderRow {
  Folder folder;
  std::string_view name;
  Holds holds;
};
inline constexpr FolderRow kFolders[] = {
    {Folder::Base, "base", Holds::Applied},
    {Folder::Overlays, "overlays", Holds::Modes},
    {Folder::Controller, "controller", Holds::Objects},
    {Folder::Nodes, "nodes", Holds::NodePatches},
    {Folder::Rbac, "rbac", Holds::Objects},
    {Folder::Partition, "partition", Holds::Objects},
    {Folder::Scheduler, "scheduler", Holds::Objects},
};

constexpr std::string_view folder_name(Folder folder) {
  for (const FolderRow& row : kFolders)
    if (row.folder == folder) return row.name;
  return {};
}

// What a file of `path`, as seen from where `build` wrote, stands in; null: in none of its folders.
constexpr const FolderRow* folder_of(std::string_view path) {
  for (const FolderRow& row : kFolders)
    if (path.size() > row.name.size() && path.starts_with(row.name) && path[row.name.size()] == '/') return &row;
  return nullptr;
}

}  // namespace gpol
