// What Volcano's webhook compares of a Queue with other Queues when it is created (pkg/webhooks/admission/queues/
// validate/validate_queue.go, v1.15.1, default flags); what it says of one alone is checker/observe/schema/schema.cpp.
// In: Queues in the order in which they are applied. Out: which of them it refuses, the first reason of each. A parent
// that is not among them is there already, and nothing is compared with it; a Queue that was refused counts for later
// ones as if it were there.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compiler/model/volcano/setup.h"

namespace gpol::volcano {

struct Refused {
  std::size_t queue;       // into the span
  std::string_view field;  // "spec.parent", "spec.capability", "spec.guarantee", "spec.deserved"
  std::string_view rule;   // stable: "webhook:volcano-parent"
  std::string what, hint;
};
std::vector<Refused> refused_by_webhook(std::span<const Queue> queues);

}  // namespace gpol::volcano
