// Durations of several parts, "1h30m". In: text, and who wrote it. Out: a number of the smallest unit, or nothing where
// they would not take it. (Of a policy a duration is a number and a unit: compiler/policy/units.h.)
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace gpol {

struct DurationUnit {
  std::string_view name;
  std::uint64_t scale;
};
// In nanoseconds; the last two are the microsecond with a Greek letter.
inline constexpr DurationUnit kGoUnits[] = {
    {"ns", 1},
    {"us", 1'000},
    {"ms", 1'000'000},
    {"s", 1'000'000'000},
    {"m", 60'000'000'000},
    {"h", 3'600'000'000'000},
    {"\xC2\xB5s", 1'000},
    {"\xCE\xBCs", 1'000},
};
inline constexpr std::span kGoAsciiUnits = std::span(kGoUnits).first<6>();

struct DurationStyle {
  std::span<const DurationUnit> units;
  bool as_go = false;                        // a sign, fractions, and a 0 without a unit
  std::uint64_t most_of_part = 1ULL << 63U;  // the sum is no more than 64 bits hold
};
std::optional<std::int64_t> read_duration(std::string_view text, const DurationStyle& style);
// Nanoseconds, as time.ParseDuration reads them: "30m", "-1.5h", "1h30m", "0".
inline std::optional<std::int64_t> go_duration(std::string_view text) {
  return read_duration(text, {.units = kGoUnits, .as_go = true});
}

}  // namespace gpol
