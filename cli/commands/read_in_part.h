// Files that were read, and in which something stands from which no figure follows. In: a bundle. Out: where it
// differs between two sides, gpol does not know what that changes.
#pragma once

#include <vector>

#include "cli/commands/observed_bundles.h"
#include "cli/commands/verify.h"

namespace gpol {

void add_read_in_part(const ObservedBundle& observed, std::vector<Unread>& all);

}  // namespace gpol
