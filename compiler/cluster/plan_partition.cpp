// What ships so that the pools' GPUs are cut as the policy says, and what must hold of it.
#include <algorithm>

#include "compiler/cluster/plan_parts.h"
#include "compiler/plan/partition/node_kinds.h"
#include "compiler/policy/mig_layout.h"

namespace gpol {

namespace {

constexpr const char* kOperatorNamespace = "gpu-operator";    // of NVIDIA's own instructions
constexpr const char* kConfigMap = "gpol-mig-parted-config";  // beside the operator's default-mig-parted-config
constexpr const char* kClusterPolicy = "cluster-policy";      // of the operator's Helm chart
constexpr const char* kAllDisabled = "all-disabled";          // MIG Manager's default for nodes without the label

MigConfig config_of(const NodeKind& kind) {
  MigConfig config;
  config.name = kind.config;
  const auto slices_of = [](const std::vector<Slices>& layout) {
    std::map<std::string, std::int64_t> slices;
    for (const Slices& of : layout) slices[of.profile] += of.count;
    return slices;
  };
  // One entry for devices that are cut alike, in the order of the first of them.
  for (std::size_t device = 0; device < kind.devices.size(); ++device) {
    const auto slices = slices_of(kind.devices[device]);
    auto entry = std::find_if(config.entries.begin(), config.entries.end(),
                              [&](const MigConfig::Entry& e) { return e.slices == slices; });
    if (entry == config.entries.end()) entry = config.entries.insert(entry, {{}, {}, !slices.empty(), slices});
    entry->devices.push_back(static_cast<std::int64_t>(device));
  }
  if (config.entries.size() == 1) config.entries.front().devices.clear();  // all
  return config;
}

// By compute slices, as the amounts of tenants are (compiler/policy/amounts.cpp); rounded down, so that together they
// are no more than the node has.
std::map<std::uint32_t, std::vector<std::int64_t>> shares_of(const Policy& policy, const Pool& pool,
                                                             const PoolCapacity& capacity) {
  const auto compute_of = [&](std::uint32_t resource) -> std::int64_t {
    const MigProfile* profile = profile_of(*pool.partition.device, policy.resources[resource].profile);
    return profile == nullptr ? 0 : profile->compute;
  };
  std::int64_t all = 0;
  for (std::uint32_t r = kCommonResources; r < policy.resources.size(); ++r) all += capacity.of_one[r] * compute_of(r);
  std::map<std::uint32_t, std::vector<std::int64_t>> shares;
  for (std::uint32_t r = kCommonResources; all > 0 && r < policy.resources.size(); ++r) {
    if (capacity.of_one[r] == 0) continue;
    std::vector<std::int64_t>& share = shares[r];
    share.assign(policy.resources.size(), 0);
    share[r] = 1;
    for (const Resource beside : {Resource::Cpu, Resource::Memory}) {
      const auto i = static_cast<std::size_t>(beside);
      share[i] = capacity.of_one[i] / all * compute_of(r) + capacity.of_one[i] % all * compute_of(r) / all;
    }
    share[static_cast<std::size_t>(Resource::Pods)] = 1;
  }
  return shares;
}

}  // namespace

void plan_partition(const Policy& policy, Planned& out) {
  MigConfigMap configs{kOperatorNamespace, kConfigMap, {}};
  configs.configs.push_back({kAllDisabled, {{{}, {}, false, {}}}});
  for (std::uint32_t p = 0; p < policy.pools.size(); ++p) {
    const Pool& pool = policy.pools[p];
    CutPool cut{p, pool.partition.device.value_or(Hardware{}), node_kinds(policy, p), pool.partition.span};
    if (cut.kinds.empty()) continue;
    cut.shares = shares_of(policy, pool, *out.intent.capacity_of(p));
    const NodeMark label = label_of(pool);
    for (const NodeKind& kind : cut.kinds) {
      configs.configs.push_back(config_of(kind));
      out.cluster.cut_nodes.push_back({kind.config, {{label.key, label.value}}});
    }
    out.intent.cut_pools.push_back(std::move(cut));
  }
  if (out.intent.cut_pools.empty()) return;
  out.cluster.mig_config_maps.push_back(std::move(configs));
  out.cluster.operator_policies.push_back({kClusterPolicy, "mixed", kConfigMap, kAllDisabled, {}, {}});
}

}  // namespace gpol
