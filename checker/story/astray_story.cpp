#include <algorithm>

#include <fmt/format.h>

#include "checker/story/hold.h"
#include "checker/story/narrate.h"
#include "checker/story/node_stories.h"
#include "compiler/cluster/listed.h"
#include "compiler/policy/units.h"
#include "compiler/source/lookup.h"

namespace gpol {

namespace {

using kueue::Model;
using kueue::WorkloadSpec;
using State = kueue::WorkloadState;

constexpr int kMostPods = 64;

bool serves(const Intent& intent, std::uint32_t queue) { return promised(intent.roles[queue]); }

// The first device that the queue owns of a flavor, or of any.
std::optional<std::uint32_t> first_device(const Cluster& cluster, std::uint32_t queue,
                                          std::optional<std::uint32_t> flavor) {
  for (const ListedQuota& one : listed_quotas(cluster.queues[queue].groups))
    if ((!flavor || one.flavor == *flavor) && one.quota.nominal > 0 && is_gpu_or_slice(cluster.resources[one.resource]))
      return one.resource;
  return std::nullopt;
}

// A pod of the queue: a replica of serving, of one device where none is declared; of batch the smallest there may be.
WorkloadSpec pod_of(const Cluster& cluster, const Intent& intent, std::uint32_t queue,
                    std::optional<std::uint32_t> flavor) {
  WorkloadSpec spec;
  const QueueRole& role = intent.roles[queue];
  spec.queue = queue;
  spec.priority = role.priority.value_or(serves(intent, queue) ? priority_of(cluster, intent, queue) : 0);
  spec.asks_again = !serves(intent, queue);
  const std::optional<std::uint32_t> device =
      !serves(intent, queue) || devices_in(cluster, role.replica) ? std::nullopt : first_device(cluster, queue, flavor);
  for (std::uint32_t r = 0; r < cluster.resources.size(); ++r) {
    std::int64_t amount = per_replica(role, r);
    if (flavor)
      if (const auto shape = role.pod_shapes.find(*flavor);
          shape != role.pod_shapes.end() && shape->second.resource == r)
        amount = shape->second.amount;
    if (device == r && amount == 0) amount = 1;
    if (amount > 0 && cluster.resources[r] != "pods") spec.requests.push_back({r, amount});
  }
  return spec;
}

// What was admitted so that the pod has its flavor: how many of the queue's own before it; in which window.
struct Admitted {
  std::uint32_t mode = 0;
  int before = 0;
};

// Asks for one pod after another until one is given the flavor.
std::optional<Admitted> given(const Cluster& cluster, const Intent& intent, std::uint32_t queue,
                              std::optional<std::uint32_t> flavor) {
  const auto compiled = kueue::compile(cluster);
  for (std::uint32_t mode = 0; mode < std::max<std::size_t>(1, cluster.modes.size()); ++mode) {
    Model model(compiled, mode);
    for (int before = 0; before < kMostPods; ++before) {
      WorkloadSpec spec = pod_of(cluster, intent, queue, flavor);
      if (!serves(intent, queue)) spec.flavor = flavor;  // a user writes the selector; serving takes what it is given
      const auto id = model.submit(std::move(spec));
      model.cycle();
      if (model.state(id) != State::Admitted) break;
      const auto held = model.held(id);
      const auto got = [&](const Model::Use& use) { return flavor && use.flavor == *flavor; };
      if (flavor ? std::ranges::any_of(held, got) : held.empty()) return Admitted{mode, before};
    }
  }
  return std::nullopt;
}

nodes::Amounts amounts_of(const Cluster& cluster, const WorkloadSpec& spec) {
  nodes::Amounts amounts(cluster.resources.size(), 0);
  for (const auto& request : spec.requests) amounts[request.resource] = request.amount;
  return amounts;
}

// One node of every pool, as large as it is declared; of a pool that nobody describes, large enough.
nodes::PlacementModel a_node_of_each(const Cluster& cluster, const Intent& intent) {
  nodes::PlacementModel model(cluster);
  for (std::uint32_t p = 0; p < cluster.node_pools.size(); ++p) {
    nodes::Amounts has(cluster.resources.size(), INT64_MAX);
    for (const PoolCapacity& capacity : intent.capacities)
      if (capacity.nodes == p && !capacity.of_one.empty()) has = capacity.of_one;
    model.add_nodes(p, 1, has);
  }
  return model;
}

std::vector<std::uint32_t> list_of(std::optional<std::uint32_t> flavor) {
  return flavor ? std::vector<std::uint32_t>{*flavor} : std::vector<std::uint32_t>{};
}

std::vector<StoryStep> before_it(const Stage& stage, const Intent& intent, std::uint32_t queue,
                                 const Admitted& admitted) {
  std::vector<StoryStep> steps;
  const Cluster& cluster = stage.cluster();
  if (admitted.mode > 0)
    steps.push_back({"", "window", fmt::format("`{}` is in force from now on", cluster.modes[admitted.mode].name)});
  if (admitted.before > 0)
    steps.push_back({"", tenant_of(cluster, intent, queue),
                     fmt::format("asks for {} {} and is admitted with other flavors", admitted.before,
                                 admitted.before == 1 ? "pod" : "pods")});
  return steps;
}

std::string asked(const Cluster& cluster, const WorkloadSpec& spec) {
  return spec.requests.empty() ? "1 pod that asks for nothing" : "1 pod of " + amounts_in_words(cluster, spec.requests);
}

std::string with_flavor(const Cluster& cluster, std::optional<std::uint32_t> flavor) {
  return flavor ? fmt::format("is admitted with `{}`", cluster.flavors[*flavor].name)
                : std::string("is admitted with no flavor, so that nothing is added to its selector");
}

// Kueue lets the pod in, and once it is gone the same pod again: its quota is free.
bool admitted_twice(const Cluster& cluster, const Intent& intent, const Taken& what, const Admitted& how) {
  Model model(kueue::compile(cluster), how.mode);
  const auto given_it = [&] {
    const auto id = model.submit(pod_of(cluster, intent, what.queue, what.flavor));
    model.cycle();
    const auto held = model.held(id);
    const bool got = model.state(id) == State::Admitted && contains(held, what.flavor, &kueue::Model::Use::flavor);
    return got ? std::optional(id) : std::nullopt;
  };
  for (int i = 0; i < how.before; ++i) {
    model.submit(pod_of(cluster, intent, what.queue, what.flavor));
    model.cycle();
  }
  const auto first = given_it();
  if (!first) return false;
  model.finish(*first);
  return given_it().has_value();
}

// One that it declares, else of one device that it reserves.
nodes::Amounts replica_outside(const Cluster& cluster, const OutsideReserve& tenant) {
  nodes::Amounts amounts = tenant.replica;
  amounts.resize(cluster.resources.size(), 0);
  if (tenant.replica.empty())
    if (const auto device = devices_in(cluster, tenant.reserve)) amounts[device->resource] = 1;
  return amounts;
}

std::string pod_in_words(const Cluster& cluster, const nodes::Amounts& amounts) {
  WorkloadSpec spec;
  for (std::uint32_t r = 0; r < amounts.size(); ++r)
    if (amounts[r] > 0 && cluster.resources[r] != "pods") spec.requests.push_back({r, amounts[r]});
  return asked(cluster, spec);
}

}  // namespace

std::optional<Story> tell_astray(const Stage& stage, const Intent& intent, const Astray& what) {
  const Cluster& cluster = stage.cluster();
  if (!stage.uncovered().empty()) return std::nullopt;
  const auto admitted = given(cluster, intent, what.queue, what.flavor);
  if (!admitted) return std::nullopt;
  const WorkloadSpec spec = pod_of(cluster, intent, what.queue, what.flavor);
  const bool serving = serves(intent, what.queue);
  nodes::Pod own{amounts_of(cluster, spec), {}, {}};
  const NodePool& pool = cluster.node_pools[what.pool];
  if (!serving) {  // a user may write any selector and any toleration
    own.selector = pool.labels;
    own.tolerations.push_back({"", "Exists", "", "", std::nullopt});
  }
  const auto pod = nodes::admitted(cluster, list_of(what.flavor), std::move(own));
  nodes::PlacementModel model = a_node_of_each(cluster, intent);
  if (!pod || !model.place(what.pool, *pod)) return std::nullopt;
  Story story;
  story.steps = before_it(stage, intent, what.queue, *admitted);
  const auto& at = intent.roles[what.queue].asks_at;
  story.steps.push_back(
      {at ? clock(*at) : "", tenant_of(cluster, intent, what.queue),
       fmt::format(
           "asks for {}{} and {}; its pod fits on a node of `{}`", asked(cluster, spec),
           serving ? "" : fmt::format(", which selects the labels of `{}` and tolerates every taint,", pool.name),
           with_flavor(cluster, what.flavor), pool.name)});
  tell_days(story.steps);
  return story;
}

std::optional<Story> tell_taken(const Stage& stage, const Intent& intent, const Taken& what) {
  const Cluster& cluster = stage.cluster();
  const bool queued = what.queue != kNone;
  std::optional<Admitted> how;
  if (queued) {
    if (!stage.uncovered().empty()) return std::nullopt;
    how = given(cluster, intent, what.queue, what.flavor);
    if (!how || !admitted_twice(cluster, intent, what, *how)) return std::nullopt;
  }
  const nodes::Amounts amounts = queued ? amounts_of(cluster, pod_of(cluster, intent, what.queue, what.flavor))
                                        : replica_outside(cluster, intent.outside[what.outside]);
  const auto pod = nodes::admitted(cluster, list_of(what.flavor), {amounts, {}, {}});
  nodes::PlacementModel model = a_node_of_each(cluster, intent);
  if (!pod || !model.place(what.pool, *pod)) return std::nullopt;
  model.lose(what.pool);
  if (!model.feasible(*pod).empty()) return std::nullopt;

  Millis notice = 0;
  for (const PoolCapacity& capacity : intent.capacities)
    if (capacity.nodes == what.pool) notice = capacity.notice;
  const std::string& pool = cluster.node_pools[what.pool].name;
  const std::string one = pod_in_words(cluster, amounts);
  const std::string who = queued ? tenant_of(cluster, intent, what.queue) : intent.outside[what.outside].tenant;
  const std::string is_in = queued ? " and " + with_flavor(cluster, what.flavor) : "";
  const auto at = queued ? intent.roles[what.queue].asks_at : std::nullopt;
  Story story;
  if (queued) story.steps = before_it(stage, intent, what.queue, *how);
  story.steps.push_back(
      {at ? clock(*at) : "", who,
       fmt::format("{} {}{}; it stands on a spot node of `{}`", queued ? "asks for" : "starts", one, is_in, pool)});
  story.steps.push_back({"", "provider",
                         fmt::format("takes all spot nodes of `{}` back, {} after its notice; the pod is gone with its "
                                     "node",
                                     pool, human_duration(notice))});
  story.steps.push_back(
      {"", who,
       fmt::format("{} {} again{}; there is no node of `{}`: it waits until the provider has one",
                   queued ? "asks for" : "starts", one, queued ? is_in + ", since its quota is free" : "", pool)});
  tell_days(story.steps);
  return story;
}

std::optional<Story> tell_nowhere(const Stage& stage, const Intent& intent, std::uint32_t queue, std::uint32_t flavor) {
  const Cluster& cluster = stage.cluster();
  if (!stage.uncovered().empty()) return std::nullopt;
  const auto admitted = given(cluster, intent, queue, flavor);
  if (!admitted) return std::nullopt;
  const WorkloadSpec spec = pod_of(cluster, intent, queue, flavor);
  nodes::Pod own{amounts_of(cluster, spec), {}, {}};
  if (!serves(intent, queue)) own.tolerations.push_back({"", "Exists", "", "", std::nullopt});
  const auto pod = nodes::admitted(cluster, list_of(flavor), std::move(own));
  if (!pod || !a_node_of_each(cluster, intent).feasible(*pod).empty()) return std::nullopt;
  Story story;
  story.steps = before_it(stage, intent, queue, *admitted);
  const auto& at = intent.roles[queue].asks_at;
  story.steps.push_back({at ? clock(*at) : "", tenant_of(cluster, intent, queue),
                         fmt::format("asks for {} and {}; its pod fits on no node and waits for ever",
                                     asked(cluster, spec), with_flavor(cluster, flavor))});
  tell_days(story.steps);
  return story;
}

}  // namespace gpol
