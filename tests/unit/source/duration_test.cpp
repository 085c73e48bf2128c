#include "compiler/source/duration.h"

#include <limits>
#include <map>
#include <string>

#include "tests/support/catch.h"

namespace gpol {
namespace {

TEST_CASE("durations are Go's") {
  const std::map<std::string, std::int64_t> taken = {
      {"0", 0},
      {"-0", 0},
      {"5s", 5000000000},
      {"+5s", 5000000000},
      {"-5s", -5000000000},
      {"1h15m30.918273645s", 4530918273645},
      {".5s", 500000000},
      {"1.s", 1000000000},
      {"12\xC2\xB5s", 12000},
      {"0.9223372036854775807h", 3320413933267},
      {"9223372036854775807ns", 9223372036854775807},
      {"-9223372036854775808ns", std::numeric_limits<std::int64_t>::min()},
      {"0.3333333333333333333h", 1200000000000},
      {"0.100000000000000000000h", 360000000000},
  };
  for (const auto& [text, value] : taken) {
    INFO(text);
    REQUIRE(go_duration(text));
    CHECK(*go_duration(text) == value);
  }
  for (const char* text : {"", "3", "-", "s", ".", "-.", ".s", "+.s", "1d", "5 m", "1.2.3s", "9223372036854775808ns",
                           "9223372036854ms775us808ns", "3000000h", "\x85s", "-9223372036854775809ns"}) {
    INFO(text);
    CHECK_FALSE(go_duration(text));
  }
}

TEST_CASE("durations of other units have no sign and no fraction, and every part has a unit") {
  constexpr DurationUnit kUnits[] = {{"ms", 1}, {"min", 60'000}, {"m", 60'000}, {"h", 3'600'000}};
  const DurationStyle style{.units = kUnits, .most_of_part = 7'200'000};
  CHECK(read_duration("1h30min", style) == 5'400'000);
  CHECK(read_duration("2h2h", style) == 14'400'000);
  CHECK(read_duration("0ms", style) == 0);
  for (const char* text : {"", "0", "3h", "1.5h", "1h.5m", "-1h", "+1h", "1us", "1hm", "h", "1 h"}) {
    INFO(text);
    CHECK_FALSE(read_duration(text, style));
  }
}

}  // namespace
}  // namespace gpol
