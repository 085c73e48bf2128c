// Queues that differ in nothing but their names: to the facts of reclaim one is what the other is, so that of thousands
// only a few need to be looked at. Where a policy is there, or windows change limits, each queue is looked at.
#include <string>
#include <unordered_map>

#include "checker/families/reclaim_facts.h"

namespace gpol {

namespace {

// All that a queue and its role say and the facts may turn on, in a row: equal rows, equal queues.
class Row {
 public:
  template <class First, class Second, class... Others>
  void add(const First& first, const Second& second, const Others&... others) {
    add(first), add(second), (add(others), ...);
  }
  template <class Number>
  void add(Number number) {
    const auto whole = static_cast<std::int64_t>(number);
    text_.append(reinterpret_cast<const char*>(&whole), sizeof whole);
  }
  void add(const std::string& text) {
    add(text.size());
    text_ += text;
  }
  template <class Number>
  void add(const std::optional<Number>& number) {
    add(number.has_value());
    if (number) add(*number);
  }
  template <class Number>
  void add(const std::vector<Number>& numbers) {
    add(numbers.size());
    for (const Number& number : numbers) add(number);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

void add(const Queue& queue, Row& row) {
  row.add(queue.groups.size());
  for (const ResourceGroup& group : queue.groups) {
    row.add(group.covered, group.flavors.size());
    for (const FlavorQuotas& flavor : group.flavors) {
      row.add(flavor.flavor);
      for (const Quota& quota : flavor.quotas) row.add(quota.nominal, quota.borrowing, quota.lending);
    }
  }
  row.add(queue.strategy, queue.preemption.within_cluster_queue, queue.preemption.reclaim_within_cohort,
          queue.preemption.borrow_within_cohort, queue.preemption.max_priority_threshold, queue.when_can_borrow,
          queue.when_can_preempt, queue.fungibility_preference, queue.stop, queue.namespaces.present,
          queue.admission_checks, queue.fair_weight);
}

void add(const QueueRole& role, Row& row) {
  row.add(role.kind, role.isolation, role.reserve, role.at_most, role.permitted, role.deadline.has_value(),
          role.back_within.has_value(), role.victims_in_turn, role.replica, role.priority, role.unit_demand,
          role.not_asked, role.pod_shapes.size());
  for (const auto& [flavor, shape] : role.pod_shapes) row.add(flavor, shape.resource, shape.amount);
}

}  // namespace

const ReclaimWorld::Alike& ReclaimWorld::alike() const {
  if (alike_) return *alike_;
  Alike& found = alike_.emplace();
  const Cluster& cluster = proof_.cluster;
  bool each = proof_.intent.of_policy;
  for (const Mode& mode : cluster.modes) each = each || !mode.changed.empty();
  std::unordered_map<std::string, std::uint32_t> kinds;
  std::vector<std::size_t> counts;
  for (std::uint32_t q = 0; q < cluster.queues.size(); ++q) {
    Row row;
    if (each) {
      row.add(q);
    } else {
      row.add(shape_.parent[q] == kueue::kRoot ? std::int64_t{-1} - q : std::int64_t{shape_.parent[q]});
      add(cluster.queues[q], row);
      add(proof_.intent.roles[q], row);
      row.add(stopped_at_the_door_.contains(cluster.queues[q].name));
      row.add(proof_.intent.inactive_queues.contains(cluster.queues[q].name));
    }
    const auto [at, fresh] = kinds.try_emplace(row.take(), static_cast<std::uint32_t>(counts.size()));
    if (fresh) counts.push_back(0);
    found.kind.push_back(at->second);
    if (++counts[at->second] <= kOfEachKind) found.some[root_of(q)].push_back(q);
  }
  return found;
}

const std::vector<std::uint32_t>& ReclaimWorld::some_of_tree(std::uint32_t queue) const {
  return alike().some.at(root_of(queue));
}

ReclaimFacts ReclaimWorld::facts_of(std::uint32_t q, std::span<const std::int64_t> claimable) const {
  auto& known = facts_[{alike().kind[q], {claimable.begin(), claimable.end()}}];
  if (!known) known = facts_of_kind(q, claimable);
  ReclaimFacts facts = *known;
  if (!facts.pods_kept)
    if (const auto other = takes_pods(q, claimable)) facts.who_takes_pods = proof_.cluster.queues[*other].name;
  if (!facts.active) facts.why_inactive = why_inactive(q);
  if (facts.policy == Reclaim::LowerPriority && !facts.victims_below) facts.why_not_below = why_not_below(q);
  return facts;
}

}  // namespace gpol
