// Reports without what an order may change: positions, sentences and the order of what is listed. In: a session, or a
// report. Out: one line per fact, sorted, so that two are equal when the verdicts and their figures are.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands/session.h"

namespace gpol::test {

std::vector<std::string> facts_of(const Report& report);
std::vector<std::string> facts_of(const Session& session);
std::string json_of(const Session& session);

// The examples and the goldens; of them those that are planned, and so are proven or refuted.
std::vector<std::filesystem::path> all_policies();
std::vector<std::filesystem::path> planned_policies();

}  // namespace gpol::test
