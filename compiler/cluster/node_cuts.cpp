#include "compiler/cluster/node_cuts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "compiler/plan/partition/layouts.h"
#include "compiler/policy/catalogue.h"
#include "compiler/policy/mig_layout.h"
#include "compiler/policy/units.h"
#include "compiler/source/lookup.h"

namespace gpol {

namespace {

constexpr const char* kState = "nvidia.com/mig.config.state";

bool is_cut(const NodeFacts& node) {
  return std::ranges::any_of(node.allocatable, [](const auto& has) { return is_slice(has.first) && has.second > 0; });
}

bool may_be_cut(const NodeFacts& node) { return label_of(node, "nvidia.com/mig.capable") != "false"; }

// The configurations that a node may take. `known` false: which ConfigMap MIG Manager reads is not among the manifests,
// or not said.
struct Configs {
  std::vector<const MigConfigMap*> maps;
  bool known = false;
};
Configs configs_of(const Cluster& cluster) {
  std::set<std::string> named;
  for (const OperatorPolicy& policy : cluster.operator_policies)
    if (!policy.mig_config.empty()) named.insert(policy.mig_config);
  Configs out;
  for (const MigConfigMap& map : cluster.mig_config_maps)
    if (named.empty() || named.contains(map.name)) out.maps.push_back(&map);
  out.known = named.size() == 1 && out.maps.size() == 1;
  return out;
}

// What is in a configuration for GPUs of this model, in its order. Where it is not known which of its entries are, it
// is several: without those, and with those of each id in a filter that the GPUs may have; these ids are `asked`.
std::vector<MigConfig> configs_for(const MigConfig& config, std::string_view model, std::set<std::string>& asked) {
  const auto sure = [&](const MigConfig::Entry& entry) {
    return entry.filters.empty() || std::ranges::any_of(entry.filters, [&](const auto& filter) {
             return !model.empty() && model_of_pci_id(filter) == model;
           });
  };
  for (const MigConfig::Entry& entry : config.entries)
    for (const std::string& filter : entry.filters)
      if (!sure(entry) && (model.empty() || model_of_pci_id(filter).empty())) asked.insert(filter);
  std::vector<MigConfig> out(asked.size() + 1, {config.name, {}, config.nodes});
  for (const MigConfig::Entry& entry : config.entries) {
    auto way = out.begin();
    if (sure(entry)) way->entries.push_back(entry);
    for (const std::string& id : asked)
      if (++way; sure(entry) || contains(entry.filters, id)) way->entries.push_back(entry);
  }
  return out;
}

using Devices = std::vector<std::vector<Slices>>;

bool same_devices(const Devices& one, const Devices& other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](const auto& a, const auto& b) { return slices_in_words(a) == slices_in_words(b); });
}

// What the configuration that the node names makes of each of its devices; nothing where that is not known.
struct Labelled {
  Devices devices;
  bool absent = false;                // MIG Manager does not find it
  std::vector<Devices> perhaps = {};  // one of these, where it is not known which of its entries are for the GPUs
  std::set<std::string> asked = {};   // by the device-filters that may name them
};
Labelled labelled(const NodeFacts& node, const Configs& configs, std::string_view model) {
  constexpr std::int64_t kMostDevices = 64;
  const std::string name = label_of(node, kMigConfigLabel);
  const std::int64_t count = number_of(node.labels, "nvidia.com/gpu.count");
  if (name.empty() || count <= 0 || count > kMostDevices || !may_be_cut(node)) return {};
  std::optional<Labelled> found;
  for (const MigConfigMap* map : configs.maps)
    for (const MigConfig& config : map->configs) {
      if (config.name != name) continue;
      Labelled here;
      for (const MigConfig& own : configs_for(config, model, here.asked)) {
        Devices devices = devices_of(own, count);
        if (std::ranges::none_of(here.perhaps, [&](const Devices& one) { return same_devices(one, devices); }))
          here.perhaps.push_back(std::move(devices));
      }
      if (found && !std::ranges::equal(found->perhaps, here.perhaps, same_devices)) return {};  // two of a name
      found = std::move(here);
    }
  if (found && found->perhaps.size() == 1) return {std::move(found->perhaps.front())};
  if (found) return std::move(*found);
  if (!configs.known) return {};
  return {Devices(static_cast<std::size_t>(count)), true};
}

// The slices of the node, by index into Cluster::resources; nothing where pods have uncut GPUs there, too: how they
// share the rest of the node nobody said.
std::optional<std::vector<std::int64_t>> slices_of(const Cluster& cluster, std::uint32_t flavor,
                                                   const NodeFacts& node) {
  std::vector<std::int64_t> slices(cluster.resources.size(), 0);
  for (const auto& [resource, amount] : node.allocatable) {
    if (amount == 0 || !is_gpu_or_slice(resource)) continue;
    if (!is_slice(resource)) {
      if (std::ranges::any_of(cluster.queues,
                              [&](const Queue& queue) { return can_have(cluster, queue, resource, flavor); }))
        return std::nullopt;
      continue;
    }
    const auto at = std::ranges::find(cluster.resources, resource);
    if (at == cluster.resources.end()) continue;  // no queue has any: its pods pass none (admission)
    slices[static_cast<std::size_t>(at - cluster.resources.begin())] = amount;
  }
  return slices;
}

// How many devices of a name the configuration gives; nothing where that is not known. Under `single` every slice is a
// device by its name, their number is in the labels alone, and there is none where slices are of several profiles
// (internal/resource of the device plugin).
std::optional<std::int64_t> devices_given(const NodeKind& kind, const std::string& name, std::string_view strategy) {
  if (is_slice(name)) return slices_given(kind, name);
  std::set<std::string> profiles;
  std::int64_t whole = 0;
  for (const std::vector<Slices>& device : kind.devices) {
    whole += device.empty() ? 1 : 0;
    for (const Slices& slices : device) profiles.insert(slices.profile);
  }
  if (strategy == "mixed") return whole;
  if (strategy == "single" && profiles.size() > 1) return 0;
  return std::nullopt;
}

// What its label says, else the one ClusterPolicy.
std::string strategy_of(const NodeFacts& node, const Cluster& cluster) {
  const std::string said = label_of(node, "nvidia.com/mig.strategy");
  if (!said.empty() || cluster.operator_policies.size() != 1) return said;
  return cluster.operator_policies.front().mig_strategy.value_or("");
}

// Of how many shares a device of the name is, by what GPU feature discovery says of the node.
std::int64_t shares_said(const NodeFacts& node, const std::string& name) {
  return number_of(node.labels, name + ".replicas");
}

// Slices, and GPUs that are not cut, that the node offers beyond what its configuration gives, in each way in which it
// may be meant; else `doubts`, where it does in some. `ways`: none where nobody gave it.
void note_beyond(const NodeFacts& node, const std::vector<NodeKind>& ways, bool absent, std::string_view strategy,
                 const std::set<std::string>& asked, CutPool& pool, std::map<std::string, GivenFault>& doubts) {
  constexpr std::string_view kShared = ".shared";
  if (ways.empty()) return;
  for (const auto& [resource, offered] : node.allocatable) {
    const bool renamed = resource.ends_with(kShared);
    const std::string name = resource.substr(0, resource.size() - (renamed ? kShared.size() : 0));
    if (!is_slice(name) && !is_gpu(name)) continue;
    const std::int64_t shares = shares_said(node, name);
    if (renamed && shares <= 0) continue;  // of how many shares nothing says
    std::int64_t least = INT64_MAX, most = 0;
    for (const NodeKind& kind : ways) {
      const std::int64_t gives = devices_given(kind, name, strategy).value_or(INT64_MAX);
      least = std::min(least, gives), most = std::max(most, gives);
    }
    const auto given_of = [&](std::int64_t devices) { return times(devices, std::max<std::int64_t>(1, shares)); };
    const std::int64_t given = given_of(most);
    if (least == INT64_MAX || offered <= given_of(least)) continue;
    if (most == INT64_MAX || offered <= given)
      doubts.try_emplace(
          resource, GivenFault::About::Layout, fmt::format("Node `{}`", node.name),
          fmt::format("Node `{}` offers {} {}, and its configuration `{}` may give {}: whether the device-filter `{}` "
                      "is about its GPUs is not known",
                      node.name, offered, resource, ways.front().config, given_of(least), fmt::join(asked, "`, `")),
          "take a configuration without `device-filter`, or a product that gpol knows in nvidia.com/gpu.product",
          node.span, true);
    else
      pool.beyond.try_emplace(resource, node.name, ways.front().config, absent, offered, given, node.span);
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
    if (std::ranges::none_of(pool.nodes, [&](const auto& slices) { return slices[r] > 0; })) continue;
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
    if (const std::string state = label_of(node, kState);
        state != "success" && may_be_cut(node) && (!state.empty() || !label_of(node, kMigConfigLabel).empty()))
      node.cordoned = true;
}

std::int64_t gpus_needed(const Hardware& model, const std::vector<Slices>& slices, std::int64_t gpus) {
  constexpr std::int64_t kSteps = 4'000'000;
  const LayoutAnswer answer = fewest_devices(model, {slices, 1, gpus, {}}, kSteps);
  const auto* none = std::get_if<NoLayouts>(&answer);
  return none != nullptr && none->why == NoLayouts::Why::TooFewDevices ? none->needed : 0;
}

void take_cuts(std::span<const NodeFacts> nodes, const ModelOf& model_of, const Cluster& cluster, Intent& intent) {
  const Configs configs = configs_of(cluster);
  std::map<std::pair<std::string, std::int64_t>, std::string> models;
  const auto name_of_model = [&](const NodeFacts& node) -> std::string_view {
    const std::pair key{label_of(node, "nvidia.com/gpu.product"), number_of(node.labels, "nvidia.com/gpu.memory")};
    const auto [found, fresh] = models.try_emplace(key);
    if (fresh)
      if (const auto model = model_of(key.first, key.second)) found->second = model->name;
    return found->second;
  };
  for (std::uint32_t f = 0; f < cluster.flavors.size(); ++f) {
    const PoolCapacity* capacity = intent.capacity_of(f);
    if (capacity == nullptr || capacity->of_one.empty()) continue;
    CutPool pool{f, {}, {}, {}};
    pool.least = capacity->of_one;
    std::optional<std::string> product;
    std::map<std::string, GivenFault> doubts;
    bool cut = false, alike = true, all_slices = true;  // all_slices: and no pod has a share of one
    for (const NodeFacts& node : nodes) {
      if (!stands_for(cluster.flavors[f], node)) continue;
      const std::string config = label_of(node, kMigConfigLabel);
      cut = cut || is_cut(node) || (!config.empty() && config != "all-disabled" && may_be_cut(node));
      const std::string of = label_of(node, "nvidia.com/gpu.product");
      alike = alike && (!product || *product == of);
      product = of;
      if (!pool.span.known()) {
        pool.span = node.span;
        if (auto model = model_of(of, number_of(node.labels, "nvidia.com/gpu.memory"))) pool.device = std::move(*model);
      }
      auto [devices, absent, perhaps, asked] = labelled(node, configs, name_of_model(node));
      const auto same = [&](const NodeKind& kind) {
        return kind.config == config && same_devices(kind.devices, devices);
      };
      auto kind = std::ranges::find_if(pool.kinds, same);
      if (kind == pool.kinds.end()) kind = pool.kinds.insert(kind, {config, 0, 0, std::move(devices)});
      ++kind->nodes_max;
      std::vector<NodeKind> ways;
      if (!kind->devices.empty()) ways.push_back(*kind);
      for (Devices& one : perhaps) ways.push_back({config, 0, 0, std::move(one)});
      note_beyond(node, ways, absent, strategy_of(node, cluster), asked, pool, doubts);
      const auto slices = slices_of(cluster, f, node);
      all_slices = all_slices && slices.has_value() && std::ranges::none_of(node.allocatable, [&](const auto& has) {
                     return is_slice(has.first) && shares_said(node, has.first) > 1;
                   });
      pool.nodes.insert(slices.value_or(std::vector<std::int64_t>(cluster.resources.size(), 0)));
      if (!node.elastic) ++kind->nodes_min;
    }
    if (!cut) continue;
    for (auto& doubt : doubts) intent.faults.push_back(std::move(doubt.second));
    if (!alike) pool.device = {};
    if (alike && all_slices && !pool.device.name.empty()) add_shares(cluster, *capacity, pool);
    intent.cut_pools.push_back(std::move(pool));
  }
}

}  // namespace gpol
