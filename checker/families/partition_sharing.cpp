// Partition, of devices that several pods have at once: who may share a card with whom. MPS and time-slicing keep
// neither time nor faults apart (the CUDA documentation of MPS; README of NVIDIA/k8s-device-plugin), so what is
// promised a time stands on a card with nobody else but, under MPS, others of its own class and owner. And what the
// device plugin and the operator are told must agree: MPS does not start beside `mixed` (cmd/nvidia-device-plugin
// validateFlags).
#include <fmt/format.h>

#include <algorithm>

#include "checker/families/codes.h"
#include "checker/families/pairs.h"
#include "checker/families/partition_parts.h"
#include "checker/story/narrate.h"
#include "checker/story/replay.h"
#include "compiler/source/text.h"

namespace gpol {
namespace {

using Client = SharedPool::Client;

std::string_view way(const SharedPool& pool) { return pool.mps ? "MPS" : "time-slicing"; }

// Who of the clients is promised something that sharing with this one breaks, and why; null: nobody.
struct Broken {
  const Client* serving = nullptr;
  const Client* other = nullptr;  // null: whoever else
  std::string why;
};

Broken broken(const SharedPool& pool) {
  for (const Client& client : pool.clients) {
    if (client.isolation == Isolation::C) continue;
    const auto other = std::find_if(pool.clients.begin(), pool.clients.end(),
                                    [&](const Client& one) { return one.tenant != client.tenant; });
    const Client* beside = other == pool.clients.end() ? nullptr : &*other;
    if (client.isolation == Isolation::A)
      return {&client, beside, "class A stands on devices of its own: whole ones, or slices of MIG"};
    if (!pool.mps)
      return {&client, beside,
              "time-slicing gives each process a turn, however long the others' take: it is for class C"};
    for (const Client& one : pool.clients)
      if (one.latency_class != client.latency_class || one.owner != client.owner || one.owner.empty())
        if (one.tenant != client.tenant)
          return {
              &client, &one,
              "a fault of one client of MPS ends them all, so that those of a class B are of one class and one owner"};
  }
  return {};
}

std::optional<std::uint32_t> queue_on(const Proof& proof, const std::string& tenant, std::uint32_t flavor) {
  for (std::uint32_t q = 0; q < proof.cluster.queues.size(); ++q)
    if (proof.intent.roles[q].tenant == tenant && lists(proof.cluster.queues[q], flavor)) return q;
  return std::nullopt;
}

// One pod of each, of whom nobody shares with two of its own, on the executable model of Kueue; empty where it does not
// let both in.
std::vector<StoryStep> both_admitted(const Proof& proof, const SharedPool& pool, const Broken& found) {
  const auto serving = queue_on(proof, found.serving->tenant, pool.flavor),
             other = found.other == nullptr ? serving : queue_on(proof, found.other->tenant, pool.flavor);
  const auto& names = proof.cluster.resources;
  const auto at = std::find(names.begin(), names.end(), slices_row(kShares).name);
  if (!serving || !other || at == names.end()) return {};
  const auto resource = static_cast<std::uint32_t>(at - names.begin());
  Stage stage(proof.cluster);
  for (std::uint32_t mode = 0; mode < proof.cluster.modes.size(); ++mode) {
    Script script;
    if (mode != 0) script.steps.emplace_back(SwitchMode{mode, ""});
    for (const std::uint32_t queue : {*other, *serving}) {
      Submit submit;
      submit.workload.queue = queue;
      submit.workload.requests = {{resource, 1}};
      submit.workload.flavor = pool.flavor;
      script.steps.emplace_back(std::move(submit));
    }
    const Played played = stage.play(script);
    const auto in = [](const auto& event) { return event.settled == kueue::WorkloadState::Admitted; };
    const std::size_t first = mode == 0 ? 0 : 1;
    if (!in(played.events[first]) || !in(played.events[first + 1])) continue;
    const std::string& flavor = proof.cluster.flavors[pool.flavor].name;
    const std::string window = mode == 0 ? "" : ", during " + proof.cluster.modes[mode].name;
    return {{"", proof.cluster.queues[*other].name,
             fmt::format("asks for 1 share of `{}` and is admitted{}", flavor, window)},
            {"", proof.cluster.queues[*serving].name, fmt::format("asks for 1 share of `{}` and is admitted", flavor)},
            {"", "the device plugin",
             fmt::format("may give both a share of one GPU, which has {} of them, as its node has {}", pool.shares,
                         pool.shares * pool.devices)}};
  }
  return {};
}

}  // namespace

void judge_shared_pool(const Proof& proof, const SharedPool& pool, Report& report) {
  const std::string& name = proof.cluster.flavors[pool.flavor].name;
  Obligation o =
      obligation(Family::Partition, code::SharedCard, Verdict::Proven, {"ResourceFlavor", name, {}, name}, pool.span);
  o.required = std::any_of(pool.clients.begin(), pool.clients.end(),
                           [](const Client& client) { return client.isolation != Isolation::C; });
  const Broken found = broken(pool);
  if (found.serving == nullptr) {
    std::string who;
    for (const Client& client : pool.clients) add_to_list(who, fmt::format("`{}`", client.tenant));
    report.add(std::move(o),
               {.message = fmt::format("each GPU of `{}` is {} shares ({}), a node has {} on {} GPUs: shared by {}",
                                       name, pool.shares, way(pool), pool.shares * pool.devices, pool.devices,
                                       who.empty() ? "nobody" : who)});
    return;
  }
  o.verdict = Verdict::Refuted;
  o.required = true;
  o.span = found.serving->span;
  Detail detail;
  detail.message = fmt::format("`{}` shares GPUs of `{}` by {}{}: {}", found.serving->tenant, name, way(pool),
                               found.other == nullptr ? "" : fmt::format(" with `{}`", found.other->tenant), found.why);
  const std::string other =
      found.other == nullptr ? "another pod of its own" : fmt::format("`{}`", found.other->tenant);
  detail.story = both_admitted(proof, pool, found);
  if (!detail.story.empty())
    detail.story.push_back({"", found.serving->tenant,
                            pool.mps
                                ? fmt::format("ends when a process of {} makes a fault on that GPU", other)
                                : fmt::format("waits for its turn behind every process of {} on that GPU", other)});
  detail.fix = Fix{
      found.serving->isolation == Isolation::A ? "reserve it on a pool of whole GPUs, or of slices (`as mig { ... }`)"
      : pool.mps                               ? "give the others a pool of their own"
                 : "reserve it on a pool of whole GPUs, of slices (`as mig { ... }`), or of its own `as mps`"};
  report.add(std::move(o), std::move(detail));
}

namespace {

void clash(std::string_view kind, const std::string& name, Span span, std::string message, std::string fix,
           Report& report) {
  Obligation o = obligation(Family::Partition, code::PluginClash, Verdict::Refuted, {kind, name}, span);
  report.add(std::move(o), {.reason = message, .message = message, .fix = Fix{std::move(fix)}});
}

bool shares_by_mps(const PluginConfig& config) {
  return config.sharing == PluginConfig::Sharing::Mps || config.sharing == PluginConfig::Sharing::Both;
}

// The first queue that has a quota of such a resource, and the resource.
std::optional<std::pair<std::uint32_t, std::uint32_t>> first_quota(const Proof& proof, bool (*of)(std::string_view)) {
  for (std::uint32_t q = 0; q < proof.cluster.queues.size(); ++q)
    for (const ResourceGroup& group : proof.cluster.queues[q].groups)
      for (const FlavorQuotas& row : group.flavors)
        for (std::size_t i = 0; i < row.quotas.size(); ++i)
          if (row.quotas[i].nominal > 0 && of(proof.cluster.resources[group.covered[i]]))
            return {{q, group.covered[i]}};
  return std::nullopt;
}

bool is_slice(std::string_view resource) { return resource.starts_with("nvidia.com/mig-"); }

// Quotas of slices by the names that they have under `mixed`, where the operator says another strategy.
void judge_names(const Proof& proof, Report& report) {
  if (proof.intent.of_policy) return;
  const auto quota = first_quota(proof, is_slice);
  if (!quota) return;
  for (const OperatorPolicy& policy : proof.cluster.operator_policies)
    if (policy.mig_strategy == "single" || policy.mig_strategy == "none")
      clash("ClusterPolicy", policy.name, policy.span,
            fmt::format("mig.strategy is {}, under which no node offers {}, and `{}` has a quota of it",
                        *policy.mig_strategy, proof.cluster.resources[quota->second],
                        proof.cluster.queues[quota->first].name),
            "write `strategy: mixed`", report);
}

// Who serves from what is shared, under the name that it then has, and must not; of a flavor, where one is given. Class
// A never, class B by turns never; by MPS no class B beside somebody else.
struct ServesFrom {
  std::uint32_t queue = 0;
  std::string why_unknown;  // empty: it must not
};
std::optional<ServesFrom> serves_from(const Proof& proof, const std::string& offered, SharedNodes::Way way,
                                      std::optional<std::uint32_t> flavor = std::nullopt) {
  const auto& roles = proof.intent.roles;
  for (std::uint32_t q = 0; q < roles.size(); ++q) {
    if (!promised(roles[q]) || !can_have(proof.cluster, proof.cluster.queues[q], offered, flavor)) continue;
    if (roles[q].isolation == Isolation::A || way == SharedNodes::Way::TimeSlicing) return ServesFrom{q, {}};
    if (way == SharedNodes::Way::NotSaid)
      return ServesFrom{q, "whether pods take turns on them (time-slicing) or share them by MPS nothing says"};
    for (std::uint32_t other = 0; other < roles.size(); ++other)
      if (other != q && can_have(proof.cluster, proof.cluster.queues[other], offered, flavor))
        return ServesFrom{q, promised(roles[other]) ? fmt::format("whether `{}` is of the same owner nothing says",
                                                                  proof.cluster.queues[other].name)
                                                    : ""};
  }
  return std::nullopt;
}

// Devices of `subject` that several pods have at once: two quotas of them may be on one card, whatever name they have.
void say_shared(const Proof& proof, Subject subject, Span span, const ServesFrom& found, const std::string& how,
                const std::string& offered, Report& report, bool required = true) {
  Obligation o = obligation(Family::Partition, code::SharedCard, Verdict::Refuted, subject, span);
  const std::string& queue = proof.cluster.queues[found.queue].name;
  if (!found.why_unknown.empty()) {
    o.verdict = Verdict::Undecided;
    o.required = required;
    report.add(std::move(o), {.reason = found.why_unknown,
                              .message = fmt::format("whether `{}` may serve from {} is not known: {}", queue, offered,
                                                     found.why_unknown)});
    return;
  }
  report.add(
      std::move(o),
      {.message = fmt::format("{}: what `{}` owns as class {} are shares of devices that others may have, too", how,
                              queue, proof.intent.roles[found.queue].isolation == Isolation::A ? "A" : "B"),
       .story = {{"", queue, fmt::format("asks for 1 {} and is admitted within its quota", offered)},
                 {"", "the device plugin",
                  fmt::format("gives it a share of a device, whose others go to whoever asks for {} on that node",
                              offered)}},
       .fix = Fix{"serve from nodes whose devices are not shared: whole GPUs, or slices of MIG"}});
}

SharedNodes::Way way_of(const PluginConfig& config) {
  return shares_by_mps(config) ? SharedNodes::Way::Mps : SharedNodes::Way::TimeSlicing;
}

// By the configurations of the device plugin that are among the manifests.
void judge_exclusive(const Proof& proof, Report& report) {
  if (proof.intent.of_policy) return;
  for (const PluginConfigMap& map : proof.cluster.plugin_config_maps)
    for (const PluginConfig& config : map.configs)
      for (const auto& [resource, replicas] : config.replicas) {
        if (config.sharing == PluginConfig::Sharing::None) continue;
        const std::string offered = resource + (config.renames ? ".shared" : "");
        auto found = serves_from(proof, offered, way_of(config));
        if (!found) continue;
        const bool several = map.configs.size() > 1 || map.others;  // each node takes one of them, by a label
        if (several)
          found->why_unknown = fmt::format("which nodes take `{}` of `{}` is not known", config.name, map.name);
        say_shared(proof, {"ConfigMap", map.name}, config.span, *found,
                   fmt::format("`{}` shares each {} by {} under the name {}", config.name, resource, replicas, offered),
                   offered, report, !several);
      }
}

// The same, of what nodes say.
void judge_shared_nodes(const Proof& proof, Report& report) {
  for (const SharedNodes& nodes : proof.intent.shared_nodes) {
    SharedNodes::Way way = nodes.way;
    for (const PluginConfigMap& map : proof.cluster.plugin_config_maps)
      for (const PluginConfig& config : map.configs)
        if (way == SharedNodes::Way::NotSaid && map.configs.size() == 1 && !map.others) way = way_of(config);
    const auto found = serves_from(proof, nodes.resource, way, nodes.flavor);
    if (!found) continue;
    say_shared(proof, {"Node", nodes.node}, nodes.span, *found,
               fmt::format("{} each device that node `{}` offers as {}",
                           nodes.shares > 1 ? fmt::format("{} pods share", nodes.shares) : "several pods share",
                           nodes.node, nodes.resource),
               nodes.resource, report);
  }
}

}  // namespace

void judge_plugin_configs(const Proof& proof, Report& report) {
  bool mps = false;
  for (const PluginConfigMap& map : proof.cluster.plugin_config_maps)
    for (const PluginConfig& config : map.configs) {
      mps = mps || shares_by_mps(config);
      if (config.sharing == PluginConfig::Sharing::Both)
        clash("ConfigMap", map.name, config.span,
              fmt::format("`{}` says timeSlicing and mps: the device plugin takes mps and says nothing of it",
                          config.name),
              "leave one of them out", report);
      if (shares_by_mps(config) && config.mig_strategy == "mixed")
        clash("ConfigMap", map.name, config.span,
              fmt::format("`{}` says mps beside migStrategy mixed: the device plugin does not start", config.name),
              "give the nodes that are cut a configuration of their own, and write `migStrategy: none` here", report);
      for (const auto& [resource, replicas] : config.replicas)
        if (shares_by_mps(config) && is_slice(resource))
          clash("ConfigMap", map.name, config.span,
                fmt::format("`{}` shares {} by mps, which the device plugin does for whole GPUs alone", config.name,
                            resource),
                "share whole GPUs, or slices by timeSlicing", report);
        else if (replicas < 2 || (shares_by_mps(config) && replicas > 48))
          clash("ConfigMap", map.name, config.span,
                fmt::format("`{}` says {} replicas of {}: the device plugin takes {}", config.name, replicas, resource,
                            shares_by_mps(config) ? "2 to 48" : "2 or more"),
                "state a number that it takes", report);
    }
  judge_names(proof, report);
  judge_exclusive(proof, report);
  judge_shared_nodes(proof, report);
  for (const OperatorPolicy& policy : proof.cluster.operator_policies)
    if (mps && policy.mig_strategy == "mixed")
      clash("ClusterPolicy", policy.name, policy.span,
            "mig.strategy is mixed, which the device plugin is told as MIG_STRATEGY and puts above its configuration: "
            "beside mps it does not start",
            "take mig.strategy out, and state `flags.migStrategy` in each configuration of the device plugin", report);
}

}  // namespace gpol
