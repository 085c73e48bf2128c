// What a queue or a cohort lists, row by row: in the order of its groups, their flavors, their covered resources, which
// is that of QueueRole::reserve and the like.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ranges>
#include <vector>

#include "compiler/cluster/cluster.h"

namespace gpol {

struct ListedQuota {
  const ResourceGroup& group;
  const FlavorQuotas& row;
  std::uint32_t flavor, resource;
  const Quota& quota;
  std::size_t pair;  // into what is parallel to the quotas
};
inline std::vector<ListedQuota> listed_quotas(const std::vector<ResourceGroup>& groups) {
  std::vector<ListedQuota> all;
  for (const ResourceGroup& group : groups)
    for (const FlavorQuotas& row : group.flavors)
      for (std::size_t r = 0; r < group.covered.size(); ++r)
        all.push_back({group, row, row.flavor, group.covered[r], row.quotas[r], all.size()});
  return all;
}

// The first of them; null: it lists none.
inline const Quota* listed_quota(const std::vector<ResourceGroup>& groups, std::uint32_t flavor,
                                 std::uint32_t resource) {
  for (const ResourceGroup& group : groups)
    for (const FlavorQuotas& row : group.flavors)
      for (std::size_t r = 0; row.flavor == flavor && r < group.covered.size(); ++r)
        if (group.covered[r] == resource) return &row.quotas[r];
  return nullptr;
}

inline auto listed_flavors(const std::vector<ResourceGroup>& groups) {
  return groups | std::views::transform(&ResourceGroup::flavors) | std::views::join;
}

}  // namespace gpol
