// Pods of serving among the manifests that its queue can never let in, though what is proven of the queue holds: they
// need a resource of which it has no quota (pkg/scheduler/flavorassigner: "unavailable in ClusterQueue"), or select and
// tolerate nodes of none of its flavors ("doesn't match node affinity", "untolerated taint"). And flavors of one queue
// that write different values of one node label onto the same pods.
#include <algorithm>

#include <fmt/format.h>

#include "checker/families/codes.h"
#include "checker/families/given.h"
#include "checker/families/pairs.h"
#include "checker/families/whose.h"
#include "checker/kueue/counted.h"
#include "checker/nodes/placement_model.h"

namespace gpol {
namespace {

class Unadmitted {
 public:
  Unadmitted(const Proof& proof, std::span<const NodeFacts> nodes, bool configured, Report& report)
      : cluster_(proof.cluster),
        intent_(proof.intent),
        whose_(proof),
        nodes_(nodes),
        configured_(configured),
        report_(report) {}

  void pods(const PodFacts& pods) {
    const std::uint32_t q = whose_.queue(pods);
    if (q == kNone || !promised(intent_.roles[q])) return;
    const Queue& queue = cluster_.queues[q];
    if (pods.unread) return unread(pods, q);
    for (const auto& [resource, ask] : pods.needs)
      if (!covers(queue, resource, cluster_) && cluster_.config.quota_check_strategy != "IgnoreUndeclared" &&
          !kueue::uncharged(cluster_.config, resource))
        return tell(
            pods, q, ask, fmt::format("has no quota of `{}`, which they ask for", resource),
            fmt::format("give `{}` a quota of `{}`, or leave its requests and limits out{}", queue.name, resource,
                        configured_ ? "" : "; if Kueue's Configuration excludes or transforms it, give that, too"));
    for (const ResourceGroup& group : queue.groups) {
      std::string why;
      if (!asks_of(pods, group) || any_takes(pods, group, why) || unread_.contains(pods.kind + "/" + pods.name))
        continue;
      return tell(pods, q, pods.whose.empty() ? PodFacts::Ask{pods.path, pods.span} : pods.names_whose, why,
                  "let them select and tolerate nodes of one of its flavors");
    }
  }

  // What they ask for, select and tolerate is for something to say that was not read.
  void unread(const PodFacts& pods, std::uint32_t q) {
    if (!unread_.insert(pods.kind + "/" + pods.name).second) return;
    const std::string what = fmt::format("{} `{}` {}, and whether `{}` ever admits them is not known", pods.kind,
                                         pods.name, pods.unread->why, cluster_.queues[q].name);
    add(obligation(Family::Vacuity, code::NotModelled, Verdict::NotAnalysed, subject_of(pods), pods.unread->at.span),
        {.reason = what, .message = what, .fix = Fix{pods.unread->remedy}, .place = {.field = pods.unread->at.field}});
  }

  // pkg/podset: the labels of the flavors are copied over each other in no certain order.
  void labels(std::uint32_t q) {
    const Queue& queue = cluster_.queues[q];
    if (!promised(intent_.roles[q])) return;
    for (std::size_t g = 0; g < queue.groups.size(); ++g)
      for (std::size_t h = g + 1; h < queue.groups.size(); ++h)
        for (const FlavorQuotas& a : queue.groups[g].flavors)
          for (const FlavorQuotas& b : queue.groups[h].flavors)
            for (const auto& [key, value] : cluster_.flavors[a.flavor].node_labels) {
              const auto& others = cluster_.flavors[b.flavor].node_labels;
              const auto other = others.find(key);
              if (other == others.end() || other->second == value) continue;
              return contradict(q, a.flavor, b.flavor, key, value, other->second);
            }
    if (const auto apart = no_node_joins(queue))
      astray(q,
             fmt::format("pods of `{}` get the node labels of `{}` and of `{}`, and no Node has both: where they are "
                         "given these two, they start nowhere",
                         queue.name, cluster_.flavors[apart->first].name, cluster_.flavors[apart->second].name));
  }

 private:
  // Two flavors of different groups that Nodes are there for, each, and none for both.
  std::optional<std::pair<std::uint32_t, std::uint32_t>> no_node_joins(const Queue& queue) const {
    const auto there = [&](std::uint32_t a, std::uint32_t b) {
      return std::ranges::any_of(nodes_, [&](const NodeFacts& node) {
        return nodes::selects(cluster_.flavors[a].node_labels, node.labels) &&
               nodes::selects(cluster_.flavors[b].node_labels, node.labels);
      });
    };
    for (std::size_t g = 0; g < queue.groups.size(); ++g)
      for (std::size_t h = g + 1; h < queue.groups.size(); ++h)
        for (const FlavorQuotas& a : queue.groups[g].flavors)
          for (const FlavorQuotas& b : queue.groups[h].flavors)
            if (there(a.flavor, a.flavor) && there(b.flavor, b.flavor) && !there(a.flavor, b.flavor))
              return std::pair{a.flavor, b.flavor};
    return std::nullopt;
  }

  bool asks_of(const PodFacts& pods, const ResourceGroup& group) const {
    return std::ranges::any_of(group.covered, [&](std::uint32_t r) {
      return cluster_.resources[r] == "pods" || pods.needs.contains(cluster_.resources[r]);
    });
  }

  // A selector counts only where a flavor of the group has its key (flavorassigner.go flavorSelector).
  bool any_takes(const PodFacts& pods, const ResourceGroup& group, std::string& why) const {
    std::set<std::string> keys;
    for (const FlavorQuotas& row : group.flavors)
      for (const auto& [key, value] : cluster_.flavors[row.flavor].node_labels) keys.insert(key);
    for (const FlavorQuotas& row : group.flavors) {
      const Flavor& flavor = cluster_.flavors[row.flavor];
      std::vector<Toleration> tolerations = pods.tolerations;
      tolerations.insert(tolerations.end(), flavor.tolerations.begin(), flavor.tolerations.end());
      const Taint* taint = nodes::untolerated(flavor.taints, tolerations);
      const auto wrong = std::ranges::find_if(pods.node_selector, [&](const auto& label) {
        const auto mine = flavor.node_labels.find(label.first);
        return keys.contains(label.first) && (mine == flavor.node_labels.end() || mine->second != label.second);
      });
      if (taint == nullptr && wrong == pods.node_selector.end()) return true;
      why = taint != nullptr ? fmt::format("has the flavor `{}` with the taint `{}`, which they do not tolerate",
                                           flavor.name, taint->key)
                             : fmt::format("has the flavor `{}` of nodes that are not `{}: {}`, which they select",
                                           flavor.name, wrong->first, wrong->second);
    }
    return false;
  }

  void tell(const PodFacts& pods, std::uint32_t q, const PodFacts::Ask& at, const std::string& why,
            std::string remedy) {
    const std::string& queue = cluster_.queues[q].name;
    add(obligation(Family::Vacuity, code::Vacuity, Verdict::Refuted, subject_of(pods), at.span),
        {.message = fmt::format("pods of {} `{}` are never admitted: `{}` {}", pods.kind, pods.name, queue, why),
         .story = {{"", pods.name, "asks for a pod"}, {"", "kueue", "never admits it: " + queue + " " + why}},
         .fix = Fix{std::move(remedy)},
         .place = {.field = at.field}});
  }

  void contradict(std::uint32_t q, std::uint32_t a, std::uint32_t b, const std::string& key, const std::string& of_a,
                  const std::string& of_b) {
    astray(q,
           fmt::format("pods of `{}` get the node labels of `{}` and of `{}`, and `{}` is `{}` in one and `{}` in the "
                       "other: which of them a pod selects is not known",
                       cluster_.queues[q].name, cluster_.flavors[a].name, cluster_.flavors[b].name, key, of_a, of_b));
  }

  void astray(std::uint32_t q, const std::string& reason) {
    add(obligation(Family::Placement, code::PlacementServing, Verdict::Undecided,
                   {"ClusterQueue", cluster_.queues[q].name}, intent_.roles[q].name_span),
        {.reason = reason,
         .message = reason,
         .fix = Fix{"cover the resources of one pod by one flavor, or label the flavors by keys of their own"}});
    report_.note_analysed(Family::Placement);
  }

  Subject subject_of(const PodFacts& pods) { return {report_.keep(pods.kind), report_.keep(pods.name)}; }

  void add(Obligation o, Detail detail) {
    if (o.family == Family::Vacuity)
      std::erase_if(report_.obligations,
                    [](const Obligation& p) { return p.family == Family::Vacuity && p.verdict == Verdict::Proven; });
    report_.add(std::move(o), std::move(detail));
  }

  const Cluster& cluster_;
  const Intent& intent_;
  const Whose whose_;
  const std::span<const NodeFacts> nodes_;
  const bool configured_;
  Report& report_;
  std::set<std::string> unread_;  // "KIND/ns/name" of serving of which not all was read
};

}  // namespace

void judge_unadmitted(const Proof& proof, std::span<const PodFacts> pods, std::span<const NodeFacts> nodes,
                      bool configured, Report& report) {
  Unadmitted judge(proof, nodes, configured, report);
  for (std::uint32_t q = 0; q < proof.cluster.queues.size(); ++q) judge.labels(q);
  for (const bool unread : {true, false})
    for (const PodFacts& one : pods)
      if (one.unread.has_value() == unread) judge.pods(one);
}

}  // namespace gpol
