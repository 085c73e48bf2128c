#include "compiler/policy/modes.h"

#include "tests/support/catch.h"

using namespace gpol;

namespace {

Window window(int from_hour, int to_hour, Window::Days days = Window::Days::Daily, std::string zone = "Europe/Zurich") {
  Window w;
  w.from = from_hour * 60;
  w.to = to_hour * 60;
  w.days = days;
  w.zone = std::move(zone);
  return w;
}

TEST_CASE("without windows there is the base alone") { CHECK(window_modes({}) == std::vector<WindowSet>{{}}); }

TEST_CASE("windows that never meet are never in one set") {
  CHECK(window_modes({window(22, 6), window(8, 20, Window::Days::Weekdays)}) == std::vector<WindowSet>{{}, {0}, {1}});
}

TEST_CASE("a window past midnight on weekdays reaches into Saturday morning, not into Monday morning") {
  const auto weekend = window(0, 3, Window::Days::Weekends), monday = window(0, 3, Window::Days::Weekdays);
  const auto night = window(22, 2, Window::Days::Weekdays);
  const auto saturday = window_modes({night, weekend});
  REQUIRE(saturday);
  CHECK(std::count(saturday->begin(), saturday->end(), WindowSet{0, 1}) == 1);
  const auto modes = window_modes({window(22, 2, Window::Days::Weekends), monday});
  REQUIRE(modes);  // Sunday's night reaches into Monday
  CHECK(std::count(modes->begin(), modes->end(), WindowSet{0, 1}) == 1);
}

TEST_CASE("windows of two time zones may always meet") {
  const auto modes = window_modes({window(8, 9), window(20, 21, Window::Days::Daily, "America/New_York")});
  CHECK(modes == std::vector<WindowSet>{{}, {0}, {0, 1}, {1}});
}

TEST_CASE("a window that is always in force leaves the base in the list, before its first switch") {
  const auto modes = window_modes({window(0, 12), window(12, 0)});
  CHECK(modes == std::vector<WindowSet>{{}, {0}, {1}});
}

TEST_CASE("a window that a calendar takes a day from may be off while its equal is in force") {
  Window always = window(22, 6), mostly = window(22, 6);
  mostly.except = 0;
  CHECK(window_modes({always, mostly}) == std::vector<WindowSet>{{}, {0}, {0, 1}});
  Window other = window(22, 6);
  other.except = 1;  // another calendar, which may name the same days or others
  CHECK(window_modes({mostly, other}) == std::vector<WindowSet>{{}, {0}, {0, 1}, {1}});
  Window same = mostly;
  CHECK(window_modes({mostly, same}) == std::vector<WindowSet>{{}, {0, 1}});
  // The night that began before the holiday is still in force when the day's own window is off.
  Window night = window(22, 6), morning = window(4, 8);
  night.except = morning.except = 0;
  CHECK(window_modes({night, morning}) == std::vector<WindowSet>{{}, {0}, {0, 1}, {1}});
}

TEST_CASE("too many combinations are no answer") {
  std::vector<Window> windows;
  for (int i = 0; i < 8; ++i) windows.push_back(window(8, 9, Window::Days::Daily, "Zone/" + std::to_string(i)));
  CHECK_FALSE(window_modes(windows));
}

}  // namespace
