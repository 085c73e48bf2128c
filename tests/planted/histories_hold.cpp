// Random histories as tests/conformance/differential plays them in the real Kueue code (its first seeds): what came
// out, cycle by cycle, as it was when model and real code agreed. agreed.txt has a number for each; a model that
// decides otherwise gives another one. After a change of the generator: GPOL_UPDATE_GOLDEN=1, then that test.
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "tests/conformance/differential/history.h"
#include "tests/support/catch.h"

using namespace gpol;

namespace {

constexpr std::uint64_t kHistories = 150;

// FNV-1a: a few lines, and the same on every machine.
std::uint64_t digest(const differential::History& history) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const auto& op : history.ops)
    for (const char c : op.outcome) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

}  // namespace

TEST_CASE("histories end as model and real code agreed") {
  const std::string path = GPOL_ROOT "/tests/planted/agreed.txt";
  std::string now;
  for (std::uint64_t seed = 1; seed <= kHistories; ++seed) {
    differential::History history = differential::random_history(seed);
    differential::play(history);
    now += fmt::format("{} {:016x}\n", seed, digest(history));
  }
  std::ifstream in(path);
  std::stringstream agreed;
  agreed << in.rdbuf();
  if (std::getenv("GPOL_UPDATE_GOLDEN") != nullptr && std::getenv("GPOL_BUG") == nullptr) std::ofstream(path) << now;
  CHECK((now == agreed.str()));
}
