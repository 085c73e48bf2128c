#include "compiler/cluster/node_facts.h"

#include <algorithm>
#include <charconv>

#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

bool selects(const std::map<std::string, std::string>& wanted, const std::map<std::string, std::string>& labels) {
  return std::ranges::all_of(wanted, [&](const auto& label) { return has_value(labels, label.first, label.second); });
}

// Either may be given to pods that ask for the same.
bool of_one_group(const Queue& queue, std::uint32_t one, std::uint32_t other) {
  return std::ranges::any_of(queue.groups, [&](const ResourceGroup& group) {
    const auto lists = [&](std::uint32_t f) { return contains(group.flavors, f, &FlavorQuotas::flavor); };
    return lists(one) && lists(other);
  });
}

// Every other flavor that may stand where `f` does, with a queue of each; a pair is told once.
class Pairs {
 public:
  Pairs(const Cluster& cluster, const Intent& intent) : cluster_(cluster), intent_(intent) {}

  void add(std::uint32_t f, std::uint32_t g, Span node) {
    if (f == g || told_.contains({f, g})) return;
    for (std::uint32_t serving = 0; serving < cluster_.queues.size(); ++serving) {
      if (!serves(serving) || !lists(cluster_.queues[serving], f)) continue;
      for (std::uint32_t other = 0; other < cluster_.queues.size(); ++other)
        if (other != serving ? lists(cluster_.queues[other], g) : of_one_group(cluster_.queues[other], f, g)) {
          if (told_.insert({f, g}).second) found.push_back({f, g, serving, other, node});
          SharedNode& one = found.back();
          if (!one.counts_twice && counts_both(cluster_.queues[serving], f, cluster_.queues[other], g))
            one = {f, g, serving, other, node, true};
        }
    }
  }
  std::vector<SharedNode> found;

 private:
  bool serves(std::size_t q) const { return promised(intent_.roles[q]); }
  // Some resource is counted in `f` of the one and in `g` of the other.
  static bool counts_both(const Queue& one, std::uint32_t f, const Queue& other, std::uint32_t g) {
    const auto of = [](const Queue& queue, std::uint32_t flavor) {
      std::set<std::uint32_t> resources;
      for (const ResourceGroup& group : queue.groups)
        if (contains(group.flavors, flavor, &FlavorQuotas::flavor))
          resources.insert(group.covered.begin(), group.covered.end());
      return resources;
    };
    const auto theirs = of(other, g);
    return std::ranges::any_of(of(one, f), [&](std::uint32_t r) { return theirs.contains(r); });
  }
  const Cluster& cluster_;
  const Intent& intent_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> told_;
};

}  // namespace

std::string label_of(const NodeFacts& node, const std::string& key) { return value_or(node.labels, key, ""); }

std::int64_t number_of(const std::map<std::string, std::string>& labels, const std::string& key) {
  std::int64_t value = 0;
  if (const auto found = labels.find(key); found != labels.end())
    std::from_chars(found->second.data(), found->second.data() + found->second.size(), value);
  return value;
}

bool stands_for(const Flavor& flavor, const NodeFacts& node) {
  return !node.cordoned && !node.shut.contains(flavor.name) && selects(flavor.node_labels, node.labels);
}

void take_outside(std::span<const OutsideFacts> outside, Cluster& cluster, Intent& intent) {
  for (const OutsideFacts& facts : outside) {
    OutsideReserve tenant;
    tenant.tenant = facts.name;
    tenant.isolation = facts.isolation == "C" ? Isolation::C : facts.isolation == "B" ? Isolation::B : Isolation::A;
    tenant.namespaces = {facts.ns};
    std::uint32_t flavor = 0;
    while (flavor < cluster.flavors.size() && cluster.flavors[flavor].node_labels != facts.node_selector) ++flavor;
    if (flavor == cluster.flavors.size()) {
      cluster.flavors.push_back({});
      cluster.flavors.back().name = "nodes of " + facts.name;
      cluster.flavors.back().node_labels = facts.node_selector;
    }
    tenant.flavor = flavor;
    for (const auto& [resource, amount] : facts.each)
      if (!contains(cluster.resources, resource)) cluster.resources.push_back(resource);
    tenant.name_span = tenant.reserve_span = facts.span;
    intent.outside.push_back(std::move(tenant));
  }
  for (std::size_t i = 0; i < outside.size(); ++i) {
    auto& reserve = intent.outside[intent.outside.size() - outside.size() + i].reserve;
    reserve.assign(cluster.resources.size(), 0);
    for (std::size_t r = 0; r < reserve.size(); ++r) {
      const auto each = outside[i].each.find(cluster.resources[r]);
      if (each != outside[i].each.end() && __builtin_mul_overflow(each->second, outside[i].replicas, &reserve[r]))
        reserve[r] = INT64_MAX;
    }
  }
}

void count_places(std::span<const NodeFacts> nodes, Cluster& cluster, Intent& intent) {
  if (contains(cluster.resources, "pods") ||
      std::ranges::none_of(nodes, [](const NodeFacts& node) { return node.allocatable.contains("pods"); }))
    return;
  cluster.resources.push_back("pods");
  for (OutsideReserve& tenant : intent.outside) tenant.reserve.push_back(0);
}

bool take_nodes(std::span<const NodeFacts> nodes, const std::set<std::string>& unknown, Cluster& cluster,
                Intent& intent) {
  std::set<std::string> keys;
  for (const Flavor& flavor : cluster.flavors)
    for (const auto& [key, value] : flavor.node_labels) keys.insert(key);
  std::map<std::pair<std::map<std::string, std::string>, std::vector<Taint>>, std::uint32_t> pools;
  std::vector<std::uint32_t> pool_of;
  for (const NodeFacts& node : nodes) {
    std::map<std::string, std::string> seen;
    for (const auto& [key, value] : node.labels)
      if (keys.contains(key)) seen.emplace(key, value);
    if (node.cordoned) {  // it takes no new pod
      pool_of.push_back(kNone);
      continue;
    }
    auto taints = node.taints;
    std::ranges::sort(taints);
    const auto [at, fresh] = pools.try_emplace({seen, taints}, static_cast<std::uint32_t>(cluster.node_pools.size()));
    if (fresh) cluster.node_pools.push_back({node.name, seen, taints});
    pool_of.push_back(at->second);
  }
  bool alike = true;
  for (std::uint32_t f = 0; f < cluster.flavors.size(); ++f) {
    if (unknown.contains(cluster.flavors[f].name)) {
      alike = false;
      continue;
    }
    PoolCapacity capacity;
    capacity.flavor = f;
    capacity.surely.assign(cluster.resources.size(), 0);
    capacity.at_most = capacity.surely;
    std::set<std::uint32_t> standing;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      if (!selects(cluster.flavors[f].node_labels, nodes[n].labels)) continue;
      if (nodes[n].cordoned || nodes[n].shut.contains(cluster.flavors[f].name)) {
        capacity.cordoned.push_back(nodes[n].name);
        continue;
      }
      standing.insert(pool_of[n]);
      if (!capacity.span.known()) capacity.span = nodes[n].span;
      ++capacity.nodes_max;
      if (!nodes[n].elastic) ++capacity.nodes_min;
      for (const auto& [resource, of] : nodes[n].daemons) capacity.daemons[resource].insert(of.begin(), of.end());
      if (capacity.of_one.empty()) capacity.of_one.assign(cluster.resources.size(), INT64_MAX);
      for (std::size_t r = 0; r < cluster.resources.size(); ++r)
        capacity.of_one[r] = std::min(capacity.of_one[r], value_or(nodes[n].allocatable, cluster.resources[r], 0));
      for (auto* sum : {&capacity.surely, &capacity.at_most})
        for (std::size_t r = 0; r < cluster.resources.size() && (sum == &capacity.at_most || !nodes[n].elastic); ++r)
          if (const auto found = nodes[n].allocatable.find(cluster.resources[r]); found != nodes[n].allocatable.end())
            if (__builtin_add_overflow((*sum)[r], found->second, &(*sum)[r])) (*sum)[r] = INT64_MAX;
    }
    for (const OutsideReserve& tenant : intent.outside) {
      if (tenant.flavor != f) continue;
      capacity.has_serving = capacity.has_serving || promised(tenant);
      for (auto* sum : {&capacity.surely, &capacity.at_most})
        for (std::size_t r = 0; r < sum->size(); ++r)
          if (__builtin_sub_overflow((*sum)[r], tenant.reserve[r], &(*sum)[r])) (*sum)[r] = INT64_MIN;
    }
    if (standing.size() == 1) capacity.nodes = *standing.begin();
    for (std::size_t q = 0; q < cluster.queues.size(); ++q)
      capacity.has_serving = capacity.has_serving || (promised(intent.roles[q]) && lists(cluster.queues[q], f));
    const bool used = capacity.has_serving ||
                      std::ranges::any_of(cluster.queues, [&](const Queue& queue) { return lists(queue, f); });
    if (standing.size() > 1 || (standing.empty() && capacity.has_serving)) alike = alike && !used;
    intent.capacities.push_back(std::move(capacity));
  }
  return alike;
}

std::vector<SharedNode> shared_labels(Sharing how, const std::set<std::string>& described, const Cluster& cluster,
                                      const Intent& intent) {
  const auto of = [](const Flavor& one, const Flavor& other) -> std::optional<Sharing> {
    if (selects(one.node_labels, other.node_labels) || selects(other.node_labels, one.node_labels))
      return Sharing::Surely;
    for (const auto& [key, value] : one.node_labels)
      if (const auto found = other.node_labels.find(key); found != other.node_labels.end() && found->second != value)
        return std::nullopt;
    return Sharing::Perhaps;
  };
  Pairs pairs(cluster, intent);
  for (std::uint32_t f = 0; f < cluster.flavors.size(); ++f)
    for (std::uint32_t g = 0; g < cluster.flavors.size(); ++g)
      if (described.contains(cluster.flavors[f].name) && described.contains(cluster.flavors[g].name) &&
          of(cluster.flavors[f], cluster.flavors[g]) == how)
        pairs.add(f, g, {});
  return std::move(pairs.found);
}

constexpr std::size_t kMostTold = 3;

std::string cordoned_in_words(const PoolCapacity& capacity) {
  const auto& all = capacity.cordoned;
  const std::string names = listed_up_to(kMostTold, all, [](const auto& name) { return "`" + name + "`"; });
  return names.empty() ? names
                       : names + (all.size() == 1 ? " is" : " are") + " cordoned, not Ready, tainted or not cut yet";
}

std::string daemons_in_words(const std::set<std::string>& daemons) {
  return listed_up_to(kMostTold, daemons) + (daemons.size() == 1 ? " requests" : " request");
}

std::vector<SharedNode> shared_nodes(std::span<const NodeFacts> nodes, const std::set<std::string>& unknown,
                                     const Cluster& cluster, const Intent& intent) {
  Pairs pairs(cluster, intent);
  const auto takes = [&](const Flavor& flavor, const NodeFacts& node) {
    return selects(flavor.node_labels, node.labels) && !unknown.contains(flavor.name);
  };
  for (const NodeFacts& node : nodes) {
    if (node.cordoned) continue;
    for (std::uint32_t f = 0; f < cluster.flavors.size(); ++f) {
      if (!takes(cluster.flavors[f], node)) continue;
      for (std::uint32_t g = 0; g < cluster.flavors.size(); ++g)
        if (takes(cluster.flavors[g], node)) pairs.add(f, g, node.span);
    }
  }
  return std::move(pairs.found);
}

}  // namespace gpol
