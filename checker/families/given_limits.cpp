// ResourceQuotas and LimitRanges beside serving: the first may refuse a pod that Kueue has admitted, the second gives
// it requests that nobody asked Kueue for. Neither is modelled, so that of serving's namespaces they are assumed to do
// nothing; ResourceQuotas of fewer pods or devices than serving owns do something. A LimitRange of batch's may have
// Kueue count less than its pods hold: of a container with a limit and no request it counts the default one
// (pkg/workload/resources.go AdjustResources), and the pod asks for the limit. That takes room of serving where both
// may stand on one node.
#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "checker/families/given.h"
#include "checker/families/pairs.h"
#include "checker/families/whose.h"
#include "checker/nodes/placement_model.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

constexpr std::size_t kMostTold = 8;

// From which the queue can be asked: of its LocalQueues, or, where none is known, what its selector may let in.
bool asks(const std::string& ns, const Queue& queue, const Cluster& cluster) {
  bool any = false, here = false;
  for (const LocalQueue& local : cluster.local_queues)
    if (local.cluster_queue == queue.name) any = true, here = here || local.ns == ns || local.ns.empty();
  return any ? here : lets_in(cluster, queue.namespaces, ns) != false;
}

bool asks(const std::string& ns, QueueRole::Kind kind, const Cluster& cluster, const Intent& intent) {
  for (std::size_t q = 0; q < cluster.queues.size(); ++q)
    if (intent.roles[q].kind == kind && asks(ns, cluster.queues[q], cluster)) return true;
  return false;
}

// Names those that are concerned, and takes them out of `limits`.
std::string take(std::vector<PodLimits>& limits, const std::function<bool(const PodLimits&)>& concerns) {
  std::vector<std::string> words;
  for (const PodLimits& one : limits)
    if (concerns(one)) words.push_back(fmt::format("{} `{}`", one.kind, one.name));
  std::erase_if(limits, concerns);
  std::ranges::sort(words);
  return listed_up_to(kMostTold, words);
}

// Those from which alone the queue can be asked; nothing where they are not known. What a stopped LocalQueue, or one
// that the queue does not let in, asks for is not admitted.
std::set<std::string> only_from(const Queue& queue, const Cluster& cluster) {
  std::set<std::string> out;
  for (const LocalQueue& local : cluster.local_queues) {
    if (local.cluster_queue != queue.name) continue;
    if (local.ns.empty()) return {};
    if (local.stop == StopPolicy::None && lets_in(cluster, queue.namespaces, local.ns) != false) out.insert(local.ns);
  }
  return out;
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

// What ResourceQuotas let the pods of each namespace have of one resource, dealt out to queues: the largest flow, by
// augmenting paths. Where a queue does not get what it owns, those that were reached and their namespaces are what is
// short, and all of these are dealt out.
class Dealt {
 public:
  struct Limit {
    const PodLimits* by = nullptr;
    std::pair<std::int64_t, PodFacts::Ask> least;
    std::int64_t left = 0;
    std::map<std::uint32_t, std::int64_t> of = {};  // what queues have of it
  };
  struct Short {
    std::set<std::uint32_t> queues;
    std::set<std::string> namespaces;
  };

  void limit(const PodLimits& by, const std::pair<std::int64_t, PodFacts::Ask>& least) {
    const auto [at, fresh] = limits_.try_emplace(by.ns);
    if (fresh || least.first < at->second.least.first) at->second = {&by, least, least.first};
  }

  // Nothing: there is enough, or no limit in some namespace of its.
  std::optional<Short> deal(std::uint32_t queue, std::int64_t wanted, std::set<std::string> namespaces) {
    if (namespaces.empty()) return std::nullopt;
    for (const std::string& ns : namespaces)
      if (!limits_.contains(ns)) return std::nullopt;
    asks_.emplace(queue, std::move(namespaces));
    while (wanted > 0) {
      Short reached{{queue}, {}};
      const std::int64_t more = augment(queue, wanted, reached);
      if (more == 0) return reached;
      wanted -= more;
    }
    return std::nullopt;
  }

  const Limit& at(const std::string& ns) const { return limits_.at(ns); }

 private:
  std::int64_t augment(std::uint32_t queue, std::int64_t most, Short& reached) {
    std::map<std::string, std::uint32_t> asked_by;  // along the path: the namespace by the queue,
    std::map<std::uint32_t, std::string> gives_up;  // and the queue what it has of the namespace
    std::vector<std::uint32_t> next{queue};
    for (std::size_t i = 0; i < next.size(); ++i)
      for (const std::string& ns : asks_.at(next[i])) {
        if (!reached.namespaces.insert(ns).second) continue;
        asked_by.emplace(ns, next[i]);
        const Limit& limit = limits_.at(ns);
        if (limit.left > 0) return take(queue, ns, std::min(most, limit.left), asked_by, gives_up);
        for (const auto& [other, has] : limit.of)
          if (has > 0 && reached.queues.insert(other).second) gives_up.emplace(other, ns), next.push_back(other);
      }
    return 0;
  }

  std::int64_t take(std::uint32_t queue, const std::string& end, std::int64_t amount,
                    const std::map<std::string, std::uint32_t>& asked_by,
                    const std::map<std::uint32_t, std::string>& gives_up) {
    for (std::uint32_t by = asked_by.at(end); by != queue; by = asked_by.at(gives_up.at(by)))
      amount = std::min(amount, limits_.at(gives_up.at(by)).of.at(by));
    limits_.at(end).left -= amount;
    std::string ns = end;
    for (std::uint32_t by = asked_by.at(ns);; by = asked_by.at(ns)) {
      limits_.at(ns).of[by] += amount;
      if (by == queue) return amount;
      ns = gives_up.at(by);
      limits_.at(ns).of.at(by) -= amount;
    }
  }

  std::map<std::string, Limit> limits_;  // by namespace
  std::map<std::uint32_t, std::set<std::string>> asks_;
};

// Of ResourceQuotas that count the pods of some PriorityClasses alone: those that pods of serving have count them all.
class ByClass {
 public:
  ByClass(const Proof& proof, std::span<const PodFacts> pods) : proof_(proof), pods_(pods), whose_(proof) {}

  // "pods of PriorityClass `high` in `chat`, such as those of Deployment `chat/vllm`,"; empty: it counts none of them.
  std::string counts(const PodLimits& limits) const {
    for (const PodFacts& pods : pods_) {
      const std::string of = class_of(pods);
      if (pods.ns != limits.ns || !serves(pods) || !matches(limits, of)) continue;
      return fmt::format("pods of {} in `{}`, such as those of {} `{}`,",
                         of.empty() ? "no PriorityClass" : "PriorityClass `" + of + "`", limits.ns, pods.kind,
                         pods.name);
    }
    return {};
  }

 private:
  std::string class_of(const PodFacts& pods) const {
    if (!pods.priority_class.empty()) return pods.priority_class;
    for (const PriorityClass& one : proof_.cluster.pod_priority_classes)
      if (one.global_default) return one.name;
    return {};
  }

  static bool matches(const PodLimits& limits, const std::string& of) {
    if (limits.class_op == "In") return limits.classes.contains(of);
    if (limits.class_op == "NotIn") return !limits.classes.contains(of);
    return limits.class_op == (of.empty() ? "DoesNotExist" : "Exists");
  }

  bool serves(const PodFacts& pods) const {
    const std::uint32_t q = whose_.queue(pods);
    return q != kNone && promised(proof_.intent.roles[q]) && !pods.needs.empty();
  }

  const Proof& proof_;
  const std::span<const PodFacts> pods_;
  const Whose whose_;
};

LimitsFound::Broken too_little(const std::string& resource, const Dealt::Short& found, const Dealt& dealt,
                               const Cluster& cluster, const ByClass& by_class) {
  std::vector<std::string> quotas, namespaces, queues;
  for (const std::string& ns : found.namespaces) {
    quotas.push_back(fmt::format("`{}`", dealt.at(ns).by->name));
    namespaces.push_back(fmt::format("`{}`", ns));
  }
  for (const std::uint32_t q : found.queues) queues.push_back(fmt::format("`{}`", cluster.queues[q].name));
  const bool one = queues.size() == 1, alone = namespaces.size() == 1;
  const Dealt::Limit& first = dealt.at(*found.namespaces.begin());
  return {
      first.by->kind, first.by->name,
      fmt::format("ResourceQuota{} {} let{} {} have {}less of `{}` than {} {}: they are refused, though Kueue admits "
                  "them",
                  alone ? "" : "s", listed_up_to(kMostTold, quotas), alone ? "s" : "",
                  first.by->scoped ? by_class.counts(*first.by)
                                   : fmt::format("all pods of {}, from which alone {} {} asked,",
                                                 listed_up_to(kMostTold, namespaces), listed_up_to(kMostTold, queues),
                                                 one ? "is" : "are"),
                  alone ? "" : "together ", resource,
                  first.by->scoped ? listed_up_to(kMostTold, queues) : std::string(one ? "it" : "they"),
                  one ? "owns" : "own together"),
      fmt::format("raise `{}`{} to what {} own{}, or leave it out", first.least.second.field,
                  alone ? "" : ", or those beside it,", listed_up_to(kMostTold, queues), one ? "s" : " together"),
      first.least.second};
}

void too_little(const std::vector<PodLimits>& limits, const Cluster& cluster, const Intent& intent,
                const ByClass& by_class, LimitsFound& found) {
  std::map<std::string, Dealt> by_resource;
  for (const PodLimits& one : limits)
    for (const auto& [resource, least] : one.hard)
      if (!one.ns.empty() && (!one.scoped || !by_class.counts(one).empty())) by_resource[resource].limit(one, least);
  std::set<std::string> told;
  for (auto& [resource, dealt] : by_resource)
    for (std::uint32_t q = 0; q < cluster.queues.size(); ++q) {
      if (!promised(intent.roles[q])) continue;
      const std::int64_t wanted =
          resource == "pods" ? intent.roles[q].unit_demand.value_or(0) : owned(q, resource, cluster, intent);
      const auto lacking = dealt.deal(q, wanted, only_from(cluster.queues[q], cluster));
      if (!lacking) continue;
      LimitsFound::Broken broken = too_little(resource, *lacking, dealt, cluster, by_class);
      if (told.insert(broken.name).second) found.serving.push_back(std::move(broken));
    }
}

// Whether a node may be of both: one that is there, or, where none were given, one that has the labels of both. Of a
// flavor that is not described no label is known.
bool share_nodes(std::uint32_t f, std::uint32_t g, const Cluster& cluster, std::span<const NodeFacts> nodes) {
  if (f == g) return true;
  const auto &one = cluster.flavors[f].node_labels, &other = cluster.flavors[g].node_labels;
  if (!nodes.empty())
    return std::ranges::any_of(nodes, [&](const NodeFacts& node) {
      return nodes::selects(one, node.labels) && nodes::selects(other, node.labels);
    });
  return nodes::agree(one, other);
}

// Whether pods of batch in the namespace of the LimitRange may stand where those of the queue do. What is counted as
// nothing a queue need not cover (pkg/scheduler/flavorassigner), and a pod without a flavor stands wherever it likes.
bool beside(const PodLimits& one, const Queue& queue, const Cluster& cluster, const Intent& intent,
            std::span<const NodeFacts> nodes) {
  std::set<std::uint32_t> batch;
  for (std::size_t q = 0; q < cluster.queues.size(); ++q) {
    const Queue& other = cluster.queues[q];
    if (intent.roles[q].kind != QueueRole::Kind::Batch || (!one.ns.empty() && !asks(one.ns, other, cluster))) continue;
    if (std::ranges::any_of(one.of_nothing,
                            [&](const std::string& resource) { return !covers(other, resource, cluster); }))
      return true;
    batch.merge(flavors_of(other));
  }
  return std::ranges::any_of(flavors_of(queue), [&](std::uint32_t f) {
    return std::ranges::any_of(batch, [&](std::uint32_t g) { return share_nodes(f, g, cluster, nodes); });
  });
}

// A resource that some queue that serves owns, too.
void counted_less(const PodLimits& one, const Cluster& cluster, const Intent& intent, std::span<const NodeFacts> nodes,
                  LimitsFound& found) {
  for (const auto& [resource, at] : one.defaults)
    for (std::uint32_t q = 0; q < cluster.queues.size(); ++q) {
      if (!promised(intent.roles[q]) || owned(q, resource, cluster, intent) == 0 ||
          !beside(one, cluster.queues[q], cluster, intent, nodes))
        continue;
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

LimitsFound look_at_limits(const Proof& proof, std::span<const OutsideFacts> outside, std::span<const NodeFacts> nodes,
                           std::span<const PodFacts> pods, std::vector<PodLimits>& limits) {
  const Cluster& cluster = proof.cluster;
  const Intent& intent = proof.intent;
  LimitsFound found;
  too_little(limits, cluster, intent, ByClass(proof, pods), found);
  for (const PodLimits& one : limits) counted_less(one, cluster, intent, nodes, found);
  found.of_serving = take(limits, [&](const PodLimits& one) {
    return one.ns.empty() || asks(one.ns, QueueRole::Kind::Serving, cluster, intent) ||
           std::ranges::any_of(outside,
                               [&](const OutsideFacts& facts) { return facts.ns == one.ns || facts.ns.empty(); });
  });
  found.of_batch = take(limits, [&](const PodLimits& one) {
    for (std::uint32_t q = 0; q < cluster.queues.size() && !one.defaults.empty(); ++q)
      if (promised(intent.roles[q]) && beside(one, cluster.queues[q], cluster, intent, nodes)) return true;
    return false;
  });
  return found;
}

}  // namespace gpol
