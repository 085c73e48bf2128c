// The policy that `gpol init` writes. In: its three answers. Out: a policy's text, or what is wrong with an answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "cli/commands/options.h"

namespace gpol {

struct FirstPolicy {
  std::int64_t nodes = 0, gpus = 0;    // of each node
  std::int64_t serving = 0;            // GPUs
  std::optional<std::int64_t> back_s;  // seconds; nothing: batch never borrows
};

// The answers as people write them: "4x8", "16", "4min" or "never".
std::variant<FirstPolicy, UsageError> first_policy(const std::string& nodes, const std::string& serving,
                                                   const std::string& back);
// In the one style, and proven (a test).
std::string text_of(const FirstPolicy& answers);

}  // namespace gpol
