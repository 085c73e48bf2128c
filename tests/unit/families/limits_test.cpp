// ResourceQuotas of serving's namespaces, against Hall's condition: some queues, all of whose namespaces have one, own
// more than these let all pods have.
#include <random>

#include "checker/families/given.h"
#include "tests/support/catch.h"
#include "tests/unit/families/small_cluster.h"

namespace gpol {
namespace {

constexpr int kQueues = 4, kSpaces = 4;

struct Round {
  std::array<std::int64_t, kQueues> owned{};
  std::array<unsigned, kQueues> asked_from{};                // a bit for each namespace
  std::array<std::optional<std::int64_t>, kSpaces> limit{};  // of its namespace
};

bool short_of(const Round& round) {
  for (unsigned some = 1; some < 1U << kQueues; ++some) {
    std::int64_t owned = 0, let = 0;
    unsigned from = 0;
    bool unlimited = false;
    for (int q = 0; q < kQueues; ++q)
      if ((some >> q & 1U) != 0)
        owned += round.owned[q], from |= round.asked_from[q], unlimited |= !round.asked_from[q];
    for (int n = 0; n < kSpaces; ++n)
      if ((from >> n & 1U) != 0) let += round.limit[n].value_or(0), unlimited |= !round.limit[n];
    if (!unlimited && owned > let) return true;
  }
  return false;
}

std::string space(int n) { return "ns" + std::to_string(n); }

TEST_CASE("ResourceQuotas let queues have what they own, whoever asks from where") {
  std::mt19937 random(1);
  const auto upto = [&](int most) { return static_cast<std::int64_t>(random() % (most + 1)); };
  const Origins origins;
  Solver solver;
  int refused = 0;
  for (int i = 0; i < 2000; ++i) {
    Round round;
    test::SmallCluster small({"nvidia.com/gpu"});
    for (int q = 0; q < kQueues; ++q) {
      round.owned[q] = upto(6);
      round.asked_from[q] = static_cast<unsigned>(upto((1 << kSpaces) - 1));
      const std::string name = "q" + std::to_string(q);
      small.serving(name, Isolation::A, {round.owned[q], 0, 0});
      for (int n = 0; n < kSpaces; ++n)
        if ((round.asked_from[q] >> n & 1U) != 0) small.cluster.local_queues.push_back({space(n), name, name, {}});
    }
    std::vector<PodLimits> limits;
    for (int n = 0; n < kSpaces; ++n) {
      if (upto(5) == 0) continue;
      round.limit[n] = upto(8);
      PodLimits one;
      one.kind = "ResourceQuota", one.ns = space(n), one.name = space(n) + "/r";
      one.hard.emplace("nvidia.com/gpu", std::pair(*round.limit[n], PodFacts::Ask{}));
      limits.push_back(std::move(one));
    }
    const LimitsFound found = look_at_limits({small.cluster, small.intent, origins, solver}, {}, {}, {}, limits);
    refused += found.serving.empty() ? 0 : 1;
    REQUIRE(found.serving.empty() != short_of(round));
  }
  CHECK(refused > 200);
  CHECK(refused < 1800);
}

}  // namespace
}  // namespace gpol
