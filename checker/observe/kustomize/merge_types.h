// Which lists a strategic merge patch merges, by which keys: what Kubernetes 1.21, whose types kustomize knows, says of
// its own kinds. A list that is not here, and every list of a custom resource, is replaced. In: kinds and field names.
#pragma once

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>

#include "checker/observe/kustomize/resource.h"

namespace gpol::manifest::kustomize {

struct MergeType;
struct MergeField {
  std::string_view name;
  const MergeType* of = nullptr;  // of the value, or of a merged list's items; null: nothing in it is merged
  bool merges = false;            // a list that is merged
  std::array<std::string_view, 2> keys = {};  // none: by the values themselves
};
struct MergeType {
  std::array<MergeField, 7> fields = {};  // behind the last: without a name
  constexpr MergeType(std::initializer_list<MergeField> list) { std::ranges::copy(list, fields.begin()); }
  const MergeField* field(std::string_view name) const;
};

// Null: a kind without a schema.
const MergeType* merge_type_of(const Kind& kind);

}  // namespace gpol::manifest::kustomize
