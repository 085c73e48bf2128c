// A random small cluster as teams publish it: Kueue objects in YAML, roles in labels, defaults left out as often as
// not. In: a seed. Out: the same bytes on every machine. The cluster that gpol makes of it is read back by `observe`;
// the Go program reads the same bytes with Kueue's own types and the defaults of its CRDs.
#pragma once

#include <cstdint>
#include <string>

namespace gpol::verdicts {

std::string random_bundle(std::uint64_t seed);

}  // namespace gpol::verdicts
