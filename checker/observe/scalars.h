// What a scalar of YAML is. In: its text without quotes, and its tag. Out: its kind and its value, or why there is
// none. The strict reading is YAML 1.1 and 1.2 where they agree. Kubernetes' is go.yaml.in/yaml/v2 (resolve.go), which
// sigs.k8s.io/yaml v1.6.0 uses, and what encoding/json makes of its values.
#pragma once

#include <string>
#include <string_view>

#include "checker/observe/tree.h"

namespace gpol::manifest {

// Of a plain (unquoted) scalar under the strict reading.
Node::Kind plain_kind(std::string_view text);

struct Scalar {
  Node::Kind kind = Node::Kind::Text;
  std::string text;            // numbers and booleans as JSON has them
  std::string refused;         // not empty: Kubernetes does not read it, or JSON cannot hold it
  std::string key;             // as a key of a mapping; empty and not Text: it cannot be one
  bool kubectl_reads = false;  // refused by gpol alone
};

// Of a plain scalar, or of any scalar with a tag (in full: "tag:yaml.org,2002:int").
Scalar kubernetes_scalar(std::string_view text, std::string_view tag = {});

}  // namespace gpol::manifest
