// What ships so that the pools' GPUs are cut as the policy says, and what must hold of it.
#include <algorithm>

#include "compiler/cluster/plan_parts.h"
#include "compiler/plan/partition/node_kinds.h"
#include "compiler/policy/mig_layout.h"
#include "compiler/source/lookup.h"

namespace gpol {

namespace {

constexpr const char* kOperatorNamespace = "gpu-operator";    // of NVIDIA's own instructions
constexpr const char* kConfigMap = "gpol-mig-parted-config";  // beside the operator's default-mig-parted-config
constexpr const char* kPluginConfigMap = "gpol-device-plugin-config";
constexpr const char* kClusterPolicy = "cluster-policy";  // of the operator's Helm chart
constexpr const char* kAllDisabled = "all-disabled";  // as the operator ships it: for nodes that are to be cut no more

MigConfig config_of(const NodeKind& kind) {
  MigConfig config;
  config.name = kind.config;
  if (kind.nodes_min == kind.nodes_max) config.nodes = kind.nodes_min;
  const auto slices_of = [](const std::vector<Slices>& layout) {
    std::map<std::string, std::int64_t> slices;
    for (const Slices& of : layout) slices[of.profile] += of.count;
    return slices;
  };
  // One entry for devices that are cut alike, in the order of the first of them.
  for (std::size_t device = 0; device < kind.devices.size(); ++device) {
    const auto slices = slices_of(kind.devices[device]);
    auto entry = std::ranges::find(config.entries, slices, &MigConfig::Entry::slices);
    if (entry == config.entries.end()) entry = config.entries.insert(entry, {{}, {}, !slices.empty(), slices});
    entry->devices.push_back(static_cast<std::int64_t>(device));
  }
  if (config.entries.size() == 1) config.entries.front().devices.clear();  // all
  return config;
}

// What goes with one slice, as the amounts of tenants are (compiler/policy/amounts.cpp).
std::map<std::uint32_t, std::vector<std::int64_t>> shares_of(const Policy& policy, const Pool& pool,
                                                             const PoolCapacity& capacity) {
  const std::int64_t all = compute_of_node(pool.partition, policy.groups[pool.group].each[Resource::Gpu]);
  std::map<std::uint32_t, std::vector<std::int64_t>> shares;
  for (std::uint32_t r = kCommonResources; r < policy.resources.size(); ++r) {
    const MigProfile* profile = profile_of(*pool.partition.device, policy.resources[r].profile);
    if (capacity.of_one[r] == 0 || profile == nullptr) continue;
    std::vector<std::int64_t>& share = shares[r];
    share.assign(policy.resources.size(), 0);
    share[r] = 1;
    for (const Resource beside : {Resource::Cpu, Resource::Memory}) {
      const auto i = static_cast<std::size_t>(beside);
      share[i] = share_of_slices(capacity.of_one[i], profile->compute, all);
    }
    share[static_cast<std::size_t>(Resource::Pods)] = 1;
  }
  return shares;
}

// A quota of nothing, beside which nothing is borrowed but what an `allow` permits, lets nobody onto the devices.
bool has_shares(const Tenant& tenant, const PoolAmount& amount) {
  return tenant.queue.borrow || std::ranges::any_of(amount.amount, [](const auto& entry) { return entry.second > 0; });
}

SharedPool shared_pool(const Policy& policy, std::uint32_t index) {
  const Pool& pool = policy.pools[index];
  SharedPool shared{index,
                    pool.partition.mode == Partition::Mode::Mps,
                    pool.partition.share,
                    policy.groups[pool.group].each[Resource::Gpu],
                    {},
                    pool.partition.span,
                    !pool.partition.unmanaged};
  const auto add = [&](std::uint32_t t, Span span) {
    const Tenant& tenant = policy.tenants[t];
    const LatencyClass& c = policy.classes[tenant.latency_class];
    if (!contains(shared.clients, tenant.name, &SharedPool::Client::tenant))
      shared.clients.push_back({tenant.name, tenant.owner, c.name, c.isolation, span});
  };
  for (std::uint32_t t = 0; t < policy.tenants.size(); ++t)
    for (const auto* amounts : {&policy.tenants[t].reserves, &policy.tenants[t].quotas})
      for (const PoolAmount& amount : *amounts)
        if (amount.pool == index && has_shares(policy.tenants[t], amount)) add(t, amount.span);
  for (const Allow& allow : policy.allows)
    if (allow.pool == index) add(allow.borrower, allow.span);
  return shared;
}

// How the device plugin is to share the devices of a pool; every pod asks for one share, of a resource of another name.
PluginConfig sharing_of(const std::string& name, const SharedPool& pool) {
  return {name, "none", pool.mps ? PluginConfig::Sharing::Mps : PluginConfig::Sharing::TimeSlicing,
          true, true,   {{"nvidia.com/gpu", pool.shares}}};
}

PoolCapacity& capacity_of(Intent& intent, std::uint32_t flavor) {
  return *std::ranges::find(intent.capacities, flavor, &PoolCapacity::flavor);
}

// Slices of a node of the kind; where no layout gives what was asked for, that: it is said once, of the layouts.
std::vector<std::int64_t> slices_of_node(const Policy& policy, const CutPool& cut, const NodeKind& kind) {
  std::vector<std::int64_t> has(policy.resources.size(), 0);
  for (std::uint32_t r = kCommonResources; r < policy.resources.size(); ++r) {
    const std::string& profile = policy.resources[r].profile;
    has[r] = slices_on(kind, profile);
    if (cut.none.empty()) continue;
    for (const Slices& asked : policy.pools[cut.flavor].partition.layout)
      if (asked.profile == profile) has[r] = asked.count;
  }
  return has;
}

// What the kinds of nodes give, less those that may be lost; of one node as many as any has. What is reserved outside
// the queue has been taken off already.
void count_slices(const Policy& policy, const CutPool& cut, PoolCapacity& capacity) {
  for (std::uint32_t r = kCommonResources; r < policy.resources.size(); ++r) {
    std::vector<std::pair<std::int64_t, std::int64_t>> kinds;  // slices of a node, nodes
    for (const NodeKind& kind : cut.kinds) kinds.emplace_back(slices_of_node(policy, cut, kind)[r], kind.nodes_min);
    if (!cut.none.empty()) {
      capacity.surely[r] = capacity.at_most[r] = capacity.of_one[r] = kinds.front().first;
      continue;
    }
    std::sort(kinds.rbegin(), kinds.rend());
    std::int64_t lost = capacity.lost;
    for (const auto& [slices, nodes] : kinds) {
      const std::int64_t gone = std::min(lost, nodes);
      lost -= gone;
      capacity.surely[r] += (nodes - gone) * slices;
      capacity.at_most[r] += nodes * slices;
      capacity.of_one[r] = std::max(capacity.of_one[r], slices);
    }
  }
}

// How the nodes of a pool were cut, one each: by the configurations of its name, and how many nodes took them.
struct EarlierNodes {
  std::vector<NodeLayout> layouts;
  std::vector<std::string> configs;  // the names of the configurations, likewise
};
EarlierNodes nodes_of(const Cluster& earlier, const std::string& pool, const Pool& now, std::int64_t devices) {
  EarlierNodes nodes;
  for (const MigConfigMap& map : earlier.mig_config_maps)
    for (const MigConfig& config : map.configs) {
      if (!config.name.starts_with(pool + ".")) continue;
      NodeLayout node;
      for (const std::vector<Slices>& slices : devices_of(config, devices)) {
        DeviceLayout& layout = node.emplace_back();
        for (const Slices& some : slices)  // where they begin was not said
          layout.insert(layout.end(), static_cast<std::size_t>(std::min(some.count, kMostMemorySlices)),
                        {some.profile, 0});
      }
      for (std::int64_t n = 0; n < config.nodes && static_cast<std::int64_t>(nodes.layouts.size()) < now.nodes_max;
           ++n) {
        nodes.layouts.push_back(node);
        nodes.configs.push_back(config.name);
      }
    }
  return nodes;
}

bool holds(const MigConfigMap& map, const std::string& name) { return contains(map.configs, name, &MigConfig::name); }

// Configurations that nodes took, and none is to take any more: they stay, for nodes that still carry the label when
// MIG Manager starts. Who counts that they were given another builds without an earlier output.
void keep_until_relabelled(const Cluster& earlier, MigConfigMap& configs) {
  for (const MigConfigMap& map : earlier.mig_config_maps)
    for (MigConfig config : map.configs) {
      if (!names_a_kind(config.name) || holds(configs, config.name)) continue;
      config.nodes = 0;
      configs.configs.push_back(std::move(config));
    }
}

// The ConfigMap in which MIG Manager finds its configurations: that of somebody else with ours added, else ours. The
// operator puts its own back as it ships it.
MigConfigMap config_map_with(const MigConfigMap* given) {
  constexpr const char* kOfTheOperator = "default-mig-parted-config";
  MigConfigMap map{kOperatorNamespace, kConfigMap, {}};
  if (given != nullptr) {
    map.configs = given->configs;
    map.merged = true;
    if (!given->ns.empty()) map.ns = given->ns;
    if (!given->name.empty() && given->name != kOfTheOperator) map.name = given->name;
  }
  if (!holds(map, kAllDisabled)) map.configs.push_back({kAllDisabled, {{{}, {}, false, {}}}});
  return map;
}

// The configuration of a kind of node, and who takes it.
void give(const NodeKind& kind, const EarlierNodes& earlier, const NodeMark& label, MigConfigMap& configs,
          Cluster& cluster) {
  configs.configs.push_back(config_of(kind));
  cluster.cut_nodes.push_back({kind.config, {{label.key, label.value}}});
  for (const std::int64_t node : kind.of_before)
    ++cluster.cut_nodes.back().before[earlier.configs[static_cast<std::size_t>(node)]];
}

void plan_cuts(const Policy& policy, const PlanInputs& inputs, Planned& out) {
  MigConfigMap configs = config_map_with(inputs.mig_configs);
  bool managed = false;
  for (std::uint32_t p = 0; p < policy.pools.size(); ++p) {
    const Pool& pool = policy.pools[p];
    const std::int64_t devices = policy.groups[pool.group].each[Resource::Gpu];
    const EarlierNodes earlier =
        inputs.earlier != nullptr ? nodes_of(*inputs.earlier, config_name(policy, p), pool, devices) : EarlierNodes{};
    CutNodesOfPool cuts = node_kinds(policy, p, earlier.layouts);
    if (cuts.kinds.empty()) {
      if (earlier.layouts.empty() || pool.partition.unmanaged) continue;
      managed = true;
      give(whole_again(policy, p, devices, earlier.layouts.size()), earlier, label_of(pool), configs, out.cluster);
      continue;
    }
    CutPool cut{p, *pool.partition.device, std::move(cuts.kinds), pool.partition.span, cuts.none, cuts.unknown};
    cut.managed = !pool.partition.unmanaged;
    cut.counted = pool.partition.counted;
    cut.held = pool.partition.held;
    cut.changed = cuts.changed;
    PoolCapacity& capacity = capacity_of(out.intent, p);
    if (pool.partition.counted) count_slices(policy, cut, capacity);
    cut.shares = shares_of(policy, pool, capacity);
    cut.least = capacity.of_one;
    for (const NodeKind& kind : cut.kinds) cut.nodes.insert(slices_of_node(policy, cut, kind));
    for (const NodeKind& kind : cut.kinds)
      if (cut.managed) give(kind, earlier, label_of(pool), configs, out.cluster);
    managed = managed || cut.managed;
    out.intent.cut_pools.push_back(std::move(cut));
  }
  if (inputs.earlier != nullptr) keep_until_relabelled(*inputs.earlier, configs);
  if (managed) out.cluster.mig_config_maps.push_back(std::move(configs));
}

// Whether an earlier build had the device plugin share the devices of the pool.
bool shared_before(const Cluster* earlier, const std::string& config) {
  const auto has = [&](const PluginConfigMap& map) { return contains(map.configs, config, &PluginConfig::name); };
  return earlier != nullptr && std::ranges::any_of(earlier->plugin_config_maps, has);
}

// Configurations of pools that are no more: the plugin does not start on nodes that carry a name which is not there.
void share_no_more(const Cluster& earlier, PluginConfigMap& configs) {
  for (const PluginConfigMap& map : earlier.plugin_config_maps)
    for (const PluginConfig& before : map.configs)
      if (before.name.starts_with("gpol-") && !contains(configs.configs, before.name, &PluginConfig::name))
        configs.configs.push_back({before.name, configs.configs.front().mig_strategy});
}

void plan_shared(const Policy& policy, const PlanInputs& inputs, Planned& out) {
  for (std::uint32_t p = 0; p < policy.pools.size(); ++p)
    if (const auto mode = policy.pools[p].partition.mode;
        mode == Partition::Mode::Mps || mode == Partition::Mode::TimeSlices)
      out.intent.shared_pools.push_back(shared_pool(policy, p));
  PluginConfigMap configs{kOperatorNamespace, kPluginConfigMap, {}};
  configs.configs.push_back({kPluginDefault, out.intent.cut_pools.empty() ? "none" : "mixed"});
  for (std::uint32_t p = 0; p < policy.pools.size(); ++p) {
    const auto pool = std::ranges::find(out.intent.shared_pools, p, &SharedPool::flavor);
    const std::string name = config_name(policy, p);
    if (pool != out.intent.shared_pools.end() && pool->managed)
      configs.configs.push_back(sharing_of(name, *pool));
    else if (!policy.pools[p].partition.unmanaged && shared_before(inputs.earlier, name))
      configs.configs.push_back({name, configs.configs.front().mig_strategy});  // nodes still carry its name
    else
      continue;
    const NodeMark label = label_of(policy.pools[p]);
    out.cluster.cut_nodes.push_back({name, {{label.key, label.value}}, kPluginConfigLabel});
  }
  if (inputs.earlier != nullptr) share_no_more(*inputs.earlier, configs);
  if (configs.configs.size() > 1) out.cluster.plugin_config_maps.push_back(std::move(configs));
}

}  // namespace

void plan_partition(const Policy& policy, const PlanInputs& inputs, Planned& out) {
  plan_cuts(policy, inputs, out);
  plan_shared(policy, inputs, out);
  const auto& maps = out.cluster.mig_config_maps;
  const auto& plugins = out.cluster.plugin_config_maps;
  if (maps.empty() && plugins.empty()) return;
  OperatorPolicy says{kClusterPolicy, std::nullopt};
  // MIG_STRATEGY, which the operator makes of it, wins over every configuration, and MPS does not start with `mixed`.
  if (std::ranges::any_of(out.intent.shared_pools, [](const SharedPool& pool) { return pool.mps; }))
    says.mig_strategy = "";
  else if (!maps.empty())
    says.mig_strategy = "mixed";
  if (!maps.empty()) {
    // Not its default: with one, the operator has GPUs cut anew of nodes that somebody cut without a label.
    says.mig_config = maps.front().name;
  }
  if (!plugins.empty()) says.plugin_config = kPluginConfigMap, says.plugin_default = kPluginDefault;
  out.cluster.operator_policies.push_back(std::move(says));
}

}  // namespace gpol
