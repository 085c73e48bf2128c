// Partition, of devices that several pods have at once: who may share a card with whom. MPS and time-slicing keep
// neither time nor faults apart (the CUDA documentation of MPS; README of NVIDIA/k8s-device-plugin), so what is
// promised a time stands on a card with nobody else but, under MPS, others of its own class and owner. And what the
// device plugin and the operator are told must agree: MPS does not start beside `mixed` (cmd/nvidia-device-plugin
// validateFlags).
#include <fmt/format.h>

#include <algorithm>

#include "checker/families/codes.h"
#include "checker/families/partition_parts.h"
#include "checker/families/plugin_keys.h"
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
    const auto other =
        std::ranges::find_if(pool.clients, [&](const Client& one) { return one.tenant != client.tenant; });
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
  const auto at = std::ranges::find(names, slices_row(kShares).name);
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
  o.required = std::ranges::any_of(pool.clients, [](const Client& client) { return client.isolation != Isolation::C; });
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

void clash(std::string_view kind, std::string_view name, Span span, std::string message, std::string fix,
           Report& report) {
  Obligation o = obligation(Family::Partition, code::PluginClash, Verdict::Refuted, {kind, name}, span);
  report.add(std::move(o), {.reason = message, .message = message, .fix = Fix{std::move(fix)}});
}

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
  for (const OperatorPolicy& policy : proof.cluster.operator_policies)
    if (mps && policy.mig_strategy == "mixed")
      clash("ClusterPolicy", policy.name, policy.span,
            "mig.strategy is mixed, which the device plugin is told as MIG_STRATEGY and puts above its configuration: "
            "beside mps it does not start",
            "take mig.strategy out, and state `flags.migStrategy` in each configuration of the device plugin", report);
}

}  // namespace gpol
