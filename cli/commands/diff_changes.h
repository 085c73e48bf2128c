// The lines that differ between the texts of a policy or bundle on the two sides, for the page. In: a bundle of each
// side. Out: each place with its lines before and after, by file; at most kMostChanges of them, and how many more.
#pragma once

#include "cli/commands/diff_sides.h"
#include "cli/render/diff_view.h"

namespace gpol {

void note_changes(DiffBundle& bundle, const DiffSources& sources);

// A path below the side's own PATH, where it has one.
std::string below(const DiffSource& side, const std::string& path);

}  // namespace gpol
