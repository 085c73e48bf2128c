// The codes of what an earlier build had and the policy no longer has; titles: docs/explain.
#pragma once

#include "compiler/source/code.h"

namespace gpol::code {

inline constexpr Code CannotKeep{510};
inline constexpr Code NotRetired{511};

}  // namespace gpol::code
