// What a change drops beside figures: statements of a policy, and what gpol.yaml leaves out, waives or counts now. In:
// the sides as they were read. Out: in words; of a statement whether it holds all the same, which is asked by proving
// the policy after with it.
#pragma once

#include <vector>

#include "checker/diff/compare.h"
#include "cli/commands/session.h"
#include "cli/config/config_file.h"

namespace gpol {

// They say the same, in whatever order and words. Manifests say nothing beyond their cluster.
bool same_statements(const Session& before, const Session& after);
// `diff`: of the same sides, for what their figures say of it.
std::vector<Removed> dropped_statements(const Session& before, const Session& after, const Diff& diff,
                                        const FileTree& tree);
// Behind each premise that is weaker: which reserves of the policy before can rest on it.
void tell_what_rests(const Policy& before, std::vector<Removed>& removed);
std::vector<Removed> config_changes(const ConfigFile& before, const ConfigFile& after);

}  // namespace gpol
