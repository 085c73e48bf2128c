// Partition, of what is there: what Nodes offer, against the GPUs that they have, against the configuration of the
// device plugin that they take, and by the names that quotas count.
#include <fmt/format.h>

#include <algorithm>

#include "checker/families/codes.h"
#include "checker/families/partition_parts.h"
#include "checker/families/plugin_keys.h"
#include "compiler/cluster/listed.h"
#include "compiler/cluster/node_cuts.h"
#include "compiler/policy/catalogue.h"
#include "compiler/policy/units.h"
#include "compiler/source/lookup.h"

namespace gpol {
namespace {

constexpr const char *kGpu = "nvidia.com/gpu", *kSharedGpu = "nvidia.com/gpu.shared";
constexpr const char* kStrategy = "nvidia.com/mig.strategy";

std::int64_t offered(const NodeFacts& node, const std::string& resource) {
  return value_or(node.allocatable, resource, 0);
}

bool says_shared(const NodeFacts& node) {
  return std::ranges::any_of(node.labels, [](const auto& label) {
    if (label.first.starts_with("cloud.google.com/gke-gpu-sharing") ||
        label.first == "cloud.google.com/gke-max-shared-clients-per-gpu")
      return true;
    if (!label.first.starts_with("nvidia.com/")) return false;
    return (label.first.ends_with(".replicas") && label.second != "1" && label.second != "0") ||
           (label.first.ends_with(".sharing-strategy") && label.second != "none") ||
           (label.first.ends_with(".product") && label.second.ends_with("-SHARED"));
  });
}

class GivenOffers {
 public:
  GivenOffers(const Proof& proof, const Evidence& evidence, Report& report)
      : proof_(proof), cluster_(proof.cluster), evidence_(evidence), keys_(proof, evidence), report_(report) {}

  void run() {
    for (const NodeFacts& node : evidence_.given.nodes) {
      const auto stands = [&](const Flavor& flavor) { return stands_for(flavor, node); };
      if (std::ranges::none_of(cluster_.flavors, stands)) continue;
      against_gpus(node);
      against_shares(node);
      if (label_of(node, "nvidia.com/gpu.product").ends_with("MIG-INVALID") && offered(node, kGpu) > 0)
        refute(node,
               fmt::format("Node `{}` offers {} {}, and under the strategy `single` its GPUs are cut so that it offers "
                           "none (nvidia.com/gpu.product ends in MIG-INVALID)",
                           node.name, offered(node, kGpu), kGpu),
               "cut all GPUs of the node into slices of one profile");
    }
    for (std::uint32_t f = 0; f < cluster_.flavors.size(); ++f) {
      judge_names(f);
      judge_renamed(f);
    }
    judge_operator();
  }

 private:
  void refute(const NodeFacts& node, std::string message, std::string fix) {
    Obligation o =
        obligation(Family::Partition, code::SliceCount, Verdict::Refuted, {"Node", report_.keep(node.name)}, node.span);
    o.required = false;
    for (std::uint32_t f = 0; f < cluster_.flavors.size(); ++f)
      if (const PoolCapacity* capacity = proof_.intent.capacity_of(f);
          capacity != nullptr && stands_for(cluster_.flavors[f], node))
        o.required = o.required || capacity->has_serving;
    report_.add(std::move(o), {.message = std::move(message), .fix = Fix{std::move(fix)}});
  }

  // More whole GPUs and slices than the node's GPUs can be at once.
  void against_gpus(const NodeFacts& node) {
    constexpr std::int64_t kMostGpus = 64;
    const std::int64_t has = number_of(node.labels, "nvidia.com/gpu.count"), whole = offered(node, kGpu);
    if (has <= 0 || has > kMostGpus || says_shared(node)) return;
    const std::string fix =
        "look at what the node offers: where several pods have a device at once, its labels must say so "
        "(`nvidia.com/gpu.replicas`)";
    if (whole > has)
      return refute(node,
                    fmt::format("Node `{}` offers {} {}, and its label nvidia.com/gpu.count says {}", node.name, whole,
                                kGpu, has),
                    fix);
    if (label_of(node, kStrategy) == "single") return;  // its count is of slices
    const auto model =
        hardware_of_product(label_of(node, "nvidia.com/gpu.product"), number_of(node.labels, "nvidia.com/gpu.memory"));
    if (!model) return;
    std::vector<Slices> slices;
    std::string all = whole == 0 ? "" : fmt::format("{} {}", whole, kGpu);
    for (const auto& [resource, count] : node.allocatable) {
      if (count == 0 || !is_slice(resource)) continue;
      for (const MigProfile& profile : model->profiles)
        if (slices_row(profile.name).name == resource) slices.push_back({profile.name, count});
      all += fmt::format("{}{} {}", all.empty() ? "" : " and ", count, resource);
    }
    if (slices.empty()) return;
    const std::int64_t needed = gpus_needed(*model, slices, has - whole);
    if (needed <= has - whole) return;
    refute(node,
           fmt::format("Node `{}` offers {}: that takes at least {} GPUs of `{}`, and its labels say {} of them",
                       node.name, all, whole + needed, model->name, has),
           fix);
  }

  // More shares than the configuration that it takes makes of its GPUs.
  void against_shares(const NodeFacts& node) {
    const std::int64_t has = number_of(node.labels, "nvidia.com/gpu.count");
    const auto takes = keys_.of_node(node);
    if (has <= 0) return;
    if (const std::int64_t shares = number_of(node.labels, "nvidia.com/gpu.replicas"),
        offers = offered(node, kSharedGpu);
        shares > 0 && offers > times(has, shares))
      return refute(node,
                    fmt::format("Node `{}` offers {} {}, and its labels say {} of each of {} GPUs", node.name, offers,
                                kSharedGpu, shares, has),
                    "look at what the node offers, and at its labels (`nvidia.com/gpu.replicas`)");
    if (!takes) return;
    for (const char* name : {kGpu, kSharedGpu}) {
      std::int64_t given = 0;
      bool shares = false;
      if (takes->config != nullptr)
        for (const auto& [resource, replicas] : takes->config->replicas)
          if (resource == kGpu && offered_as(*takes->config, resource) == name) {
            shares = true;
            given = times(has, replicas);
          }
      if (!shares && name == kGpu) continue;
      if (const std::int64_t offers = offered(node, name); offers > given)
        refute(node,
               fmt::format("Node `{}` offers {} {}, and its configuration `{}` gives {}", node.name, offers, name,
                           takes->key, given),
               "label it with the configuration by which its GPUs are shared: the device plugin takes it by the label "
               "when it starts");
    }
  }

  // A queue that owns something of the flavor, and its name. (A queue that only borrows covers what others own; where
  // nobody owns any there is nothing of it.)
  using Owned = std::pair<std::string, std::string>;
  static std::optional<Owned> owner_of(const Cluster& cluster, const std::string& resource, std::uint32_t f) {
    for (const Queue& queue : cluster.queues)
      for (const ListedQuota& one : listed_quotas(queue.groups))
        if (one.flavor == f && one.quota.nominal > 0 && cluster.resources[one.resource] == resource)
          return {{queue.name, resource}};
    return std::nullopt;
  }
  // Of each profile of which somebody owns slices of the flavor.
  std::vector<Owned> quotas_of_slices(std::uint32_t f) const {
    std::vector<Owned> all;
    for (const std::string& resource : cluster_.resources)
      if (auto owned = is_slice(resource) ? owner_of(cluster_, resource, f) : std::nullopt)
        all.push_back(std::move(*owned));
    return all;
  }

  static std::string under(const std::string& strategy, const Owned& quota) {
    return fmt::format("{}, under which no node offers {}, and `{}` has a quota of it", strategy, quota.second,
                       quota.first);
  }

  // Slices have their own names under `mixed` alone.
  static bool names_none(const std::string& strategy) { return strategy == "single" || strategy == "none"; }

  void judge_names(std::uint32_t f) {
    const auto quotas = quotas_of_slices(f);
    if (quotas.empty()) return;
    const NodeFacts* first = nullptr;
    bool named_so = false;  // some node may offer slices
    for (const NodeFacts& node : evidence_.given.nodes) {
      if (!stands_for(cluster_.flavors[f], node)) continue;
      named_so = named_so || !names_none(label_of(node, kStrategy)) ||
                 std::ranges::any_of(quotas, [&](const Owned& quota) { return offered(node, quota.second) > 0; });
      if (first == nullptr) first = &node;
    }
    if (first != nullptr && !named_so)
      return clash("Node", report_.keep(first->name), first->span,
                   under(fmt::format("nodes of `{}` say nvidia.com/mig.strategy {}", cluster_.flavors[f].name,
                                     label_of(*first, kStrategy)),
                         quotas.front()),
                   "have the device plugin run under `mixed` (ClusterPolicy: mig.strategy)", report_);
    if (first == nullptr) judge_flavor(f, quotas);
    judge_plugin_names(f, quotas.front());
  }

  // What the labels say that the flavor asks its nodes for, where there is no Node.
  void judge_flavor(std::uint32_t f, const std::vector<Owned>& quotas) {
    const Flavor& flavor = cluster_.flavors[f];
    const auto says = [&](const char* label) { return value_or(flavor.node_labels, label, std::string()); };
    if (const std::string strategy = says(kStrategy); names_none(strategy))
      clash("ResourceFlavor", flavor.name, {},
            under(fmt::format("its nodes say {} {}", kStrategy, strategy), quotas.front()),
            "have the device plugin run under `mixed` (ClusterPolicy: mig.strategy)", report_);
    const std::string name = says(kMigConfigLabel);
    std::set<std::string> given;
    bool known = false;
    for (const MigConfigMap& map : cluster_.mig_config_maps) {
      if (std::ranges::any_of(cluster_.operator_policies, [&](const OperatorPolicy& policy) {
            return !policy.mig_config.empty() && policy.mig_config != map.name;
          }))
        continue;  // MIG Manager reads another
      for (const MigConfig& config : map.configs)
        for (const MigConfig::Entry& entry : config.entries) {
          if (config.name != name) continue;
          known = true;
          for (const auto& [profile, count] : entry.slices)
            if (count > 0) given.insert(slices_row(profile).name);
        }
    }
    for (const Owned& quota : quotas) {
      constexpr std::string_view kShared = ".shared";
      const std::string& slice = quota.second;
      if (!known || given.contains(slice.substr(0, slice.size() - (slice.ends_with(kShared) ? kShared.size() : 0))))
        continue;
      return clash("ResourceFlavor", flavor.name, {},
                   fmt::format("its nodes are cut by `{}`, which gives no {}, and `{}` has a quota of it", name, slice,
                               quota.first),
                   "give the flavor the nodes whose configuration has that profile", report_);
    }
  }

  // Shared devices that have another name then, and a quota of the name that no node has any more.
  void judge_renamed(std::uint32_t f) {
    for (const PluginConfigMap& map : cluster_.plugin_config_maps)
      for (const PluginConfig& config : map.configs)
        for (const auto& [resource, replicas] : config.replicas) {
          const Takes takes = keys_.takes(f, map, config);
          if (!config.renames || takes.answer == Takes::Answer::No) continue;
          const auto offers = [&](const NodeFacts& node) {
            return stands_for(cluster_.flavors[f], node) && offered(node, resource) > 0;
          };
          const auto& nodes = evidence_.given.nodes;
          const auto owned = owner_of(cluster_, resource, f);
          // Where somebody has quota of the new name, too, and no label says who takes it, some nodes are meant to.
          const bool meant = takes.assumed && std::ranges::any_of(cluster_.queues, [&](const Queue& one) {
                               return can_have(cluster_, one, offered_as(config, resource));
                             });
          if (meant || !owned || std::ranges::any_of(nodes, offers) || !told_.insert(&config).second) continue;
          if (takes.answer == Takes::Answer::Unknown)
            report_.add(obligation(Family::Partition, code::PluginClash, Verdict::Undecided, {"ConfigMap", map.name},
                                   config.span),
                        {.reason = takes.why,
                         .message = fmt::format(
                             "whether nodes of `{}` have any {}, of which `{}` has a quota, is not known: {}",
                             cluster_.flavors[f].name, resource, owned->first, takes.why),
                         .fix = Fix{takes.fix}});
          else
            clash("ConfigMap", map.name, config.span,
                  fmt::format("`{}` offers {} as {}, so that no node has the former, and `{}` has a quota of it",
                              config.name, resource, offered_as(config, resource), owned->first),
                  fmt::format("write the quota in {}, or leave those nodes to another flavor",
                              offered_as(config, resource)),
                  report_);
        }
  }

  // MIG_STRATEGY, which the operator makes of its own, wins over what a configuration says.
  void judge_plugin_names(std::uint32_t f, const Owned& quota) {
    for (const OperatorPolicy& policy : cluster_.operator_policies)
      if (!policy.mig_strategy.value_or("").empty()) return;
    for (const PluginConfigMap& map : cluster_.plugin_config_maps)
      for (const PluginConfig& config : map.configs)
        if (names_none(config.mig_strategy) && keys_.takes(f, map, config).answer == Takes::Answer::Yes &&
            told_.insert(&config).second)
          clash("ConfigMap", map.name, config.span,
                under(fmt::format("`{}` says migStrategy {}", config.name, config.mig_strategy), quota),
                "write `migStrategy: mixed` in the configuration of the nodes that are cut", report_);
  }

  void judge_operator() {
    std::vector<Owned> quota;
    for (std::uint32_t f = 0; f < cluster_.flavors.size() && quota.empty(); ++f) quota = quotas_of_slices(f);
    if (quota.empty()) return;
    const auto& maps = cluster_.plugin_config_maps;
    const bool mps = std::ranges::any_of(
        maps, [](const PluginConfigMap& map) { return std::ranges::any_of(map.configs, shares_by_mps); });
    for (const OperatorPolicy& policy : cluster_.operator_policies)
      if (names_none(policy.mig_strategy.value_or("")))
        clash("ClusterPolicy", policy.name, policy.span,
              under(fmt::format("mig.strategy is {}", *policy.mig_strategy), quota.front()),
              mps ? "take mig.strategy out, which does not go with mps as `mixed`, and write `migStrategy: mixed` in "
                    "the device plugin's configuration of the nodes that are cut"
                  : "write `strategy: mixed`",
              report_);
  }

  const Proof& proof_;
  const Cluster& cluster_;
  const Evidence& evidence_;
  const PluginKeys keys_;
  Report& report_;
  std::set<const PluginConfig*> told_;
};

}  // namespace

void judge_given_offers(const Proof& proof, const Evidence& evidence, Report& report) {
  GivenOffers(proof, evidence, report).run();
}

}  // namespace gpol
