// The parts of what `gpol diff` says (diff_view.h): amounts, tables, the first line. In: rows and obligations of the
// comparison. Out: text.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/render/diff_view.h"

namespace gpol {

bool counts_devices(const DiffRow& row);  // GPUs, slices or shares of them
// "8 GPUs", "4 slices", "16 shares"; "?" where it is not known.
std::string amount_of(const DiffRow& row, const std::optional<std::int64_t>& value);

using DiffTable = std::vector<std::vector<std::string>>;  // the header first; columns that say nothing are left out
// One line for each tenant or queue and flavor, by its devices; other resources of which the same is said stand beside.
DiffTable promises_table(const std::vector<DiffRow>& rows);
DiffTable configuration_table(const std::vector<ConfigurationRow>& rows);

// One line for all resources of a queue or a pool, devices first: the obligation that is told, and the other resources.
using Group = std::pair<const Obligation*, std::vector<std::string>>;
std::vector<Group> grouped(const std::vector<const Obligation*>& obligations);

std::string headline_of(const DiffReport& report);

}  // namespace gpol
