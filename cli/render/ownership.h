// What each queue of observed manifests owns, and how much of it others can hold. In: a run of `verify`. Out: the rows
// of one table, its head first: of serving queues, then of serving outside the queue, of batch, and of queues without a
// role. Empty where there is nothing to say.
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
