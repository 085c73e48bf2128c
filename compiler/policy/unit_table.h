// The units that gpol knows, and what is said of one that it does not. In: a unit as written. Out: its dimension and
// scale, or a hint: the nearest of those that fit its place, or all of them. Private to compiler/policy.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "compiler/policy/units.h"

namespace gpol {

struct KnownUnit {
  std::string_view name;
  Dimension dimension;
  std::int64_t scale;  // base units in one
};

using Dimensions = std::span<const Dimension>;

std::span<const KnownUnit> units();
// Null where it does not exist. `x PROFILE` is one unit, whatever the profile is.
const KnownUnit* find_unit(std::string_view name);
// "did you mean `gpus`?", or "the units here are ms, s, min, h and d"; nothing where a count is expected.
std::string unit_hint(std::string_view written, Dimensions expected);

}  // namespace gpol
