// Places of observed serving: what is not known of them where nobody declared pools, and nodes that two flavors take
// for theirs.
#include <algorithm>

#include <fmt/format.h>

#include "checker/families/codes.h"
#include "checker/families/given.h"
#include "checker/families/strangers.h"
#include "checker/families/whose.h"
#include "checker/kueue/counted.h"
#include "checker/nodes/placement_model.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

// Each node takes as many of its pods as the scarcest resource lets it.
bool all_fit(const OutsideFacts& facts, const PoolCapacity& capacity, const Cluster& cluster) {
  std::int64_t of_one = INT64_MAX;
  for (std::size_t r = 0; r < cluster.resources.size(); ++r)
    if (const auto each = facts.each.find(cluster.resources[r]); each != facts.each.end() && each->second > 0)
      of_one = std::min(of_one, std::max<std::int64_t>(0, capacity.of_one[r]) / each->second);
  return of_one >= (facts.replicas + capacity.nodes_min - 1) / std::max<std::int64_t>(1, capacity.nodes_min);
}

// Its nodes are known where they were given and look alike.
std::string unknown_of(const OutsideFacts& facts, const PoolCapacity* capacity, bool nodes_given,
                       const Cluster& cluster) {
  if (!facts.unknown.empty()) return facts.unknown;
  // Kueue gives what has no queue the LocalQueue of that name (jobframework/defaults.go), and suspends what it manages.
  for (const LocalQueue& local : cluster.local_queues)
    if (local.name == "default" && local.ns == facts.ns)
      return "Kueue gives it the LocalQueue `default` of its namespace";
  if (cluster.config.manage_jobs_without_queue_name && managed(cluster, facts.ns) != false)
    return "Kueue manages what names no queue in its namespace (manageJobsWithoutQueueName)";
  if (!nodes_given) return "no Node is among the manifests";
  if (capacity != nullptr && capacity->nodes_min == 0 && !capacity->cordoned.empty())
    return fmt::format("the nodes that it selects take no pods: {}", cordoned_in_words(*capacity));
  if (capacity == nullptr || capacity->nodes_min == 0) return "no node carries the labels that it selects";
  if (capacity->nodes == kNone) return "the nodes that it selects do not look alike";
  if (const Taint* taint = nodes::untolerated(cluster.node_pools[capacity->nodes].taints, facts.tolerations))
    return fmt::format("its pods do not tolerate the taint `{}` of the nodes that it selects", taint->key);
  return {};
}

void tell_shared(const SharedNode& shared, Span at, const std::string& reason, std::string fix, const Proof& proof,
                 Report& report) {
  const std::string& flavor = proof.cluster.flavors[shared.serving_flavor].name;
  report.add(obligation(Family::Placement, code::PlacementBatch, Verdict::Undecided,
                        {"ResourceFlavor", flavor, {}, flavor}, at),
             {.reason = reason, .message = reason, .fix = Fix{std::move(fix)}});
  report.note_analysed(Family::Placement);
}

std::set<std::string> names_of(const std::map<std::string, Span>& places) {
  std::set<std::string> names;
  for (const auto& [flavor, place] : places) names.insert(flavor);
  return names;
}

// Kueue writes the labels of every flavor that a pod gets into one nodeSelector: flavors of two resource groups may not
// differ in the value of one key. A taint keeps no pod away whose author writes the toleration.
std::string remedy(const SharedNode& shared, std::string labels) {
  return shared.counts_twice ? labels
                             : "count the resources of both in one resource group, of one flavor for these nodes";
}

// Pods of either may stand there, whoever of the two is named first.
std::vector<SharedNode> told_once(std::vector<SharedNode> pairs) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> told;
  std::erase_if(pairs, [&](const SharedNode& one) {
    told.insert({one.serving_flavor, one.other_flavor});
    return !one.counts_twice && told.contains({one.other_flavor, one.serving_flavor});
  });
  return pairs;
}

}  // namespace

void doubt_outside(std::span<const OutsideFacts> outside, const Around& around, const Cluster& cluster,
                   Intent& intent) {
  const bool nodes_given = !around.nodes.empty();
  for (std::size_t i = 0; i < outside.size(); ++i) {
    OutsideReserve& tenant = intent.outside[i];
    const PoolCapacity* capacity = intent.capacity_of(tenant.flavor);
    tenant.doubt = unknown_of(outside[i], capacity, nodes_given, cluster);
    // Pods without a flavor stand wherever they like.
    for (std::size_t r = 0; r < tenant.reserve.size() && tenant.doubt.empty(); ++r)
      if (tenant.reserve[r] > 0)
        tenant.doubt = kueue::undeclared_by_others(cluster, static_cast<std::uint32_t>(cluster.queues.size()),
                                                   cluster.resources[r]);
    tenant.not_analysed = !tenant.doubt.empty();
    if (outside[i].unknown.empty() && !nodes_given)
      tenant.doubt_fix = "give the Nodes, too, as `kubectl get nodes -o yaml` prints them";
    const bool open = tenant.doubt.empty() && promised(tenant);
    const PodFacts* beside =
        open ? roommate(cluster, intent, tenant.flavor, around.rooms, around.nodes, around.configured) : nullptr;
    if (beside != nullptr) {
      const PodFacts& other = *beside;
      tenant.doubt =
          fmt::format("{} `{}` {} and may stand on its nodes, where Kueue does not admit it", other.kind, other.name,
                      other.unread ? other.unread->why : fmt::format("requests `{}`", other.room.begin()->first));
      tenant.doubt_fix = fmt::format("{}taint its nodes, or let `{}` select others",
                                     other.unread ? other.unread->remedy + ", or " : "", other.name);
      tenant.not_analysed = other.unread.has_value();
    }
    if (tenant.doubt.empty() && !all_fit(outside[i], *capacity, cluster))
      tenant.doubt = fmt::format("{} on the {} that it selects{}",
                                 outside[i].replicas == 1
                                     ? "its replica does not find room"
                                     : fmt::format("its {} replicas do not all find room", outside[i].replicas),
                                 capacity->nodes_min == 1 ? "one node" : fmt::format("{} nodes", capacity->nodes_min),
                                 capacity->daemons.empty() ? "" : " beside the pods of DaemonSets");
    if (tenant.doubt_fix.empty() && !tenant.not_analysed) tenant.doubt_fix = "take more nodes, or lower its replicas";
  }
}

void judge_shared_nodes(std::span<const NodeFacts> nodes, const std::set<std::string>& unknown, const Proof& proof,
                        Report& report) {
  const auto& flavors = proof.cluster.flavors;
  const auto& queues = proof.cluster.queues;
  for (const SharedNode& shared : told_once(shared_nodes(nodes, unknown, proof.cluster, proof.intent)))
    tell_shared(
        shared, shared.node,
        fmt::format(
            "a node of `{}`, on which `{}` serves, is one of `{}` of `{}`, too: {}pods of either may stand on it",
            flavors[shared.serving_flavor].name, queues[shared.serving].name, flavors[shared.other_flavor].name,
            queues[shared.other].name, shared.counts_twice ? "quotas count what it has twice, and " : ""),
        remedy(shared, "give the flavors of serving node labels that no other flavor selects"), proof, report);
}

void judge_shared_labels(const std::map<std::string, Span>& places, const Proof& proof, Report& report) {
  const auto& flavors = proof.cluster.flavors;
  const auto& queues = proof.cluster.queues;
  for (const SharedNode& shared :
       told_once(shared_labels(Sharing::Surely, names_of(places), proof.cluster, proof.intent))) {
    const Flavor &mine = flavors[shared.serving_flavor], &other = flavors[shared.other_flavor];
    const std::string which = other.node_labels.empty()  ? "has no node labels: its pods may stand on every node, also"
                              : mine.node_labels.empty() ? "selects nodes that are all among those"
                              : mine.node_labels == other.node_labels ? "selects the same nodes as those"
                                                                      : "selects nodes that may be among those";
    tell_shared(
        shared, places.at(other.name),
        fmt::format("`{}` of `{}` {} of `{}`, on which `{}` serves: {}pods of either may stand there", other.name,
                    queues[shared.other].name, which, mine.name, queues[shared.serving].name,
                    shared.counts_twice ? "quotas count what they have twice, and " : ""),
        remedy(shared, fmt::format("give the nodes and flavors `{}` and `{}` labels of one key and of two values",
                                   mine.name, other.name)),
        proof, report);
  }
}

std::string perhaps_shared(const std::map<std::string, Span>& places, const Proof& proof) {
  const auto pairs = shared_labels(Sharing::Perhaps, names_of(places), proof.cluster, proof.intent);
  constexpr std::size_t kMost = 5;
  return listed_up_to(kMost, pairs, [&](const auto& pair) {
    return fmt::format("`{}` and `{}`", proof.cluster.flavors[pair.serving_flavor].name,
                       proof.cluster.flavors[pair.other_flavor].name);
  });
}

void take_tolerations(const Proof& proof, std::span<const PodFacts> pods, std::span<const NodeFacts> nodes,
                      Cluster& cluster) {
  const Whose whose(proof);
  std::vector<std::vector<const PodFacts*>> asking(cluster.queues.size());
  for (const PodFacts& one : pods)
    // Of a Workload the pods are its object's, and what only names a priority class says nothing of places.
    if (const std::uint32_t q = whose.queue(one); q != kNone && one.kind != "Workload" && !one.room.empty())
      asking[q].push_back(&one);
  const auto all_tolerate = [&](std::uint32_t flavor, const Taint& taint) {
    bool any = false;
    for (std::uint32_t q = 0; q < cluster.queues.size(); ++q) {
      if (!promised(proof.intent.roles[q]) || !lists(cluster.queues[q], flavor)) continue;
      any = true;
      if (asking[q].empty() || !std::ranges::all_of(asking[q], [&](const PodFacts* one) {
            std::vector<Toleration> for_good = one->tolerations;
            std::erase_if(for_good, [](const Toleration& toleration) { return toleration.seconds.has_value(); });
            return !one->unread && nodes::untolerated(std::span(&taint, 1), for_good) == nullptr;
          }))
        return false;
    }
    return any;
  };
  for (std::uint32_t f = 0; f < cluster.flavors.size(); ++f) {
    Flavor& flavor = cluster.flavors[f];
    for (const NodeFacts& node : nodes) {
      if (!nodes::selects(flavor.node_labels, node.labels)) continue;
      for (const Taint& taint : node.taints)
        if (!contains(flavor.taints, taint) &&
            nodes::untolerated(std::span(&taint, 1), flavor.tolerations) != nullptr && all_tolerate(f, taint))
          flavor.tolerations.push_back({taint.key, "Equal", taint.value, taint.effect, {}});
    }
  }
}

// Pods get the tolerations of their flavor, and are only given one whose own taints they tolerate. A taint named like a
// device is tolerated by whoever asks for it (the plugin ExtendedResourceToleration).
void shut_tainted(const Cluster& cluster, std::vector<NodeFacts>& nodes) {
  for (const Flavor& flavor : cluster.flavors) {
    const auto lets_in = [&](const NodeFacts& node) {
      return std::ranges::all_of(node.taints, [&](const Taint& taint) {
        return contains(flavor.taints, taint) || contains(cluster.resources, taint.key) ||
               nodes::untolerated(std::span(&taint, 1), flavor.tolerations) == nullptr;
      });
    };
    std::vector<NodeFacts*> shut;
    bool others = false;
    for (NodeFacts& node : nodes) {
      if (node.cordoned || !nodes::selects(flavor.node_labels, node.labels)) continue;
      if (lets_in(node))
        others = true;
      else
        shut.push_back(&node);
    }
    if (others)  // else none of its pods fits anywhere: placement says so
      for (NodeFacts* node : shut) node->shut.insert(flavor.name);
  }
  for (NodeFacts& node : nodes) {  // of no use to anybody
    const auto selected = std::ranges::count_if(
        cluster.flavors, [&](const Flavor& flavor) { return nodes::selects(flavor.node_labels, node.labels); });
    node.cordoned = node.cordoned || (selected > 0 && node.shut.size() == static_cast<std::size_t>(selected));
  }
}

}  // namespace gpol
