#include "compiler/cluster/quantity.h"

#include <limits>

#include "tests/support/catch.h"

using gpol::quantity;

namespace {
constexpr std::int64_t kKi = 1024;
}

TEST_CASE("cpu is given in millicores") {
  CHECK(quantity("cpu", 0) == "0");
  CHECK(quantity("cpu", 1) == "1m");
  CHECK(quantity("cpu", 500) == "500m");
  CHECK(quantity("cpu", 23000) == "23");
  CHECK(quantity("cpu", 23500) == "23500m");
  CHECK(quantity("cpu", 1104000) == "1104");
  CHECK(quantity("cpu", 2000000) == "2k");
}

TEST_CASE("memory is written with the largest binary suffix that is exact") {
  CHECK(quantity("memory", 0) == "0");
  CHECK(quantity("memory", 1) == "1");
  CHECK(quantity("memory", kKi) == "1Ki");
  CHECK(quantity("memory", kKi + 1) == "1025");
  CHECK(quantity("memory", 1536 * kKi) == "1536Ki");
  CHECK(quantity("memory", 248 * kKi * kKi * kKi) == "248Gi");
  CHECK(quantity("memory", 2 * kKi * kKi * kKi * kKi) == "2Ti");
  CHECK(quantity("memory", std::int64_t{1} << 60) == "1Ei");
  CHECK(quantity("hugepages-2Mi", 2 * kKi * kKi) == "2Mi");
  CHECK(quantity("ephemeral-storage", 3 * kKi) == "3Ki");
}

TEST_CASE("bytes that are no multiple of 1024 are decimal, as Kubernetes reads a bare number") {
  CHECK(quantity("memory", 1000) == "1k");
  CHECK(quantity("memory", 1000000000) == "1G");
  CHECK(quantity("memory", 1500) == "1500");
}

TEST_CASE("everything else counts whole units") {
  CHECK(quantity("nvidia.com/gpu", 0) == "0");
  CHECK(quantity("nvidia.com/gpu", 8) == "8");
  CHECK(quantity("pods", 110) == "110");
  CHECK(quantity("pods", 1000) == "1k");
  CHECK(quantity("pods", 1024) == "1024");
  CHECK(quantity("nvidia.com/gpu", std::numeric_limits<std::int64_t>::max()) == "9223372036854775807");
  CHECK(quantity("nvidia.com/gpu", 1000000000000000000) == "1E");
}
