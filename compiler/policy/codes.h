// The codes of what the meaning of a policy breaks; titles: docs/explain.
#pragma once

#include "compiler/source/code.h"

namespace gpol::code {

inline constexpr Code WrongUnit{203};
inline constexpr Code MissingClause{205};
inline constexpr Code DuplicateClause{206};
inline constexpr Code OutOfRange{207};
inline constexpr Code BadValue{208};
inline constexpr Code BadKubernetesName{209};
inline constexpr Code CohortCycle{301};
inline constexpr Code ClassMismatch{302};
inline constexpr Code CheckpointTooSlow{304};
inline constexpr Code BadAllow{305};
inline constexpr Code PoolOverflow{306};
inline constexpr Code TooManyModes{308};
inline constexpr Code TooManyReplicas{309};
inline constexpr Code WriterIsTenant{310};
inline constexpr Code ShortBackOff{319};
inline constexpr Code PoolMark{321};
inline constexpr Code CannotRead{501};

}  // namespace gpol::code
