// Where places of a queue that serves are not judged although Nodes are given: its nodes are not alike, or something of
// its pods among the manifests chooses nodes that no formula knows. It is undecided then, never silent.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "checker/families/codes.h"
#include "checker/families/given.h"
#include "checker/families/whose.h"
#include "checker/nodes/placement_model.h"
#include "checker/nodes/standing.h"

namespace gpol {
namespace {

class Standings {
 public:
  Standings(const Proof& proof, std::span<const NodeFacts> nodes, Report& report)
      : cluster_(proof.cluster), intent_(proof.intent), whose_(proof), nodes_(nodes), report_(report) {}

  void queues() {
    for (std::uint32_t q = 0; q < cluster_.queues.size(); ++q) {
      if (!promised(intent_.roles[q])) continue;
      for (const PoolCapacity& capacity : intent_.capacities)
        if (capacity.nodes == kNone && capacity.nodes_max > 0 && lists(cluster_.queues[q], capacity.flavor))
          tell(q, capacity.flavor, intent_.roles[q].name_span,
               fmt::format("pods of `{}` find", cluster_.queues[q].name),
               "these do not carry the same labels and taints",
               "let each flavor select nodes of the same labels and taints");
    }
  }

  // kube-scheduler matches such a term both ways: no pod of serving comes where such a pod stands.
  void repels(const PodFacts& pods) {
    for (std::uint32_t q = 0; q < cluster_.queues.size(); ++q)
      for (const PoolCapacity& capacity : intent_.capacities)
        if (promised(intent_.roles[q]) && capacity.nodes_max > 0 && lists(cluster_.queues[q], capacity.flavor) &&
            whose_.queue(pods) != q &&
            told_.insert(fmt::format("{}/{}/{}/{}", pods.kind, pods.name, q, capacity.flavor)).second)
          tell(q, capacity.flavor, pods.span, fmt::format("pods of `{}` find", cluster_.queues[q].name),
               fmt::format("{} `{}` keeps pods of other namespaces off nodes by a required anti-affinity", pods.kind,
                           pods.name),
               "let its anti-affinity speak of its own namespace");
  }

  void pods(const PodFacts& pods) {
    const std::uint32_t q = whose_.queue(pods);
    if (q == kNone || !promised(intent_.roles[q]) || pods.room.empty() || pods.kind == "Workload") return;
    for (const PoolCapacity& capacity : intent_.capacities) {
      if (capacity.nodes_max == 0 || !lists(cluster_.queues[q], capacity.flavor)) continue;
      std::string why = pods.constrained, fix;
      if (why.empty()) why = some_only(pods, cluster_.flavors[capacity.flavor]);
      if (why.empty() || !told_.insert(fmt::format("{}/{}/{}", pods.kind, pods.name, why)).second) continue;
      tell(q, capacity.flavor, pods.span, fmt::format("pods of {} `{}` find", pods.kind, pods.name), std::move(why),
           "let them stand on every node of the flavor, or give them a flavor of theirs");
    }
  }

 private:
  // Kueue compares selectors by the keys of its flavors alone (judge_unadmitted).
  std::string some_only(const PodFacts& pods, const Flavor& flavor) const {
    for (const auto& [key, value] : flavor.node_labels)
      if (const auto mine = pods.node_selector.find(key); mine != pods.node_selector.end() && mine->second != value)
        return {};  // it is never given this one
    PodFacts as_admitted = pods;
    as_admitted.node.clear();
    as_admitted.tolerations.insert(as_admitted.tolerations.end(), flavor.tolerations.begin(), flavor.tolerations.end());
    std::size_t all = 0, some = 0;
    for (const NodeFacts& node : nodes_) {
      if (node.elastic || node.cordoned || node.shut.contains(flavor.name) ||
          !nodes::selects(flavor.node_labels, node.labels))
        continue;
      ++all;
      some += nodes::may_stand_on(as_admitted, node) ? 1 : 0;
    }
    if (some == all) return {};
    return some == 0 ? std::string("they may stand on none of them")
                     : fmt::format("they may stand on {} of {} only", some, all);
  }

  void tell(std::uint32_t q, std::uint32_t flavor, Span at, const std::string& who, std::string why,
            std::string remedy) {
    const std::string& pool = cluster_.flavors[flavor].name;
    std::erase_if(report_.obligations, [](const Obligation& p) {
      return p.family == Family::Fragmentation && p.verdict == Verdict::Proven;
    });
    const std::string what = fmt::format("whether {} room on the nodes of `{}` is not known: {}", who, pool, why);
    report_.add(obligation(Family::Fragmentation, code::Fragmentation, Verdict::Undecided,
                           {"ClusterQueue", cluster_.queues[q].name, intent_.roles[q].tenant, pool}, at),
                {.reason = what, .message = what, .fix = Fix{std::move(remedy)}});
    report_.note_analysed(Family::Fragmentation);
  }

  const Cluster& cluster_;
  const Intent& intent_;
  const Whose whose_;
  const std::span<const NodeFacts> nodes_;
  Report& report_;
  std::set<std::string> told_;
};

}  // namespace

void judge_standing(const Proof& proof, std::span<const PodFacts> pods, std::span<const NodeFacts> nodes,
                    Report& report) {
  Standings judge(proof, nodes, report);
  judge.queues();
  for (const PodFacts& one : pods) {
    judge.pods(one);
    if (one.repels) judge.repels(one);
  }
}

}  // namespace gpol
