// Durations as Go reads them (time.ParseDuration): "30m", "-1.5h", "1h30m", "0". In: text. Out: nanoseconds, or nothing
// when Go would not take it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gpol::manifest::schema {

std::optional<std::int64_t> go_duration(std::string_view text);

}  // namespace gpol::manifest::schema
