// Which declarations of a policy something else speaks of. In: the policy. Out: by index into its vectors. Private to
// compiler/lint.
#pragma once

#include <string_view>
#include <vector>

#include "compiler/policy/policy.h"

namespace gpol::lints {

struct Uses {
  std::vector<bool> classes, pools, groups, windows, calendars, cohorts, hardware;
};
Uses uses_of(const Policy& policy);

// A declared name with who would use it.
struct Named {
  std::string_view kind, name, users;  // "calendar", "holidays", "no window leaves its days out"
  Span span;                           // of the name
  bool used = false;
  bool spare = false;  // it may stand there for others: a class is a word of the policy, a pool is kept free,
                       // a window becomes a mode that `gpol build` writes
};
std::vector<Named> declared_names(const Policy& policy, const Uses& uses);

}  // namespace gpol::lints
