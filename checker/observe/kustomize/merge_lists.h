// Merging lists whose items have keys. In: two lists and what merges two items. Out: the items, first those that the
// patch has.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "checker/observe/tree.h"

namespace gpol::manifest::kustomize {

struct MergedItem {
  std::optional<Node> item;
  bool in_place = true;  // false: theirs stands for ours, which itself is as it was
};
// Either may be null. Nothing where an item has none of the keys. `keys` of one empty text: by the values themselves.
using MergeItem = std::function<MergedItem(const Node* ours, const Node* theirs)>;
std::optional<std::vector<Node>> merge_items(const Node* ours, const Node* theirs, std::array<std::string_view, 2> keys,
                                             const MergeItem& merge);

}  // namespace gpol::manifest::kustomize
