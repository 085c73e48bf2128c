// What stands where an object should be and is none: before anything is asked of its fields.
#pragma once

#include <optional>
#include <string>

#include "checker/observe/tree.h"

namespace gpol::manifest {

struct NoObject {
  const Node* at = nullptr;
  std::string field;       // of `at`; empty: the whole
  std::string what, hint;  // "is no Kubernetes object"
};
// Nothing: it has an apiVersion and a kind, and is taken for what they say.
std::optional<NoObject> no_object(const Node& object);

}  // namespace gpol::manifest
