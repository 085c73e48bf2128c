// Random clusters for property tests: queues with roles under nested cohorts, limits on queues and cohorts, small
// numbers so that states can be listed one by one. In: a seed and sizes. Out: the same cluster on every machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "checker/kueue/walk.h"
#include "compiler/cluster/cluster.h"

namespace gpol::testing {

// SplitMix64: a few lines, and the same numbers everywhere (the distributions of <random> are not).
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }
  std::int64_t upto(std::int64_t most) {
    return static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(most + 1));
  }
  bool one_in(std::int64_t n) { return upto(n - 1) == 0; }

 private:
  std::uint64_t state_;
};

struct TreeSizes {
  int queues_min = 6, queues_max = 8;
  int cohorts_min = 3, cohorts_max = 5;  // the first three always form a chain: three levels above the queues
  int flavors = 1, resources = 1;
  std::int64_t nominal_most = 2, limit_most = 3;
  bool unlimited = true;  // now and then a nominal quota without end
  bool stops = false;     // now and then a batch queue on Hold or HoldAndDrain
};

enum class Role : std::uint8_t { None, Serving, Batch };

struct RandomTree {
  Cluster cluster;
  std::vector<Role> roles;  // per queue; also in the queue's label gpol.dev/role
};

namespace detail {

inline Quota random_quota(Dice& dice, const TreeSizes& sizes, bool has_parent, bool is_queue) {
  Quota quota;
  quota.nominal = dice.one_in(2) && !is_queue ? 0 : dice.upto(sizes.nominal_most);
  if (sizes.unlimited && dice.one_in(60)) quota.nominal = kueue::kUnlimited;
  if (!has_parent) return quota;  // both limits are refused without a parent
  if (dice.one_in(3)) quota.borrowing = dice.upto(sizes.limit_most);
  if (dice.one_in(3)) {
    quota.lending = dice.upto(sizes.limit_most);
    if (is_queue && *quota.lending > quota.nominal) quota.lending = quota.nominal;  // refused on queues, not on cohorts
  }
  return quota;
}

inline ResourceGroup random_group(Dice& dice, const TreeSizes& sizes, bool has_parent, bool is_queue) {
  ResourceGroup group;
  for (int r = 0; r < sizes.resources; ++r) group.covered.push_back(static_cast<std::uint32_t>(r));
  for (int f = 0; f < sizes.flavors; ++f) {
    FlavorQuotas row{static_cast<std::uint32_t>(f), {}};
    for (int r = 0; r < sizes.resources; ++r) row.quotas.push_back(random_quota(dice, sizes, has_parent, is_queue));
    group.flavors.push_back(std::move(row));
  }
  return group;
}

}  // namespace detail

inline RandomTree random_tree(std::uint64_t seed, const TreeSizes& sizes = {}) {
  Dice dice(seed);
  RandomTree tree;
  Cluster& c = tree.cluster;
  c.modes.push_back({"base", {}});
  for (int f = 0; f < sizes.flavors; ++f) {
    const std::string name = "flavor" + std::to_string(f);
    c.flavors.push_back({name, {{"pool", name}}, {}, {}, ""});
  }
  for (int r = 0; r < sizes.resources; ++r) c.resources.push_back("resource" + std::to_string(r));

  const auto cohorts = sizes.cohorts_min + dice.upto(sizes.cohorts_max - sizes.cohorts_min);
  for (std::int64_t i = 0; i < cohorts; ++i) {
    CohortNode cohort;
    cohort.name = "c" + std::to_string(i);
    // Cohort 0 is mostly the only root; the second and third make a chain below it.
    if (i > 0) cohort.parent = "c" + std::to_string(i < 3 ? i - 1 : dice.upto(i - 1));
    if (i > 2 && dice.one_in(8)) cohort.parent.clear();
    if (!dice.one_in(4)) cohort.groups = {detail::random_group(dice, sizes, !cohort.parent.empty(), false)};
    c.cohorts.push_back(std::move(cohort));
  }
  const auto queues = sizes.queues_min + dice.upto(sizes.queues_max - sizes.queues_min);
  for (std::int64_t i = 0; i < queues; ++i) {
    Queue queue;
    queue.name = "q" + std::to_string(i);
    // The first two lie at the bottom of the chain; now and then one has no cohort, or one that is only named.
    const auto at = i < 2 ? 2 : dice.upto(cohorts - 1);
    queue.cohort = i > 1 && dice.one_in(20) ? "" : i > 1 && dice.one_in(20) ? "named" : "c" + std::to_string(at);
    queue.groups = {detail::random_group(dice, sizes, !queue.cohort.empty(), true)};
    queue.namespaces.present = true;
    const Role role = i == 0           ? Role::Serving
                      : dice.one_in(3) ? Role::Serving
                      : dice.one_in(6) ? Role::None
                                       : Role::Batch;
    tree.roles.push_back(role);
    if (role != Role::None) queue.labels["gpol.dev/role"] = role == Role::Serving ? "serving" : "batch";
    if (role == Role::Serving) queue.labels["gpol.dev/class"] = dice.one_in(2) ? "A" : "B";
    if (sizes.stops && role == Role::Batch && dice.one_in(8))
      queue.stop = dice.one_in(2) ? StopPolicy::Hold : StopPolicy::HoldAndDrain;
    c.queues.push_back(std::move(queue));
  }
  return tree;
}

}  // namespace gpol::testing
