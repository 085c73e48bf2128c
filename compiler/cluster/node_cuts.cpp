#include "compiler/cluster/node_cuts.h"

#include <algorithm>
#include <charconv>

#include "compiler/policy/mig_layout.h"

namespace gpol {

namespace {

constexpr const char* kState = "nvidia.com/mig.config.state";
constexpr std::string_view kSlicePrefix = "nvidia.com/mig-";

std::string label(const NodeFacts& node, const std::string& key) {
  const auto found = node.labels.find(key);
  return found == node.labels.end() ? "" : found->second;
}

std::int64_t number(const NodeFacts& node, const std::string& key) {
  const std::string text = label(node, key);
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

bool selects(const Flavor& flavor, const NodeFacts& node) {
  return std::all_of(flavor.node_labels.begin(), flavor.node_labels.end(),
                     [&](const auto& wanted) { return label(node, wanted.first) == wanted.second; });
}

bool is_cut(const NodeFacts& node) {
  return std::any_of(node.allocatable.begin(), node.allocatable.end(),
                     [](const auto& has) { return has.first.starts_with(kSlicePrefix) && has.second > 0; });
}

const MigConfig* config_of(const Cluster& cluster, const std::string& name) {
  for (const MigConfigMap& map : cluster.mig_config_maps)
    for (const MigConfig& config : map.configs)
      if (config.name == name) return &config;
  return nullptr;
}

// What the configuration makes of each device of the node; nothing where either is not known.
std::vector<std::vector<Slices>> layouts_of(const NodeFacts& node, const MigConfig* config) {
  constexpr std::int64_t kMostDevices = 64;
  std::vector<std::vector<Slices>> devices;
  const std::int64_t count = number(node, "nvidia.com/gpu.count");
  if (config == nullptr || count <= 0 || count > kMostDevices) return devices;
  devices.resize(static_cast<std::size_t>(count));
  for (const MigConfig::Entry& entry : config->entries)
    for (std::int64_t device = 0; device < count; ++device) {
      if (!entry.devices.empty() &&
          std::find(entry.devices.begin(), entry.devices.end(), device) == entry.devices.end())
        continue;
      auto& layout = devices[static_cast<std::size_t>(device)];
      layout.clear();
      for (const auto& [profile, slices] : entry.slices)
        if (entry.enabled) layout.push_back({profile, slices});
    }
  return devices;
}

void add_shares(const Cluster& cluster, const PoolCapacity& capacity, CutPool& pool) {
  const auto compute_of = [&](const std::string& resource) -> std::int64_t {
    for (const MigProfile& profile : pool.device.profiles)
      if (slices_row(profile.name).name == resource) return profile.compute;
    return 0;
  };
  std::int64_t all = 0;
  for (std::size_t r = 0; r < cluster.resources.size(); ++r) {
    const std::string& name = cluster.resources[r];
    if (!is_gpu_or_slice(name) || capacity.of_one[r] == 0) continue;
    if (!name.starts_with(kSlicePrefix)) return;  // whole GPUs, too: how they share the rest of the node nobody said
    if (compute_of(name) == 0) return;            // not a profile of the model: nothing is known of shares
    all += capacity.of_one[r] * compute_of(name);
  }
  for (std::uint32_t r = 0; all > 0 && r < cluster.resources.size(); ++r) {
    const std::int64_t compute = compute_of(cluster.resources[r]);
    if (compute == 0 || capacity.of_one[r] == 0) continue;
    std::vector<std::int64_t>& share = pool.shares[r];
    for (std::size_t i = 0; i < cluster.resources.size(); ++i) {
      const std::string& name = cluster.resources[i];
      const std::int64_t has = capacity.of_one[i];
      share.push_back(i == r                              ? 1
                      : name == "pods"                    ? 1
                      : name == "cpu" || name == "memory" ? has / all * compute + has % all * compute / all
                                                          : 0);
    }
  }
}

}  // namespace

void shut_half_cut(std::span<NodeFacts> nodes) {
  for (NodeFacts& node : nodes)
    if (const std::string state = label(node, kState); !state.empty() && state != "success") node.cordoned = true;
}

void take_cuts(std::span<const NodeFacts> nodes, const ModelOf& model_of, const Cluster& cluster, Intent& intent) {
  for (std::uint32_t f = 0; f < cluster.flavors.size(); ++f) {
    const PoolCapacity* capacity = intent.capacity_of(f);
    if (capacity == nullptr || capacity->of_one.empty()) continue;
    CutPool pool{f, {}, {}, {}};
    std::optional<std::string> product;
    bool cut = false, alike = true;
    for (const NodeFacts& node : nodes) {
      if (node.cordoned || node.shut.contains(cluster.flavors[f].name) || !selects(cluster.flavors[f], node)) continue;
      const std::string config = label(node, kMigConfigLabel);
      cut = cut || is_cut(node) || (!config.empty() && config != "all-disabled");
      const std::string of = label(node, "nvidia.com/gpu.product");
      alike = alike && (!product || *product == of);
      product = of;
      if (!pool.span.known()) {
        pool.span = node.span;
        if (auto model = model_of(of, number(node, "nvidia.com/gpu.memory"))) pool.device = std::move(*model);
      }
      const auto same = [&](const NodeKind& kind) { return kind.config == config; };
      auto kind = std::find_if(pool.kinds.begin(), pool.kinds.end(), same);
      if (kind == pool.kinds.end())
        kind = pool.kinds.insert(kind, {config, 0, 0, layouts_of(node, config_of(cluster, config))});
      ++kind->nodes_max;
      if (!node.elastic) ++kind->nodes_min;
    }
    if (!cut) continue;
    if (!alike) pool.device = {};
    if (alike && !pool.device.name.empty()) add_shares(cluster, *capacity, pool);
    intent.cut_pools.push_back(std::move(pool));
  }
}

}  // namespace gpol
