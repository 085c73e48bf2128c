// Kueue v0.19.2 does not count pods when it looks for victims (flavorassigner.go TotalRequestsFor), but does when it
// then checks that the workload fits (scheduler.go fits): where victims that are found for the other resources free no
// pod that the queue can have, and others hold its pods, nobody is evicted at all, in any round. A victim is a queue
// that may borrow something which the queue asks for.
#include <algorithm>

#include "checker/families/reclaim_facts.h"

namespace gpol {

using kueue::kRoot;
using kueue::kUnlimited;
using kueue::Node;

namespace {

// The group of a queue that covers pods; null: none.
const ResourceGroup* group_of_pods(const Queue& queue, std::uint32_t pods) {
  for (const ResourceGroup& group : queue.groups)
    if (std::find(group.covered.begin(), group.covered.end(), pods) != group.covered.end()) return &group;
  return nullptr;
}

// Whoever holds something of `group` on `flavor` in the queue holds a pod on `of_pods`.
bool holds_a_pod(const Queue& queue, const ResourceGroup& group, std::uint32_t flavor, std::uint32_t pods,
                 std::uint32_t of_pods) {
  const ResourceGroup* with_pods = group_of_pods(queue, pods);
  if (with_pods == &group) return flavor == of_pods;
  return with_pods != nullptr && with_pods->flavors.size() == 1 && with_pods->flavors.front().flavor == of_pods;
}

}  // namespace

void ReclaimWorld::find_hidden_pods() {
  const Cluster& cluster = proof_.cluster;
  const auto found = std::find(cluster.resources.begin(), cluster.resources.end(), "pods");
  if (found == cluster.resources.end()) return;
  const auto pods = static_cast<std::uint32_t>(found - cluster.resources.begin());
  const bool apart = std::any_of(cluster.queues.begin(), cluster.queues.end(), [&](const Queue& queue) {
    return queue.groups.size() > 1 && group_of_pods(queue, pods) != nullptr;
  });
  for (std::uint32_t f = 0; f < cluster.flavors.size(); ++f) {
    bool exact = false;
    const kueue::Limits limits = kueue::widest_limits(cluster, shape_, f, pods, exact);
    Borrowers borrowers;
    for (std::uint32_t q = 0; q < cluster.queues.size(); ++q) {
      if (shape_.in_cycle[q] || !may_be_above(q)) continue;
      const auto pairs = pairs_of(cluster.queues[q]);
      bool any = false;
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (least_[q][i].borrowing.value_or(kUnlimited) <= 0) continue;
        any = any || apart || pairs[i].flavor == f;
        if (pairs[i].flavor == f && pairs[i].resource == pods) borrowers[root_of(q)].of_pods.push_back(q);
      }
      if (any) borrowers[root_of(q)].of_any.push_back(q);
    }
    find_unseen_pods({f, pods}, apart, limits, borrowers);
    find_shut_cohorts(f, limits, borrowers);
  }
}

// Victims that hold no pod of the flavor, and those of which a lending limit keeps the pod with its owner, or below its
// cohort.
void ReclaimWorld::find_unseen_pods(Pair of_pods, bool apart, const kueue::Limits& limits, const Borrowers& borrowers) {
  for (const auto& [root, of] : borrowers)
    for (const std::uint32_t q : of.of_any) {
      if (of.of_pods.empty()) break;
      Node keeper = q;  // whoever is not below it does not see them
      while (shape_.parent[keeper] != kRoot && limits.local[keeper] == 0) keeper = shape_.parent[keeper];
      bool keeps = shape_.parent[keeper] != kRoot;
      // Where pods are short because it holds those of others itself, every one that it frees is seen.
      keeps = keeps && (of.of_pods.size() > 1 || of.of_pods.front() != q);
      const Queue& queue = proof_.cluster.queues[q];
      std::size_t at = 0;
      for (const ResourceGroup& group : queue.groups)
        for (const FlavorQuotas& row : group.flavors)
          for (const std::uint32_t resource : group.covered) {
            const bool borrows = least_[q][at++].borrowing.value_or(kUnlimited) > 0;
            if (!borrows || (!apart && row.flavor != of_pods.flavor)) continue;
            const bool none = !holds_a_pod(queue, group, row.flavor, of_pods.resource, of_pods.flavor);
            // Who is a victim for its pods is above its quota of them, on every level: others see what it frees.
            if (!none && (!keeps || resource == of_pods.resource)) continue;
            auto& unseen = unseen_pods_[{root, of_pods.flavor, row.flavor, resource}];
            const HiddenPods one{q, none ? HiddenPods::How::HoldsNone : HiddenPods::How::Kept, {}, none ? q : keeper};
            const bool for_all = one.keeper == q;
            if (std::count_if(unseen.begin(), unseen.end(), [&](const HiddenPods& other) {
                  return for_all ? other.keeper == other.queue : other.keeper == keeper;
                }) < 2)
              unseen.push_back(one);
          }
    }
}

bool ReclaimWorld::is_within(std::uint32_t q, Node node) const {
  Node v = q;
  while (v != node && shape_.parent[v] != kRoot) v = shape_.parent[v];
  return v == node;
}

// What is in a cohort that has borrowed all that it may gets no pod that is freed outside of it. The queue itself has
// room in its nominal quota, so that others in the cohort are above theirs.
void ReclaimWorld::find_shut_cohorts(std::uint32_t flavor, const kueue::Limits& limits, const Borrowers& borrowers) {
  for (Node cohort = shape_.queues; cohort < shape_.parent.size(); ++cohort) {
    if (shape_.in_cycle[cohort] || shape_.parent[cohort] == kRoot || limits.borrowing[cohort] == kUnlimited) continue;
    const auto of = borrowers.find(root_of(cohort));
    if (of == borrowers.end()) continue;
    const auto& all = of->second.of_any;
    const auto outside = std::find_if(all.begin(), all.end(), [&](std::uint32_t q) { return !is_within(q, cohort); });
    if (outside == all.end()) continue;
    ShutCohort shut{*outside, {}};
    for (const std::uint32_t q : of->second.of_pods)
      if (shut.takers.size() < 2 && is_within(q, cohort)) shut.takers.push_back(q);
    if (!shut.takers.empty()) shut_cohorts_.emplace(std::pair(cohort, flavor), std::move(shut));
  }
}

std::optional<HiddenPods> ReclaimWorld::hides_pods(std::uint32_t queue) const {
  const auto& names = proof_.cluster.resources;
  const auto found = std::find(names.begin(), names.end(), "pods");
  const auto pods = static_cast<std::uint32_t>(found - names.begin());
  const Queue& asks = proof_.cluster.queues[queue];
  const ResourceGroup* with_pods = found == names.end() ? nullptr : group_of_pods(asks, pods);
  if (with_pods == nullptr) return std::nullopt;  // it asks for none
  for (const FlavorQuotas& of_pods : with_pods->flavors) {
    if (always_has(queue, *with_pods, of_pods, pods)) continue;
    for (const ResourceGroup& group : asks.groups)
      for (const FlavorQuotas& row : group.flavors) {
        if (&group == with_pods && row.flavor != of_pods.flavor) continue;  // one flavor for all of a group
        for (const std::uint32_t resource : group.covered)
          if (const auto unseen = unseen_pods_.find({root_of(queue), of_pods.flavor, row.flavor, resource});
              unseen != unseen_pods_.end() && !always_has(queue, group, row, resource))
            for (const HiddenPods& one : unseen->second)
              if (one.queue != queue && !is_within(queue, one.keeper)) return one;
      }
    for (Node v = shape_.parent[queue]; v != kRoot; v = shape_.parent[v])
      if (const auto shut = shut_cohorts_.find({v, of_pods.flavor}); shut != shut_cohorts_.end())
        for (const std::uint32_t taker : shut->second.takers)
          if (taker != queue) return HiddenPods{shut->second.outside, HiddenPods::How::Outside, shape_.names[v], v};
  }
  return std::nullopt;
}

std::string ReclaimWorld::what_hides_pods(const HiddenPods& hidden) const {
  switch (hidden.how) {
    case HiddenPods::How::Kept:
      return "a lending limit keeps pods of others from it";
    case HiddenPods::How::Outside:
      return "the borrowing limit of cohort `" + hidden.cohort + "` keeps pods of others from it";
    case HiddenPods::How::HoldsNone:
      return "what is evicted from `" + proof_.cluster.queues[hidden.queue].name +
             "` need not free a pod of its flavor";
  }
  return {};
}

}  // namespace gpol
