// What `gpol build` wrote, among files that were given: it is read with its windows. In: files. Out: which of them are
// none of its objects, and the modes.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "checker/observe/observe.h"

namespace gpol {

struct OwnLayout {
  std::set<FileId> beside;  // kustomizations, patches of nodes
  std::vector<Mode> modes;
  std::optional<std::string> prefix;  // of the paths of what is it, "out/"; nothing: none is
};
OwnLayout own_layout(std::span<const YamlFile> files);

}  // namespace gpol
