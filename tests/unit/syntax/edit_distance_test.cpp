#include "compiler/source/edit_distance.h"

#include <vector>

#include "tests/support/catch.h"

using gpol::nearest;

TEST_CASE("the nearest word is the one that was meant") {
  const std::vector<std::string_view> words = {"reserve", "replica", "release", "owner", "of", "at"};
  CHECK(nearest("reservee", words) == "reserve");
  CHECK(nearest("rserve", words) == "reserve");
  CHECK(nearest("RESERVE", words) == "reserve");
  CHECK(nearest("onwer", words) == "owner");  // two letters swapped are one slip
  CHECK(nearest("relica", words) == "replica");
  CHECK(nearest("zebra", words) == std::nullopt);
  CHECK(nearest("on", words) == std::nullopt);  // of two letters none may differ
  CHECK(nearest("", words) == std::nullopt);
  CHECK(nearest(std::string(100'000, 'x'), words) == std::nullopt);
  CHECK(nearest("a", {}) == std::nullopt);
}

TEST_CASE("of equally near words the first is taken") {
  const std::vector<std::string_view> words = {"shared1", "shared2"};
  CHECK(nearest("shared3", words) == "shared1");
}
