// What `gpol build` wrote, among files that were given: it is read with its windows. In: files. Out: which of them are
// none of its objects, and the modes.
#pragma once

#include <set>
#include <span>
#include <vector>

#include "checker/observe/observe.h"

namespace gpol {

struct OwnLayout {
  std::set<FileId> beside;  // kustomizations, their patches, patches of nodes
  std::vector<Mode> modes;
};
OwnLayout own_layout(std::span<const YamlFile> files);

}  // namespace gpol
