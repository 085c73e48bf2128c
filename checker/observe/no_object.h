// What stands where an object should be and is none: before anything is asked of its fields.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "checker/observe/tree.h"

namespace gpol::manifest {

struct NoObject {
  const Node* at = nullptr;
  std::string what, hint;      // "is no Kubernetes object"
  std::string field = {};      // of `at`; empty: the whole
  bool kustomization = false;  // which changes other objects
  std::string directory = {};  // whose objects it changes, from the root of their repository on; empty: any
};
// Nothing: it has an apiVersion and a kind, and is taken for what they say.
// `path`: of the file, whose name may say what it is instead.
std::optional<NoObject> no_object(const Node& object, std::string_view path);

}  // namespace gpol::manifest
