#include "checker/families/batch_times.h"

#include <numeric>
#include <set>

#include "checker/nodes/placement_model.h"
#include "compiler/cluster/listed.h"

namespace gpol {

namespace {

// Disjoint sets of flavors, node pools and queues.
class Circles {
 public:
  explicit Circles(std::size_t size) : above_(size) { std::iota(above_.begin(), above_.end(), 0U); }
  std::uint32_t of(std::uint32_t one) {
    while (above_[one] != one) one = above_[one] = above_[above_[one]];
    return one;
  }
  void join(std::uint32_t a, std::uint32_t b) { above_[of(a)] = of(b); }

 private:
  std::vector<std::uint32_t> above_;
};

// One whose time is not known takes that of the longest known to anybody; where that is none, the time of all is not.
void keep(const std::optional<TimeConstant>& own, const std::optional<TimeConstant>& all, bool first,
          std::optional<TimeConstant>& longest) {
  const auto& time = own ? own : all;
  if (!time)
    longest.reset();
  else if (first || (longest && time->value > longest->value))
    longest = time;
}

}  // namespace

BatchCircles::BatchCircles(const Cluster& cluster, const Intent& intent) : all_(intent.batch) {
  const auto pools = static_cast<std::uint32_t>(cluster.flavors.size());  // where they begin
  const auto queues = pools + static_cast<std::uint32_t>(cluster.node_pools.size());
  Circles circles(queues + cluster.queues.size());
  for (std::uint32_t f = 0; f < cluster.flavors.size(); ++f)
    for (std::uint32_t p = 0; p < cluster.node_pools.size(); ++p)
      if (nodes::selects(cluster.flavors[f].node_labels, cluster.node_pools[p].labels)) circles.join(f, pools + p);
  // A Job is one podset: of each group of resources it holds one flavor.
  const auto of_one_flavor = [&](std::uint32_t q) {
    return intent.roles[q].kind == QueueRole::Kind::Batch && intent.batch.only_jobs &&
           cluster.queues[q].groups.size() == 1;
  };
  for (std::uint32_t q = 0; q < cluster.queues.size(); ++q)
    for (const FlavorQuotas& row : listed_flavors(cluster.queues[q].groups))
      if (!of_one_flavor(q)) circles.join(queues + q, row.flavor);
  for (std::uint32_t q = 0; q < cluster.queues.size(); ++q) queue_circle_.push_back(circles.of(queues + q));
  for (std::uint32_t f = 0; f < cluster.flavors.size(); ++f) flavor_circle_.push_back(circles.of(f));
  for (std::uint32_t q = 0; q < cluster.queues.size(); ++q) {
    const QueueRole& role = intent.roles[q];
    if (role.kind == QueueRole::Kind::Serving) continue;
    std::set<std::uint32_t> those;
    for (const FlavorQuotas& row : listed_flavors(cluster.queues[q].groups)) those.insert(flavor_circle_[row.flavor]);
    for (const std::uint32_t circle : those) {
      const auto [at, first] = times_.try_emplace(circle, all_);
      keep(role.grace, all_.grace, first, at->second.grace);
      keep(role.kill_margin, all_.kill_margin, first, at->second.kill_margin);
      if (!role.grace) at->second.no_grace = role.class_span;
      if (!role.kill_margin) at->second.no_kill_margin = role.class_span;
    }
  }
}

}  // namespace gpol
