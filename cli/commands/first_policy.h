// The policy that `gpol init` writes. In: its three answers. Out: a policy's text, or what is wrong with an answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/commands/options.h"

namespace gpol {

struct FirstPolicy {
  std::int64_t nodes = 0, gpus = 0;    // of each node
  std::int64_t serving = 0;            // GPUs
  std::optional<std::int64_t> back_s;  // seconds; nothing: batch never borrows
};

// Each takes one answer as people write it, "4x8", "16", "4min" or "never", after the ones before it; or says what is
// wrong with it.
std::optional<UsageError> take_nodes(FirstPolicy& p, const std::string& nodes);
std::optional<UsageError> take_serving(FirstPolicy& p, const std::string& serving);
std::optional<UsageError> take_back(FirstPolicy& p, const std::string& back);
// In the one style, and proven (a test).
std::string text_of(const FirstPolicy& answers);

}  // namespace gpol
