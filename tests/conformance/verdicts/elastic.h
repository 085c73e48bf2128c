// Jobs that grow, against what `gpol verify` says of them. In: seeds. Out: random clusters (bundle.h), now and then
// with an elastic Job among the manifests, with the gate off, or of a version that has it off; what gpol says of the
// way round quota `elastic-jobs` (families/quota_ways.h) and what it claims that serving can always have; and attacks
// of Jobs that grow and shrink. gpol's model knows no slices of a Job, so nothing is played here: the judge
// (../ways/judge/drawn.go) has Kueue's scheduler and controller of Jobs play them, and compares the figures.
#pragma once

#include <cstdint>

namespace gpol::verdicts {

// Prints a line for each cluster; false: a verdict contradicts itself.
bool elastic(std::uint64_t first, std::uint64_t count, std::int64_t attacks);

}  // namespace gpol::verdicts
