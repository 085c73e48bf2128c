#include "checker/observe/own_layout.h"

#include <string_view>

#include "compiler/cluster/folders.h"

namespace gpol {

namespace {

// Its documents are objects; in these folders else are only kustomizations, and patches.
bool holds_objects(std::string_view path) {
  const FolderRow* folder = folder_of(path);
  if (path == "kustomization.yaml" || path.ends_with("/kustomization.yaml")) return false;
  return folder == nullptr || folder->holds == Holds::Applied || folder->holds == Holds::Objects;
}

}  // namespace

OwnLayout own_layout(std::span<const YamlFile> files) {
  const std::string in_base = std::string(folder_name(Folder::Base)) + "/kustomization.yaml";
  for (const YamlFile& base : files) {
    if (base.path != in_base && !base.path.ends_with("/" + in_base)) continue;
    const std::string prefix = base.path.substr(0, base.path.size() - in_base.size());
    OwnLayout layout;
    layout.prefix = prefix;
    std::vector<YamlFile> own;
    bool marked = false;  // as every object that gpol writes is
    for (std::size_t i = 0; i < files.size(); ++i) {
      if (!files[i].path.starts_with(prefix)) continue;
      const std::string rest = files[i].path.substr(prefix.size());
      // Kueue's Configuration may be one that was given to `build`, in any form, and has no say in the modes.
      const FolderRow* folder = folder_of(rest);
      if (folder == nullptr || folder->folder != Folder::Controller) own.push_back({rest, files[i].bytes});
      marked = marked || files[i].bytes.find("app.kubernetes.io/managed-by: gpol\n") != std::string::npos;
      if (!holds_objects(rest)) layout.beside.insert(static_cast<FileId>(i));
    }
    if (!marked) continue;
    Observed observed = observe(own);
    if (!observed.problems.empty()) continue;
    layout.modes = std::move(observed.cluster.modes);
    return layout;
  }
  return {};
}

}  // namespace gpol
