// The codes of what several rooms find, and of texts; titles: docs/explain.
#pragma once

#include "compiler/source/code.h"

namespace gpol::code {

inline constexpr Code TooDeepOrLarge{104};
inline constexpr Code UnknownName{201};
inline constexpr Code UnknownUnit{204};

}  // namespace gpol::code
