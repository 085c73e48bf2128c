// Who serves, as the command line, a file and labels say it, for manifests without a policy. In: the options, the
// observed cluster. Out: roles by queue; GP0603 for what cannot be meant. Flags come before the file, the file before
// gpol.yaml, and that before labels; one queue with both roles is an error.
#pragma once

#include <set>
#include <string>

#include "checker/observe/existing.h"
#include "cli/commands/options.h"
#include "cli/config/config.h"
#include "compiler/cluster/roles.h"
#include "compiler/source/diagnostic.h"

namespace gpol {

// `classes`: the text of the file of roles; empty: none was given. GP0603 as a warning for a label that says nothing.
// `volcano`: of its Queues; null: of Kueue's.
// `elsewhere`: names of queues that may be named though they are not here; may be null, as `config` may (gpol.yaml).
Outcome<NamedRoles> given_roles(const VerifyOptions& options, const std::string& classes, const Existing& existing,
                                const std::set<std::string>* elsewhere = nullptr, const Config* config = nullptr,
                                const volcano::Setup* volcano = nullptr);

}  // namespace gpol
