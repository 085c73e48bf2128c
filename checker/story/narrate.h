// A played script in words. In: the script, what the model said happened, names from cluster and intent.
// Out: one step of a story per step of the script, in its order.
#pragma once

#include <string>
#include <vector>

#include "checker/report/report.h"
#include "checker/story/replay.h"
#include "compiler/cluster/intent.h"

namespace gpol {

// `why_waiting` is said of the last ask that is not met.
std::vector<StoryStep> narrate(const Stage& stage, const Intent& intent, const Script& script, const Played& played,
                               const std::string& why_waiting);

std::string tenant_of(const Cluster& cluster, const Intent& intent, std::uint32_t queue);  // else the queue's name
// A clock time before that of the step above it is the next day's.
void tell_days(std::vector<StoryStep>& steps);
std::string clock(int minutes);                                   // 570 -> "09:30"
std::string clock_after(int minutes, std::int64_t milliseconds);  // "09:34:30"; past midnight it starts anew
std::string amount_in_words(const Cluster& cluster, std::uint32_t resource, std::int64_t amount);   // "8 GPUs"
std::string amounts_in_words(const Cluster& cluster, const std::vector<kueue::Request>& requests);  // "8 GPUs, 128 cpu"

}  // namespace gpol
