// ResourceQuotas and LimitRanges beside serving: the first may refuse a pod that Kueue has admitted, the second gives
// it requests that nobody asked Kueue for. Neither is modelled, so that of serving's namespaces they are assumed to do
// nothing; a ResourceQuota of fewer pods or devices than serving owns does something. A LimitRange of batch's may have
// Kueue count less than its pods hold: of a container with a limit and no request it counts the default one
// (pkg/workload/resources.go AdjustResources), and the pod asks for the limit.
#include <algorithm>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/families/given.h"
#include "checker/families/pairs.h"
#include "checker/kueue/amount.h"

namespace gpol {

namespace {

// From which such a queue can be asked: of its LocalQueues, or, where none is known, what its selector may let in.
bool asks(const std::string& ns, QueueRole::Kind kind, const Cluster& cluster, const Intent& intent) {
  for (std::size_t q = 0; q < cluster.queues.size(); ++q) {
    if (intent.roles[q].kind != kind) continue;
    const Queue& queue = cluster.queues[q];
    bool any = false, here = false;
    for (const LocalQueue& local : cluster.local_queues)
      if (local.cluster_queue == queue.name) any = true, here = here || local.ns == ns || local.ns.empty();
    if (any ? here : lets_in(cluster, queue.namespaces, ns) != false) return true;
  }
  return false;
}

// Names those that are concerned, and takes them out of `limits`.
std::string take(std::vector<PodLimits>& limits, const std::function<bool(const PodLimits&)>& concerns) {
  std::vector<std::string> words;
  for (const PodLimits& one : limits)
    if (concerns(one)) words.push_back(fmt::format("{} `{}`", one.kind, one.name));
  std::erase_if(limits, concerns);
  std::sort(words.begin(), words.end());
  constexpr std::size_t kMost = 8;
  const std::size_t more = words.size() > kMost ? words.size() - kMost : 0;
  words.resize(words.size() - more);
  return fmt::format("{}{}", fmt::join(words, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

// Whether every workload of the queue is of this namespace, as far as it is known.
bool only_from(const std::string& ns, const Queue& queue, const Cluster& cluster) {
  bool any = false;
  for (const LocalQueue& local : cluster.local_queues) {
    if (local.cluster_queue != queue.name) continue;
    if (local.ns != ns) return false;
    any = true;
  }
  return any;
}

// Of one resource, over all flavors.
std::int64_t owned(std::uint32_t q, std::string_view resource, const Cluster& cluster, const Intent& intent) {
  const auto pairs = pairs_of(cluster.queues[q]);
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (cluster.resources[pairs[i].resource] == resource)
      sum = kueue::saturating_add(sum, reserve_at(intent.roles[q], i));
  return sum;
}

bool promised(const QueueRole& role) { return role.kind == QueueRole::Kind::Serving && role.isolation != Isolation::C; }

void too_little(const PodLimits& one, const Cluster& cluster, const Intent& intent, LimitsFound& found) {
  for (std::uint32_t q = 0; q < cluster.queues.size() && !one.scoped; ++q) {
    const Queue& queue = cluster.queues[q];
    const QueueRole& role = intent.roles[q];
    if (!promised(role) || !only_from(one.ns, queue, cluster)) continue;
    for (const auto& [resource, limit] : one.hard) {
      const bool pods = resource == "pods";
      const std::int64_t wanted = pods ? role.unit_demand.value_or(0) : owned(q, resource, cluster, intent);
      if (limit.first >= wanted) continue;
      found.serving.push_back(
          {one.kind, one.name,
           fmt::format(
               "ResourceQuota `{}` lets all pods of `{}`, from which alone `{}` is asked, have less of `{}` than "
               "it owns: they are refused, though Kueue admits them",
               one.name, one.ns, queue.name, resource),
           fmt::format("raise `{}` to what `{}` owns, or leave it out", limit.second.field, queue.name), limit.second});
      return;
    }
  }
}

// A resource that some queue that serves owns, too.
void counted_less(const PodLimits& one, const Cluster& cluster, const Intent& intent, LimitsFound& found) {
  for (const auto& [resource, at] : one.defaults)
    for (std::uint32_t q = 0; q < cluster.queues.size(); ++q) {
      if (!promised(intent.roles[q]) || owned(q, resource, cluster, intent) == 0) continue;
      found.batch.push_back(
          {one.kind, one.name,
           fmt::format(
               "LimitRange `{}` gives containers of batch a default of `{}`: of one with a limit and no request "
               "Kueue counts the default, and its pod holds the limit",
               one.name, resource),
           fmt::format("take `{}` out of its defaults and minimums", resource), at});
      return;
    }
}

}  // namespace

LimitsFound look_at_limits(const Cluster& cluster, const Intent& intent, std::span<const OutsideFacts> outside,
                           std::vector<PodLimits>& limits) {
  LimitsFound found;
  for (const PodLimits& one : limits) {
    too_little(one, cluster, intent, found);
    if (one.ns.empty() || asks(one.ns, QueueRole::Kind::Batch, cluster, intent))
      counted_less(one, cluster, intent, found);
  }
  found.of_serving = take(limits, [&](const PodLimits& one) {
    return one.ns.empty() || asks(one.ns, QueueRole::Kind::Serving, cluster, intent) ||
           std::any_of(outside.begin(), outside.end(),
                       [&](const OutsideFacts& facts) { return facts.ns == one.ns || facts.ns.empty(); });
  });
  found.of_batch = take(limits, [&](const PodLimits& one) {
    return !one.defaults.empty() && asks(one.ns, QueueRole::Kind::Batch, cluster, intent);
  });
  return found;
}

}  // namespace gpol
