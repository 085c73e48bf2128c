#include "compiler/cluster/node_cuts.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "compiler/policy/mig_layout.h"
#include "compiler/policy/units.h"

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
  const std::int64_t count = number(node, "nvidia.com/gpu.count");
  if (config == nullptr || count <= 0 || count > kMostDevices) return {};
  return devices_of(*config, count);
}

// The slices of the node, by index into Cluster::resources; nothing where pods have uncut GPUs there, too: how they
// share the rest of the node nobody said.
std::optional<std::vector<std::int64_t>> slices_of(const Cluster& cluster, std::uint32_t flavor,
                                                   const NodeFacts& node) {
  std::vector<std::int64_t> slices(cluster.resources.size(), 0);
  for (const auto& [resource, amount] : node.allocatable) {
    if (amount == 0 || !is_gpu_or_slice(resource)) continue;
    if (!resource.starts_with(kSlicePrefix)) {
      if (std::any_of(cluster.queues.begin(), cluster.queues.end(),
                      [&](const Queue& queue) { return can_have(cluster, queue, resource, flavor); }))
        return std::nullopt;
      continue;
    }
    const auto at = std::find(cluster.resources.begin(), cluster.resources.end(), resource);
    if (at == cluster.resources.end()) continue;  // no queue has any: its pods pass none (admission)
    slices[static_cast<std::size_t>(at - cluster.resources.begin())] = amount;
  }
  return slices;
}

// Slices that the node offers beyond what its configuration gives.
void note_beyond(const NodeFacts& node, const NodeKind& kind, CutPool& pool) {
  if (kind.devices.empty()) return;  // nobody gave its configuration
  for (const auto& [resource, offered] : node.allocatable) {
    if (!resource.starts_with(kSlicePrefix)) continue;
    const std::int64_t given = slices_given(kind, resource);
    if (offered > given) pool.beyond.try_emplace(resource, node.name, kind.config, offered, given, node.span);
  }
}

// What goes with one slice, where no node's slices take more compute slices than another's may.
void add_shares(const Cluster& cluster, const PoolCapacity& capacity, CutPool& pool) {
  const auto compute_of = [&](std::uint32_t resource) -> std::int64_t {
    for (const MigProfile& profile : pool.device.profiles)
      if (slices_row(profile.name).name == cluster.resources[resource]) return profile.compute;
    return 0;
  };
  std::int64_t all = 0;
  for (const std::vector<std::int64_t>& slices : pool.nodes) {
    std::int64_t of_node = 0;
    for (std::uint32_t r = 0; r < slices.size(); ++r) {
      if (slices[r] > 0 && compute_of(r) == 0) return;  // not a profile of the model: nothing is known of shares
      of_node = sum_of({of_node, times(slices[r], compute_of(r))});
    }
    all = std::max(all, of_node);
  }
  for (std::uint32_t r = 0; r < cluster.resources.size(); ++r) {
    if (std::none_of(pool.nodes.begin(), pool.nodes.end(), [&](const auto& slices) { return slices[r] > 0; })) continue;
    std::vector<std::int64_t>& share = pool.shares[r];
    for (std::size_t i = 0; i < cluster.resources.size(); ++i) {
      const std::string& name = cluster.resources[i];
      share.push_back(i == r || name == "pods"            ? 1
                      : name == "cpu" || name == "memory" ? share_of_slices(capacity.of_one[i], compute_of(r), all)
                                                          : 0);
    }
  }
}

}  // namespace

void shut_half_cut(std::span<NodeFacts> nodes) {
  for (NodeFacts& node : nodes)
    if (const std::string state = label(node, kState); !state.empty() && state != "success") node.cordoned = true;
}

// Under its own name the product ends in -SHARED; under the name `.shared` it does not (internal/lm/resource.go of
// NVIDIA/k8s-device-plugin). Of slices each profile has such labels.
void take_shares(std::span<const NodeFacts> nodes, const Cluster& cluster, Intent& intent) {
  for (std::uint32_t f = 0; f < cluster.flavors.size(); ++f) {
    std::set<std::string> told;
    for (const NodeFacts& node : nodes) {
      if (node.cordoned || node.shut.contains(cluster.flavors[f].name) || !selects(cluster.flavors[f], node)) continue;
      for (const auto& [resource, has] : node.allocatable) {
        constexpr std::string_view kDomain = "nvidia.com/", kRenamed = ".shared";
        if (has == 0 || !is_gpu_or_slice(resource) || !resource.starts_with(kDomain)) continue;
        const bool renamed = resource.ends_with(kRenamed);
        const std::string about = resource.substr(0, resource.size() - (renamed ? kRenamed.size() : 0));
        const std::int64_t shares = number(node, about + ".replicas");
        const std::string way = label(node, about + ".sharing-strategy");
        const bool shared = shares > 1 || way == "mps" || way == "time-slicing" || renamed ||
                            label(node, about + ".product").ends_with("-SHARED");
        if (shared && told.insert(resource).second)
          intent.shared_nodes.push_back({f, node.name, resource, shares,
                                         way == "mps"            ? SharedNodes::Way::Mps
                                         : way == "time-slicing" ? SharedNodes::Way::TimeSlicing
                                                                 : SharedNodes::Way::NotSaid,
                                         node.span});
      }
    }
  }
}

void take_cuts(std::span<const NodeFacts> nodes, const ModelOf& model_of, const Cluster& cluster, Intent& intent) {
  for (std::uint32_t f = 0; f < cluster.flavors.size(); ++f) {
    const PoolCapacity* capacity = intent.capacity_of(f);
    if (capacity == nullptr || capacity->of_one.empty()) continue;
    CutPool pool{f, {}, {}, {}};
    pool.least = capacity->of_one;
    std::optional<std::string> product;
    bool cut = false, alike = true, all_slices = true;
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
      auto devices = layouts_of(node, config_of(cluster, config));
      const auto same = [&](const NodeKind& kind) {
        return kind.config == config && kind.devices.size() == devices.size();
      };
      auto kind = std::find_if(pool.kinds.begin(), pool.kinds.end(), same);
      if (kind == pool.kinds.end()) kind = pool.kinds.insert(kind, {config, 0, 0, std::move(devices)});
      ++kind->nodes_max;
      note_beyond(node, *kind, pool);
      const auto slices = slices_of(cluster, f, node);
      all_slices = all_slices && slices.has_value();
      pool.nodes.insert(slices.value_or(std::vector<std::int64_t>(cluster.resources.size(), 0)));
      if (!node.elastic) ++kind->nodes_min;
    }
    if (!cut) continue;
    if (!alike) pool.device = {};
    if (alike && all_slices && !pool.device.name.empty()) add_shares(cluster, *capacity, pool);
    intent.cut_pools.push_back(std::move(pool));
  }
}

}  // namespace gpol
