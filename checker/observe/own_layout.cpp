#include "checker/observe/own_layout.h"

#include <string>
#include <string_view>

namespace gpol {

OwnLayout own_layout(std::span<const YamlFile> files) {
  constexpr std::string_view kBase = "base/kustomization.yaml";
  for (const YamlFile& base : files) {
    if (base.path != kBase && !base.path.ends_with("/" + std::string(kBase))) continue;
    const std::string prefix = base.path.substr(0, base.path.size() - kBase.size());
    OwnLayout layout;
    std::vector<YamlFile> own;
    for (std::size_t i = 0; i < files.size(); ++i) {
      if (!files[i].path.starts_with(prefix)) continue;
      const std::string rest = files[i].path.substr(prefix.size());
      own.push_back({rest, files[i].bytes});
      if (rest.starts_with("overlays/") || rest.starts_with("nodes/") || rest.ends_with("kustomization.yaml"))
        layout.beside.insert(static_cast<FileId>(i));
    }
    Observed observed = observe(own);
    if (!observed.problems.empty()) continue;
    layout.modes = std::move(observed.cluster.modes);
    return layout;
  }
  return {};
}

}  // namespace gpol
