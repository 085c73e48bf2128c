// The file of `gpol verify --classes`: who serves, in YAML. In: its text. Out: roles by queue, and what is wrong with
// it.
//   chat:   {role: serving, class: A}
//   search: {role: serving, class: B, deadline: 4min}
//   train:  {role: batch}
#pragma once

#include <string>
#include <vector>

#include "compiler/cluster/roles.h"

namespace gpol {

struct ClassesFile {
  NamedRoles roles;
  std::vector<std::string> problems;  // "line 3: `servng` is none of serving, batch"
};
ClassesFile read_classes_file(const std::string& text);

}  // namespace gpol
