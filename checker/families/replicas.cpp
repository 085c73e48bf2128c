#include "checker/families/replicas.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "checker/families/pairs.h"
#include "checker/kueue/forest.h"
#include "compiler/cluster/roles.h"
#include "compiler/policy/mig_layout.h"
#include "compiler/policy/units.h"
#include "compiler/source/lookup.h"

namespace gpol {

namespace {

// One GPU, or slice, with its share of what is reserved; without any, one unit of everything.
nodes::Amounts smallest(const Cluster& cluster, const nodes::Amounts& reserve) {
  std::int64_t gpus = 0;
  for (std::size_t r = 0; r < reserve.size(); ++r)
    if (is_gpu_or_slice(cluster.resources[r])) gpus = std::max(gpus, reserve[r]);
  nodes::Amounts each(reserve.size(), 0);
  for (std::size_t r = 0; r < reserve.size(); ++r) {
    if (reserve[r] == 0) continue;
    if (cluster.resources[r] == "pods")
      each[r] = 1;
    else
      each[r] = gpus > 0 ? reserve[r] / gpus : std::min(reserve[r], one_unit(cluster.resources[r]));
  }
  return each;
}

// Per resource, whether the queue has a quota of it there.
std::vector<bool> listed_of(const Cluster& cluster, std::uint32_t queue, std::uint32_t flavor) {
  std::vector<bool> listed(cluster.resources.size(), false);
  for (const Pair& pair : pairs_of(cluster.queues[queue]))
    if (pair.flavor == flavor) listed[pair.resource] = true;
  return listed;
}

// Its pod is one, and no more of them than it says already are within the reserve.
void count_within(const Cluster& cluster, const std::vector<bool>& listed, const nodes::Amounts& reserve,
                  Replicas& of) {
  for (std::uint32_t r = 0; r < cluster.resources.size(); ++r) {
    const bool pods = cluster.resources[r] == "pods";
    if (pods) of.each[r] = 1;
    of.counted.push_back(!listed[r] ? 0 : pods ? 1 : of.each[r]);
    if (of.counted[r] > 0) of.count = std::min(of.count, reserve[r] / of.counted[r]);
  }
}

void append_outside(const Cluster& cluster, const Intent& intent, std::uint32_t flavor, std::vector<Replicas>& all) {
  for (std::uint32_t i = 0; i < intent.outside.size(); ++i) {
    const OutsideReserve& tenant = intent.outside[i];
    if (tenant.flavor != flavor || tenant.isolation == Isolation::C) continue;
    Replicas of;
    of.outside = i;
    of.declared = !tenant.replica.empty();
    of.each = of.declared ? tenant.replica : smallest(cluster, tenant.reserve);
    of.counted.assign(of.each.size(), 0);
    of.count = INT64_MAX;
    for (std::uint32_t r = 0; r < of.each.size(); ++r) {
      if (cluster.resources[r] == "pods") of.each[r] = 1;
      if (of.each[r] > 0) of.count = std::min(of.count, tenant.reserve[r] / of.each[r]);
    }
    if (of.count > 0 && of.count < INT64_MAX) all.push_back(std::move(of));
  }
}

}  // namespace

nodes::Amounts reserve_of_flavor(const Cluster& cluster, const QueueRole& role, std::uint32_t queue,
                                 std::uint32_t flavor) {
  const auto pairs = pairs_of(cluster.queues[queue]);
  nodes::Amounts reserve(cluster.resources.size(), 0);
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (pairs[i].flavor == flavor) reserve[pairs[i].resource] = reserve_at(role, i);
  return reserve;
}

std::vector<Replicas> replicas_of(const Cluster& cluster, const Intent& intent, std::uint32_t flavor) {
  std::vector<Replicas> all;
  for (std::uint32_t q = 0; q < cluster.queues.size(); ++q) {
    const QueueRole& role = intent.roles[q];
    if (!promised(role)) continue;
    const nodes::Amounts reserve = reserve_of_flavor(cluster, role, q, flavor);
    if (std::ranges::none_of(reserve, [](std::int64_t amount) { return amount > 0; })) continue;
    Replicas of;
    of.queue = q;
    of.declared = std::ranges::any_of(role.replica, [](std::int64_t asked) { return asked > 0; });
    if (!of.declared && role.demands.size() > 1) {
      for (const auto& [pods, left_out] : role.demands) {
        of.each.assign(reserve.size(), 0);
        for (std::uint32_t r = 0; r < reserve.size(); ++r)
          if (reserve[r] > 0 && !std::ranges::binary_search(left_out, r)) of.each[r] = one_unit(cluster.resources[r]);
        of.count = pods;
        count_within(cluster, listed_of(cluster, q, flavor), reserve, of);
        if (of.count > 0 && of.count < INT64_MAX) all.push_back(of);
      }
      continue;
    }
    of.each = smallest(cluster, reserve);
    for (std::uint32_t r = 0; role.unit_demand && r < reserve.size(); ++r)
      of.each[r] = reserve[r] > 0 ? one_unit(cluster.resources[r]) : 0;
    for (std::uint32_t r = 0; of.declared && r < cluster.resources.size(); ++r) of.each[r] = per_replica(role, r);
    of.count = role.unit_demand && !of.declared ? *role.unit_demand : INT64_MAX;
    count_within(cluster, listed_of(cluster, q, flavor), reserve, of);
    if (of.count > 0 && of.count < INT64_MAX) all.push_back(std::move(of));
  }
  append_outside(cluster, intent, flavor, all);
  return all;
}

std::vector<Replicas> other_replicas(const Cluster& cluster, const Intent& intent, const Replicas& of,
                                     std::uint32_t flavor) {
  std::vector<Replicas> all;
  if (of.queue == kNone) return all;
  const QueueRole& role = intent.roles[of.queue];
  for (const nodes::Amounts& shape : role.other_shapes) {
    Replicas other;
    other.queue = of.queue;
    other.declared = true;
    other.count = INT64_MAX;
    other.each = shape;
    count_within(cluster, listed_of(cluster, of.queue, flavor), reserve_of_flavor(cluster, role, of.queue, flavor),
                 other);
    if (other.count > 0 && other.count < INT64_MAX && other.each != of.each) all.push_back(std::move(other));
  }
  return all;
}

// Who uses these nodes can have some slice there: else its pods stand there without any. And it has no quota of what
// nobody shares out among slices, such as network devices.
bool all_have_slices(const Cluster& cluster, const CutPool& cut) {
  constexpr std::string_view kSharedOut[] = {"cpu", "memory", "pods"};
  for (const Queue& queue : cluster.queues)
    for (const ResourceGroup& group : queue.groups)
      for (const FlavorQuotas& row : group.flavors) {
        if (row.flavor != cut.flavor) continue;
        bool slice = false;
        for (std::size_t i = 0; i < row.quotas.size(); ++i) {
          const Quota& quota = row.quotas[i];
          const std::string& resource = cluster.resources[group.covered[i]];
          const Mode::Key key{queue.name, cluster.flavors[row.flavor].name, resource};
          const bool some = can_have(queue, quota) || std::ranges::any_of(cluster.modes, [&](const Mode& m) {
                              const auto other = m.changed.find(key);
                              return other != m.changed.end() && can_have(queue, other->second);
                            });
          slice = slice || (some && cut.shares.contains(group.covered[i]));
          if (some && !is_gpu_or_slice(resource) && !contains(kSharedOut, resource)) return false;
        }
        if (!slice) return false;
      }
  return true;
}

// All sizes in which pods of those who serve there come.
std::vector<Replicas> all_sizes(const Cluster& cluster, const Intent& intent, std::uint32_t flavor) {
  std::vector<Replicas> all = replicas_of(cluster, intent, flavor);
  for (std::size_t i = 0, first = all.size(); i < first; ++i) {
    std::vector<Replicas> others = other_replicas(cluster, intent, all[i], flavor);
    all.insert(all.end(), std::make_move_iterator(others.begin()), std::make_move_iterator(others.end()));
  }
  return all;
}

// Pods have slices, and beside each at most what goes with it or what its replica asks for: together no more than any
// node has, whoever holds them and however long they take to end.
bool slices_bring_all(const Cluster& cluster, const Intent& intent, std::uint32_t flavor) {
  const CutPool* cut = intent.cut_of(flavor);
  if (cut == nullptr || cut->shares.empty() || cut->least.empty() || !all_have_slices(cluster, *cut)) return false;
  const std::vector<Replicas> replicas = all_sizes(cluster, intent, flavor);
  const auto without = [&](const Replicas& of) {
    return std::ranges::none_of(cut->shares, [&](const auto& share) { return of.each[share.first] > 0; });
  };
  if (std::ranges::any_of(replicas, without)) return false;
  // So many slices of a profile, in the hands of whoever asks for most beside each.
  const auto beside = [&](std::int64_t slices, std::uint32_t slice, std::uint32_t r) {
    std::int64_t most = times(slices, cut->shares.at(slice)[r]);
    for (const Replicas& of : replicas)
      if (of.each[slice] > 0) most = std::max(most, share_of_slices(of.each[r], slices, of.each[slice]));
    return most;
  };
  for (const nodes::Amounts& slices : cut->nodes)
    for (std::uint32_t r = 0; r < cluster.resources.size(); ++r) {
      if (is_gpu_or_slice(cluster.resources[r])) continue;
      std::int64_t most = 0;
      for (const auto& [slice, share] : cut->shares) most = sum_of({most, beside(slices[slice], slice, r)});
      if (most > cut->least[r]) return false;
    }
  return true;
}

std::vector<bool> slices_bring_all(const Cluster& cluster, const Intent& intent) {
  std::vector<bool> all;
  for (std::uint32_t f = 0; f < cluster.flavors.size(); ++f) all.push_back(slices_bring_all(cluster, intent, f));
  return all;
}

std::set<std::uint32_t> shared_by(const Cluster& cluster, const Intent& intent, std::uint32_t flavor,
                                  const nodes::Amounts& reserve, const std::vector<bool>& brings_all) {
  const CutPool* cut = intent.cut_of(flavor);
  if (cut == nullptr || !brings_all[flavor]) return {static_cast<std::uint32_t>(cluster.resources.size())};
  std::set<std::uint32_t> slices;
  for (const auto& [resource, share] : cut->shares)
    if (reserve[resource] > 0) slices.insert(resource);
  return slices;
}

std::vector<bool> beside_other_serving(const Cluster& cluster, const Intent& intent) {
  struct Where {
    bool nodes;  // of a pool; else a tree, by its root
    std::uint32_t index;
    std::uint32_t of = 0;  // shared_by
    auto operator<=>(const Where&) const = default;
  };
  const std::vector<bool> brings = slices_bring_all(cluster, intent);
  const kueue::Shape shape = kueue::shape_of(cluster);
  std::vector<std::set<Where>> of_flavor(cluster.flavors.size());
  for (std::uint32_t f = 0; f < of_flavor.size(); ++f) {
    for (std::uint32_t p = 0; p < cluster.node_pools.size(); ++p)
      if (nodes::selects(cluster.flavors[f].node_labels, cluster.node_pools[p].labels)) of_flavor[f].insert({true, p});
    if (cluster.node_pools.empty()) of_flavor[f].insert({true, f});  // nobody described nodes
  }
  std::vector<std::set<Where>> of_queue(cluster.queues.size());
  std::map<Where, std::set<std::string_view>> tenants;
  for (std::uint32_t q = 0; q < cluster.queues.size(); ++q) {
    const QueueRole& role = intent.roles[q];
    if (!promised(role)) continue;
    for (const auto& group : cluster.queues[q].groups)
      for (const auto& row : group.flavors)
        for (Where where : of_flavor[row.flavor])
          for (const std::uint32_t of :
               shared_by(cluster, intent, row.flavor, reserve_of_flavor(cluster, role, q, row.flavor), brings)) {
            where.of = of;
            of_queue[q].insert(where);
          }
    kueue::Node root = q;
    while (shape.parent[root] != kueue::kRoot) root = shape.parent[root];
    if (!intent.batch.only_jobs) of_queue[q].insert({false, root});
    for (const Where& place : of_queue[q])
      tenants[place].insert(role.tenant.empty() ? cluster.queues[q].name : role.tenant);
  }
  for (const OutsideReserve& outside : intent.outside)
    for (Where place : of_flavor[outside.flavor])
      for (const std::uint32_t of : shared_by(cluster, intent, outside.flavor, outside.reserve, brings)) {
        place.of = of;
        if (outside.isolation != Isolation::C) tenants[place].insert(outside.tenant);
      }
  std::vector<bool> beside;
  for (const auto& places : of_queue)
    beside.push_back(std::ranges::any_of(places, [&](const Where& w) { return tenants[w].size() > 1; }));
  return beside;
}

std::vector<ServingEnds> serving_ends(const Cluster& cluster, const Intent& intent) {
  struct Server {
    std::string_view name;
    const std::optional<TimeConstant>*grace, *kill_margin;
    Span at;
  };
  const std::vector<bool> brings = slices_bring_all(cluster, intent);
  using Spot = std::pair<std::uint32_t, std::uint32_t>;  // a pool of nodes, and what of it (shared_by)
  std::map<Spot, std::vector<Server>> on;
  std::vector<std::set<Spot>> of_queue(cluster.queues.size());
  const auto stands = [&](std::uint32_t flavor, const nodes::Amounts& reserve, const Server& tenant,
                          std::set<Spot>* places) {
    if (intent.capacity_of(flavor) == nullptr) return;
    for (std::uint32_t p = 0; p < cluster.node_pools.size(); ++p) {
      if (!nodes::selects(cluster.flavors[flavor].node_labels, cluster.node_pools[p].labels)) continue;
      for (const std::uint32_t of : shared_by(cluster, intent, flavor, reserve, brings)) {
        on[{p, of}].push_back(tenant);
        if (places != nullptr) places->insert({p, of});
      }
    }
  };
  const auto name_of = [&](std::uint32_t q) -> std::string_view {
    return intent.roles[q].tenant.empty() ? cluster.queues[q].name : intent.roles[q].tenant;
  };
  for (std::uint32_t q = 0; q < cluster.queues.size(); ++q) {
    const QueueRole& role = intent.roles[q];
    if (!promised(role)) continue;
    for (const auto& group : cluster.queues[q].groups)
      for (const auto& row : group.flavors)
        stands(row.flavor, reserve_of_flavor(cluster, role, q, row.flavor),
               {name_of(q), &role.grace, &role.kill_margin, role.class_span}, &of_queue[q]);
  }
  for (const OutsideReserve& outside : intent.outside)
    if (outside.isolation != Isolation::C)
      stands(outside.flavor, outside.reserve,
             {outside.tenant, &outside.grace, &outside.kill_margin, outside.class_span}, nullptr);
  std::vector<ServingEnds> all(cluster.queues.size());
  for (std::uint32_t q = 0; q < all.size(); ++q)
    for (const Spot& place : of_queue[q])
      for (const Server& other : on[place]) {
        if (other.name == name_of(q)) continue;
        ServingEnds& ends = all[q];
        if (ends.beside.empty()) ends = {std::string(other.name), 0, "", {}};
        if (!*other.grace || !*other.kill_margin) {
          if (ends.last) ends.unknown = other.name, ends.at = other.at;
          ends.last.reset();
        } else if (ends.last) {
          ends.last = std::max(*ends.last, sum_of({(*other.grace)->value, (*other.kill_margin)->value}));
        }
      }
  return all;
}

}  // namespace gpol
