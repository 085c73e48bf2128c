// The codes of what a policy says and could leave out; titles: docs/explain.
#pragma once

#include "compiler/source/code.h"

namespace gpol::code {

inline constexpr Code UnusedDefinition{401};
inline constexpr Code UnusedImport{402};
inline constexpr Code UnusedDeclaration{403};
inline constexpr Code IdleAllow{404};
inline constexpr Code ShadowedPromise{405};

}  // namespace gpol::code
