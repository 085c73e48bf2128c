// The codes of what cannot be written; titles: docs/explain.
#pragma once

#include "compiler/source/code.h"

namespace gpol::code {

inline constexpr Code CannotWrite{503};
inline constexpr Code ForeignOutput{504};
inline constexpr Code OutputDiffers{506};

}  // namespace gpol::code
