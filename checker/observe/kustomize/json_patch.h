// JSON patches (RFC 6902) as kustomize applies them. In: a list of operations and an object. Out: the patched object.
#pragma once

#include <string>
#include <vector>

#include "checker/observe/kustomize/context.h"

namespace gpol::manifest::kustomize {

struct Operation {
  std::string op;
  std::vector<std::string> path, from;
  const Node* at = nullptr;     // the operation, for messages
  const Node* value = nullptr;  // null: not given
};

// False: reported. The operations point into the list.
bool read_operations(Context& context, const Node& list, std::vector<Operation>& operations);
bool apply_operations(Context& context, Node& object, const std::vector<Operation>& operations);

}  // namespace gpol::manifest::kustomize
