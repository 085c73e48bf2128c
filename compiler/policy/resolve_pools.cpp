// Pools: which nodes of which group. The pools of a group never take more nodes than it surely has; only a pool of a
// whole group, or of the rest of it, shares in what an elastic group has beyond that.
#include <fmt/format.h>

#include "compiler/policy/codes.h"
#include "compiler/policy/resolver.h"

namespace gpol {

namespace {

struct Takers {
  std::vector<std::size_t> fixed, rest, whole;  // pools by the way they take nodes, in order of declaration
  std::size_t size() const { return fixed.size() + rest.size() + whole.size(); }
};

// Labels every pool of `others` but `self`.
void label_others(const Resolver& r, Diagnostic& d, const std::vector<std::size_t>& others, std::size_t self) {
  constexpr std::size_t kShown = 4;
  for (const std::size_t other : others)
    if (other != self && d.labels.size() < kShown)
      d.labels.push_back({r.declared.pools[other]->span, "takes nodes of the same group"});
}

// Every pool must be able to say how many nodes it has; whole-group pools stand alone, and there is one rest.
bool check_ways(Resolver& r, const NodeGroup& group, const Takers& takers) {
  for (const std::size_t pool : takers.whole) {
    if (takers.size() == 1) continue;
    auto& d = error(r, code::PoolOverflow, r.declared.pools[pool]->span,
                    fmt::format("pool `{}` takes all nodes of `{}`, which other pools take too",
                                r.policy.pools[pool].name, group.name),
                    "say how many: `take N nodes` or `take the rest`");
    for (const auto* others : {&takers.fixed, &takers.rest, &takers.whole}) label_others(r, d, *others, pool);
    return false;
  }
  if (takers.rest.size() < 2) return true;
  auto& d = error(r, code::PoolOverflow, r.declared.pools[takers.rest[1]]->span,
                  fmt::format("two pools take the rest of `{}`", group.name),
                  "say how many one of them takes: `take N nodes`");
  label_others(r, d, takers.rest, takers.rest[1]);
  return false;
}

// Gives the pools of one group their nodes, as far as the group has them.
void share_out(Resolver& r, const NodeGroup& group, const Takers& takers) {
  if (!check_ways(r, group, takers)) return;
  std::int64_t taken = 0;
  for (const std::size_t pool : takers.fixed) {
    const std::int64_t wanted = r.policy.pools[pool].nodes_min;
    if (wanted > group.count_min - taken) {
      const bool elastic = group.count_min != group.count_max;
      auto& d =
          error(r, code::PoolOverflow, r.declared.pools[pool]->span,
                fmt::format("pool `{}` takes {} node{} of `{}`, which {} {}{}", r.policy.pools[pool].name, wanted,
                            wanted == 1 ? "" : "s", group.name, elastic ? "surely has" : "has", group.count_min,
                            taken == 0 ? "" : fmt::format(", {} of them taken", taken)),
                elastic ? "only `take the rest`, or a pool of the whole group, may count on nodes that come and go"
                        : "take fewer, or raise the group's count");
      label_others(r, d, takers.fixed, pool);
      return;
    }
    taken += wanted;
  }
  for (const auto* all : {&takers.rest, &takers.whole})
    for (const std::size_t index : *all) {
      Pool& pool = r.policy.pools[index];
      pool.nodes_min = group.count_min - taken;
      pool.nodes_max = group.count_max - taken;
      if (pool.nodes_max > 0) continue;
      auto& d = error(r, code::PoolOverflow, r.declared.pools[index]->span,
                      fmt::format("no node of `{}` is left for pool `{}`", group.name, pool.name),
                      "take fewer nodes elsewhere");
      label_others(r, d, takers.fixed, index);
    }
}

}  // namespace

void resolve_pools(Resolver& r) {
  constexpr std::size_t kMostFlavors = 64;  // of one resource group (v1beta2 ClusterQueue)
  if (r.policy.pools.size() > kMostFlavors)
    error(r, code::OutOfRange, r.declared.pools[kMostFlavors]->span,
          fmt::format("there are {} pools, and a queue of Kueue lists no more than {}", r.policy.pools.size(),
                      kMostFlavors),
          "make larger pools");
  std::vector<Takers> takers(r.policy.groups.size());
  for (std::size_t i = 0; i < r.policy.pools.size(); ++i) {
    const ast::Pool& written = *r.declared.pools[i];
    Pool& pool = r.policy.pools[i];
    pool.group = r.groups.find(written.nodes);
    if (written.partition) resolve_partition(r, *written.partition, static_cast<std::uint32_t>(i));
    std::optional<std::int64_t> taken;
    if (written.take) {
      taken = count(*written.take, "a number of nodes", r.diagnostics);
      if (taken && *taken == 0) {
        error(r, code::OutOfRange, written.take->span, fmt::format("pool `{}` takes 0 nodes", pool.name),
              "take at least 1");
        taken.reset();
      }
      if (taken) pool.nodes_min = pool.nodes_max = *taken;
    }
    if (pool.group == kNone) continue;
    Takers& group = takers[pool.group];
    if (written.take && !taken)
      r.group_facts[pool.group].count_sound = false;  // what the other pools get cannot be told
    else
      (written.take ? group.fixed : written.rest ? group.rest : group.whole).push_back(i);
  }
  for (std::size_t g = 0; g < takers.size(); ++g)
    if (r.group_facts[g].count_sound) share_out(r, r.policy.groups[g], takers[g]);
  for (const Pool& pool : r.policy.pools)
    if (pool.partition.counted && pool.nodes_min != pool.nodes_max)
      error(r, code::BadValue, pool.partition.span,
            fmt::format("pool `{}` has {} to {} nodes, and what it offers is stated as counts", pool.name,
                        pool.nodes_min, pool.nodes_max),
            "take a fixed number of nodes, or say how each GPU is cut: `as mig { 1 x 3g.40gb }`");
}

}  // namespace gpol
