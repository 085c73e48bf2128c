// `gpol verify --write-config`: a first gpol.yaml. In: the roles that flags give, else who probably serves and why.
// Out: its text.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/commands/options.h"

namespace gpol {

// `likely`: queues and the reason, (likely_servers).
std::string proposed_config(const VerifyOptions& options,
                            const std::vector<std::pair<std::string, std::string>>& likely);

}  // namespace gpol
