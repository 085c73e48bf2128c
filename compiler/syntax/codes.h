// The codes of what the parser and the expansion of definitions find; titles: docs/explain.
#pragma once

#include "compiler/source/code.h"

namespace gpol::code {

inline constexpr Code SyntaxError{101};
inline constexpr Code UnclosedBlock{102};
inline constexpr Code BadCharacter{103};
inline constexpr Code DuplicateName{202};
inline constexpr Code BadDefinition{311};

}  // namespace gpol::code
