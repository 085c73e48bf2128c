// What each queue of observed manifests owns, and how much of it others can hold. In: a run of `verify`. Out: the rows
// of one table, its head first: of serving queues where any queue has a role, else of all queues. Empty where there is
// nothing to say.
#pragma once

#include <string>
#include <vector>

#include "cli/render/run_report.h"

namespace gpol {

inline constexpr std::size_t kMostOwnershipRows = 40;

struct OwnershipTable {
  std::vector<std::vector<std::string>> rows;
  std::size_t left_out = 0;  // rows beyond kMostOwnershipRows: JSON has them all
};
OwnershipTable ownership_table(const RunReport& run);

}  // namespace gpol
