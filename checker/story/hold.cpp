#include "checker/story/hold.h"

#include <algorithm>
#include <map>

#include "checker/nodes/placement_model.h"
#include "checker/story/narrate.h"
#include "compiler/cluster/listed.h"
#include "compiler/source/lookup.h"

namespace gpol {

namespace {

const Quota* quota_in(const Cluster& cluster, const Mode& mode, std::uint32_t queue, std::uint32_t flavor,
                      std::uint32_t resource) {
  const Queue& q = cluster.queues[queue];
  if (!mode.changed.empty()) {
    const auto changed = mode.changed.find({q.name, cluster.flavors[flavor].name, cluster.resources[resource]});
    if (changed != mode.changed.end()) return &changed->second;
  }
  return listed_quota(q.groups, flavor, resource);
}

// The first mode in which the queue's own limits let it hold this much.
std::uint32_t mode_for(const Cluster& cluster, const kueue::WorkloadSpec& workload) {
  for (std::uint32_t m = 0; m < cluster.modes.size(); ++m) {
    const auto lets = [&](const kueue::Request& request) {
      const Quota* quota = quota_in(cluster, cluster.modes[m], workload.queue, *workload.flavor, request.resource);
      return quota != nullptr &&
             (!quota->borrowing || request.amount <= kueue::saturating_add(quota->nominal, *quota->borrowing));
    };
    if (std::ranges::all_of(workload.requests, lets)) return m;
  }
  return 0;
}

// A window's mode begins when the window does; sets of several windows have no one moment.
std::string start_of(const Intent& intent, const std::string& mode) {
  for (const auto& window : intent.windows)
    if (window.name == mode) return clock(window.from);
  return "";
}

// Whether a clock time lies in the window of a mode; sets of several windows have no one time.
bool lies_in(const Intent& intent, const std::string& mode, int minutes) {
  for (const auto& window : intent.windows)
    if (window.name == mode)
      return window.from < window.to ? window.from <= minutes && minutes < window.to
                                     : window.from <= minutes || minutes < window.to;
  return false;
}

std::int64_t most_of(const Cluster& cluster, const Intent& intent, std::uint32_t q, std::uint32_t flavor,
                     std::uint32_t resource) {
  if (cluster.queues[q].stop == StopPolicy::HoldAndDrain) return 0;
  if (intent.roles[q].kind == QueueRole::Kind::Serving) return reserve_of(cluster, intent, q, flavor, resource);
  const QueueRole& role = intent.roles[q];
  std::int64_t most = 0;  // a queue holds only what it lists
  for (const ListedQuota& one : listed_quotas(cluster.queues[q].groups))
    if (one.flavor == flavor && one.resource == resource)
      most = role.kind == QueueRole::Kind::Bounded ? one.quota.nominal
             : role.at_most.empty()                ? kueue::kUnlimited
                                                   : role.at_most[one.pair];
  return most;
}

}  // namespace

std::int64_t reserve_of(const Cluster& cluster, const Intent& intent, std::uint32_t queue, std::uint32_t flavor,
                        std::uint32_t resource) {
  const QueueRole& role = intent.roles[queue];
  if (role.kind != QueueRole::Kind::Serving) return 0;
  for (const ListedQuota& one : listed_quotas(cluster.queues[queue].groups))
    if (one.flavor == flavor && one.resource == resource) return role.reserve[one.pair];
  return 0;
}

kueue::Behaviour behaviour_of(const Cluster& cluster, const Intent& intent, std::uint32_t flavor,
                              std::uint32_t resource) {
  kueue::Behaviour behaviour;
  for (std::uint32_t q = 0; q < cluster.queues.size(); ++q)
    behaviour.at_most.push_back(most_of(cluster, intent, q, flavor, resource));
  return behaviour;
}

std::int64_t priority_of(const Cluster& cluster, const Intent& intent, std::uint32_t queue) {
  if (intent.roles[queue].priority) return *intent.roles[queue].priority;
  const char letter[] = {"ABC"[static_cast<int>(intent.roles[queue].isolation)], '\0'};
  for (const auto& priority : cluster.priority_classes) {
    if (has_value(priority.labels, "gpol.dev/class", letter)) return priority.value;
  }
  return 0;
}

std::vector<Step> steps_in_windows(const Cluster& cluster, const Intent& intent,
                                   std::vector<kueue::WorkloadSpec> workloads) {
  struct InMode {
    std::uint32_t mode;
    kueue::WorkloadSpec workload;
  };
  std::vector<InMode> planned;
  for (auto& workload : workloads) {
    const std::uint32_t mode = mode_for(cluster, workload);
    planned.push_back({mode, std::move(workload)});
  }
  // Whatever needs no window first, so that a story switches as rarely as it can.
  std::ranges::stable_sort(planned, {}, &InMode::mode);
  std::vector<Step> steps;
  std::uint32_t mode = 0;
  bool held = false;
  for (auto& [needed, workload] : planned) {
    if (needed != mode) steps.emplace_back(SwitchMode{needed, start_of(intent, cluster.modes[needed].name)});
    mode = needed;
    const QueueRole& role = intent.roles[workload.queue];
    held = held || cluster.queues[workload.queue].stop == StopPolicy::Hold;
    // It asks while the window that lets it is in force, whatever its usual time is.
    const bool then = role.asks_at && (mode == 0 || lies_in(intent, cluster.modes[mode].name, *role.asks_at));
    steps.emplace_back(Submit{std::move(workload), then ? clock(*role.asks_at) : "", false, false});
  }
  if (held) steps.emplace_back(PutOnHold{});
  return steps;
}

std::vector<Step> hold_steps(const Cluster& cluster, const Intent& intent, std::uint32_t flavor, std::uint32_t resource,
                             std::span<const kueue::Holding> holdings, std::int64_t priority) {
  std::vector<kueue::WorkloadSpec> workloads;
  for (const auto& holding : holdings) {
    const QueueRole& role = intent.roles[holding.queue];
    const bool serving = role.kind == QueueRole::Kind::Serving;
    workloads.push_back(
        {.queue = holding.queue,
         .priority = serving ? priority_of(cluster, intent, holding.queue) : role.priority.value_or(priority),
         .requests = {{resource, holding.amount}},
         .flavor = flavor,
         .asks_again = true});
  }
  std::vector<Step> steps = steps_in_windows(cluster, intent, std::move(workloads));
  for (Step& step : steps)
    if (auto* submit = std::get_if<Submit>(&step)) {
      const std::int64_t pod = pod_devices_of(intent, submit->workload.queue, flavor, resource);
      if (submit->workload.requests.front().amount % pod == 0) submit->pod = pod;
    }
  return steps;
}

std::int64_t pod_devices_of(const Intent& intent, std::uint32_t queue, std::uint32_t flavor, std::uint32_t resource) {
  const auto& shapes = intent.roles[queue].pod_shapes;
  const auto shape = shapes.find(flavor);
  return shape != shapes.end() && shape->second.resource == resource ? std::max<std::int64_t>(1, shape->second.amount)
                                                                     : 1;
}

bool shapes_declared(const Intent& intent) {
  return std::ranges::any_of(intent.roles, [](const auto& role) { return !role.pod_shapes.empty(); });
}

std::vector<kueue::Holding> in_shapes(const Stage& stage, const Intent& intent, std::uint32_t owner,
                                      std::uint32_t flavor, std::uint32_t resource,
                                      std::span<const kueue::Holding> holdings) {
  const kueue::Limits& limits = stage.widest(flavor, resource);
  kueue::Usage usage;
  std::vector<kueue::Holding> whole;
  for (const auto& holding : holdings) {
    const std::int64_t pod = pod_devices_of(intent, holding.queue, flavor, resource);
    const std::int64_t room = kueue::available(stage.shape(), limits, usage, holding.queue);
    const std::int64_t amount = std::min((holding.amount - 1) / pod + 1, room / pod) * pod;
    if (amount <= 0) continue;
    usage.add(stage.shape(), limits, holding.queue, amount);
    whole.push_back({holding.queue, amount});
  }
  return least_of(stage, owner, flavor, resource, whole, &intent);
}

std::vector<Step> fill_beside(const Stage& stage, const Intent& intent, std::uint32_t flavor, std::uint32_t resource,
                              std::span<const kueue::Holding> holdings) {
  const Cluster& cluster = stage.cluster();
  const auto& asked = cluster.flavors[flavor].node_labels;
  std::map<std::uint32_t, kueue::Usage> usage;  // by flavor
  std::vector<Step> steps;
  for (const auto& holding : holdings)
    for (const ResourceGroup& group : cluster.queues[holding.queue].groups) {
      if (!contains(group.flavors, flavor, &FlavorQuotas::flavor) || !contains(group.covered, resource)) continue;
      for (const FlavorQuotas& row : group.flavors) {
        if (row.flavor == flavor || !nodes::agree(asked, cluster.flavors[row.flavor].node_labels)) continue;
        const kueue::Limits& limits = stage.widest(row.flavor, resource);
        kueue::Usage& used = usage[row.flavor];
        const std::int64_t amount = std::min(kueue::available(stage.shape(), limits, used, holding.queue),
                                             most_of(cluster, intent, holding.queue, row.flavor, resource));
        if (amount <= 0) continue;
        used.add(stage.shape(), limits, holding.queue, amount);
        const std::vector<Step> more =
            hold_steps(cluster, intent, row.flavor, resource, std::vector{kueue::Holding{holding.queue, amount}}, 0);
        steps.insert(steps.end(), more.begin(), more.end());
      }
    }
  return steps;
}

std::vector<kueue::Holding> least_of(const Stage& stage, std::uint32_t owner, std::uint32_t flavor,
                                     std::uint32_t resource, std::span<const kueue::Holding> holdings,
                                     const Intent* intent) {
  const kueue::Shape& shape = stage.shape();
  const kueue::Limits& limits = stage.widest(flavor, resource);
  kueue::Usage usage;
  for (const auto& holding : holdings) usage.add(shape, limits, holding.queue, holding.amount);
  const auto left = [&] { return std::max<std::int64_t>(0, kueue::available(shape, limits, usage, owner)); };
  const std::int64_t least = left();
  std::vector<kueue::Holding> kept;
  for (const auto& holding : holdings) {
    const std::int64_t pod = intent == nullptr ? 1 : pod_devices_of(*intent, holding.queue, flavor, resource);
    std::int64_t fails = -1, works = holding.amount / pod;
    const auto leaves_least = [&](std::int64_t amount) {  // usage holds `works` of this queue now
      usage.add(shape, limits, holding.queue, (amount - works) * pod);
      const bool same = left() == least;
      usage.add(shape, limits, holding.queue, (works - amount) * pod);
      return same;
    };
    if (!leaves_least(works - 1)) fails = works - 1;  // nearly always: the witness is tight
    while (works - fails > 1) {
      const std::int64_t middle = fails + (works - fails) / 2;
      if (leaves_least(middle)) {
        usage.add(shape, limits, holding.queue, (middle - works) * pod);
        works = middle;
      } else {
        fails = middle;
      }
    }
    if (works > 0) kept.push_back({holding.queue, works * pod});
  }
  return kept;
}

std::vector<Step> worst_hold(const Stage& stage, const Intent& intent, std::uint32_t owner, std::uint32_t flavor,
                             std::uint32_t resource, std::int64_t priority, std::span<const std::uint32_t> idle,
                             Pods pods) {
  const Cluster& cluster = stage.cluster();
  kueue::Behaviour behaviour = behaviour_of(cluster, intent, flavor, resource);
  for (const std::uint32_t queue : idle) behaviour.at_most[queue] = 0;
  const auto holdings = kueue::witness(stage.shape(), stage.widest(flavor, resource), behaviour, owner);
  auto least = least_of(stage, owner, flavor, resource, holdings);
  if (pods == Pods::OfDeclaredShapes) least = in_shapes(stage, intent, owner, flavor, resource, least);
  return hold_steps(cluster, intent, flavor, resource, least, priority);
}

}  // namespace gpol
