// ResourceQuotas and LimitRanges beside serving: the first may refuse a pod that Kueue has admitted, the second gives
// it requests that nobody asked Kueue for. Neither is modelled, so that of serving's namespaces they are assumed to do
// nothing. A LimitRange of batch's may have Kueue count less than its pods hold: of a container with a limit and no
// request it counts the default one (pkg/workload/resources.go AdjustResources), and the pod asks for the limit.
#include <algorithm>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/families/given.h"

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

}  // namespace

std::string limits_of_serving(const Cluster& cluster, const Intent& intent, std::span<const OutsideFacts> outside,
                              std::vector<PodLimits>& limits) {
  return take(limits, [&](const PodLimits& one) {
    return one.ns.empty() || asks(one.ns, QueueRole::Kind::Serving, cluster, intent) ||
           std::any_of(outside.begin(), outside.end(),
                       [&](const OutsideFacts& facts) { return facts.ns == one.ns || facts.ns.empty(); });
  });
}

std::string defaults_of_batch(const Cluster& cluster, const Intent& intent, std::vector<PodLimits>& limits) {
  return take(limits, [&](const PodLimits& one) {
    return one.kind == "LimitRange" && asks(one.ns, QueueRole::Kind::Batch, cluster, intent);
  });
}

}  // namespace gpol
