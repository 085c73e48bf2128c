// How GPUs are cut. What a change does to a node: MIG Manager evicts nobody and cuts no GPU that is in use
// (gpu-operator-mig.rst of NVIDIA's cloud-native-docs).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "checker/diff/configuration.h"
#include "compiler/policy/units.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

constexpr const char* kWhole = "whole";

// Nodes that are alike: what each GPU is cut into, by index.
struct Cut {
  std::int64_t nodes = 0;
  std::vector<std::string> gpus = {};
  bool counted = true;
};

std::string layout_in_words(const std::vector<Slices>& layout) {
  std::vector<std::string> each;
  for (const Slices& some : layout) each.push_back(fmt::format("{} x {}", some.count, some.profile));
  std::ranges::sort(each);
  return each.empty() ? kWhole : fmt::format("{}", fmt::join(each, " + "));
}

// "every GPU 7 x 1g.10gb; GPU 0, 1 of 0x233010DE whole": in the order in which mig-parted applies it.
std::string in_words(const MigConfig& config) {
  std::string text;
  for (const MigConfig::Entry& entry : config.entries) {
    std::vector<Slices> layout;
    for (const auto& [profile, count] : entry.slices)
      if (entry.enabled) layout.push_back({profile, count});
    add_to_list(text,
                fmt::format("{}{}{} {}", entry.devices.empty() ? "every GPU" : "GPU ", fmt::join(entry.devices, ", "),
                            entry.filters.empty() ? "" : fmt::format(" of {}", fmt::join(entry.filters, ", ")),
                            layout_in_words(layout)),
                "; ");
  }
  return text;
}

std::map<std::string, const MigConfig*> configs_of(const Cluster& cluster) {
  std::map<std::string, const MigConfig*> found;
  for (const MigConfigMap& map : cluster.mig_config_maps)
    for (const MigConfig& config : map.configs) found.emplace(config.name, &config);
  return found;
}

// Of Nodes that do not say how many GPUs they have one stands for all.
std::vector<Cut> cuts_of(const CutPool& pool, const Cluster& cluster) {
  const auto configs = configs_of(cluster);
  std::vector<Cut> cuts;
  for (const NodeKind& kind : pool.kinds) {
    Cut& cut = cuts.emplace_back(kind.nodes_max);
    for (const auto& device : kind.devices) cut.gpus.push_back(layout_in_words(device));
    if (!cut.gpus.empty()) continue;
    const auto config = configs.find(kind.config);
    cut.counted = false;
    cut.gpus = {config != configs.end() ? in_words(*config->second) : "of configuration " + kind.config};
  }
  return cuts;
}

std::string in_words(const std::vector<Cut>& cuts) {
  std::map<std::string, std::int64_t> gpus;  // by layout
  bool counted = true;
  for (const Cut& cut : cuts)
    for (const std::string& layout : cut.gpus) gpus[layout] += cut.nodes, counted = counted && cut.counted;
  return listed_up_to(3, gpus, [&](const auto& one) {
    return !counted           ? one.first
           : gpus.size() == 1 ? "every GPU " + one.first
                              : fmt::format("{} GPUs {}", one.second, one.first);
  });
}

// Of the nodes that both sides have: how many take another layout, and how many of their GPUs do at least.
std::pair<std::int64_t, std::int64_t> cut_anew(std::vector<Cut> was, std::vector<Cut> is) {
  std::int64_t sums[2] = {0, 0}, same = 0, fewest = INT64_MAX;
  for (const Cut& a : was) sums[0] += a.nodes;
  for (const Cut& b : is) sums[1] += b.nodes;
  for (Cut& a : was)
    for (Cut& b : is) {
      const std::int64_t both = a.gpus == b.gpus ? std::min(a.nodes, b.nodes) : 0;
      a.nodes -= both, b.nodes -= both, same += both;
    }
  for (const Cut& a : was)
    for (const Cut& b : is) {
      std::int64_t differ = 0;
      for (std::size_t g = 0; g < std::min(a.gpus.size(), b.gpus.size()); ++g) differ += a.gpus[g] != b.gpus[g] ? 1 : 0;
      if (a.nodes > 0 && b.nodes > 0) fewest = std::min(fewest, differ);
    }
  const std::int64_t nodes = std::min(sums[0], sums[1]) - same;
  return {nodes, nodes == 0 || fewest == INT64_MAX ? 0 : nodes * fewest};
}

// `config`: what nodes are to take; empty: what cuts nothing. MIG Manager acts when the value of the label changes
// (cmd/nvidia-mig-manager of NVIDIA/mig-parted).
void add_steps(const Planned& before, std::optional<std::uint32_t> flavor, const std::string& config, bool named_anew,
               bool managed, ConfigurationRow& row) {
  std::string label = fmt::format("give it the label {}={}", kMigConfigLabel, config);
  if (!managed)
    label = "cut its GPUs: gpol writes nothing for this pool";
  else if (config.empty())
    label = fmt::format("give it the label {} of a configuration that cuts nothing", kMigConfigLabel);
  else if (!named_anew)
    label = fmt::format("take its label {0} off, and set it to {1} again: MIG Manager acts when the label changes",
                        kMigConfigLabel, config);
  row.steps = {pods_that_stand(before, flavor),
               "first apply the quotas of slices that become lower",
               fmt::format("{}; MIG Manager evicts nobody, and cuts no GPU that is in use", kDrain),
               "then " + label,
               managed ? "wait for its label nvidia.com/mig.config.state=success, then kubectl uncordon NODE"
                       : "then kubectl uncordon NODE",
               "once all nodes are done: apply the quotas of slices that become higher"};
}

}  // namespace

void compare_layouts(const Planned& before, const Planned& after, std::vector<ConfigurationRow>& out) {
  std::set<std::string> told;  // configurations of the pools that are compared
  for (std::uint32_t f = 0; f < before.cluster.flavors.size(); ++f) {
    const std::string& name = before.cluster.flavors[f].name;
    const auto now = flavor_of(after.cluster, name);
    const CutPool *was = before.intent.cut_of(f), *is = now ? after.intent.cut_of(*now) : nullptr;
    std::string config;
    for (const CutPool* pool : {was, is})
      for (std::size_t k = 0; pool != nullptr && k < pool->kinds.size(); ++k) {
        told.insert(pool->kinds[k].config);
        if (pool == is) add_to_list(config, pool->kinds[k].config, " or ");
      }
    if (!now || (was == nullptr && is == nullptr)) continue;
    if (is == nullptr && !after.intent.of_policy) {  // no Node says any more how its GPUs are cut
      out.push_back({"layout", name, in_words(cuts_of(*was, before.cluster)), "not known", "changed"});
      continue;
    }
    // GPUs of a pool that is not cut are whole in a policy; of manifests nothing may be known of them.
    std::vector<Cut> cuts[2] = {was != nullptr ? cuts_of(*was, before.cluster) : cuts_of(*is, after.cluster),
                                is != nullptr ? cuts_of(*is, after.cluster) : cuts_of(*was, before.cluster)};
    for (const std::size_t side : {0, 1})
      for (Cut& cut : cuts[side])
        if ((side == 0 ? was : is) == nullptr)
          std::ranges::fill(cut.gpus, (side == 0 ? before : after).intent.of_policy ? kWhole : "not known");
    const auto [nodes, gpus] = cut_anew(cuts[0], cuts[1]);
    if (nodes == 0 && in_words(cuts[0]) == in_words(cuts[1])) continue;
    ConfigurationRow& row = out.emplace_back();
    row = {"layout", name, in_words(cuts[0]), in_words(cuts[1]), nodes == 0 ? "changed" : "cut anew"};
    if (nodes == 0) continue;
    const bool counted = contains(cuts[0], true, &Cut::counted) && contains(cuts[1], true, &Cut::counted);
    row.what = fmt::format(
        "{} of `{}` are cut anew, on {}",
        !counted ? "GPUs"
                 : (cuts[0].size() + cuts[1].size() > 2 ? "at least " : "") + human_amount(Resource::Gpu, gpus),
        name, nodes == 1 ? "1 node" : fmt::format("{} nodes", nodes));
    const auto taken = [&](const NodeKind& kind) {
      return was != nullptr && contains(was->kinds, kind.config, &NodeKind::config);
    };
    add_steps(before, f, config, is == nullptr || std::ranges::none_of(is->kinds, taken),
              (is != nullptr ? is : was)->managed, row);
  }
  const auto is = configs_of(after.cluster);
  for (const auto& [name, was] : configs_of(before.cluster)) {
    const auto now = is.find(name);
    if (told.contains(name) || now == is.end() || in_words(*was) == in_words(*now->second)) continue;
    out.push_back({"layout", name, in_words(*was), in_words(*now->second), "cut anew",
                   fmt::format("the GPUs of nodes with the label {}={} are cut anew", kMigConfigLabel, name)});
    add_steps(before, std::nullopt, name, false, true, out.back());
  }
}

}  // namespace gpol
