// One YAML document through libyaml, of which Kubernetes' own reader (go.yaml.in/yaml/v2) is a port. In: its text,
// which ends with a line break where kubectl would add one. Out: its tree, or why it is refused.
#pragma once

#include <string_view>

#include "checker/observe/tree.h"

namespace gpol::manifest {

Tree read_yaml(std::string_view text, Reading reading);

}  // namespace gpol::manifest
