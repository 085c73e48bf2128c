// The codes of files, manifests and running; titles: docs/explain.
#pragma once

#include "compiler/source/code.h"

namespace gpol::code {

inline constexpr Code BadImport{312};
inline constexpr Code NoPolicy{502};
inline constexpr Code NotWritten{505};
inline constexpr Code ConfigurationContradicts{507};
inline constexpr Code ConfigurationUnreadable{508};
inline constexpr Code NoEarlier{509};
inline constexpr Code MigConfigGiven{512};
inline constexpr Code VolcanoConfigGiven{513};
inline constexpr Code NoManifest{601};
inline constexpr Code Rejected{602};
inline constexpr Code BadRole{603};
inline constexpr Code BadConfig{604};
inline constexpr Code NoFlavor{605};
inline constexpr Code VolcanoPassesOver{606};

}  // namespace gpol::code
