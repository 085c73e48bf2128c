#include "checker/repair/changes.h"

#include <algorithm>
#include <set>

#include "checker/families/given.h"
#include "checker/families/pairs.h"
#include "checker/kueue/forest.h"

namespace gpol {

namespace {

using Field = Change::Field;
using Role = QueueRole::Kind;

Quota& quota_of(Queue& queue, std::size_t pair) {
  for (auto& group : queue.groups)
    for (auto& flavor : group.flavors) {
      if (pair < flavor.quotas.size()) return flavor.quotas[pair];
      pair -= flavor.quotas.size();
    }
  throw InternalError("repair: a queue has no such pair");
}

// The queues of one tree, and what is promised of them.
struct Tree {
  Cluster cluster;
  Intent intent;
  std::vector<std::uint32_t> queues;  // of the whole cluster
  std::uint32_t owner = 0;            // in the tree
};

// The devices that a queue outside the tree has quota for are none of the tree's.
void take_devices(const Queue& queue, Intent& intent) {
  for (const auto& group : queue.groups)
    for (const auto& row : group.flavors)
      for (PoolCapacity& capacity : intent.capacities)
        for (std::size_t r = 0; capacity.flavor == row.flavor && r < group.covered.size(); ++r) {
          std::int64_t& surely = capacity.surely.at(group.covered[r]);
          if (__builtin_sub_overflow(surely, row.quotas[r].nominal, &surely)) surely = INT64_MIN;
        }
}

Tree tree_of(const Proof& proof, std::uint32_t owner) {
  const kueue::Shape shape = kueue::shape_of(proof.cluster);
  Tree tree{proof.cluster, proof.intent, {}, 0};
  tree.cluster.queues.clear();
  tree.intent.roles.clear();
  const kueue::Node root = root_of(shape, owner);
  for (std::uint32_t q = 0; q < proof.cluster.queues.size(); ++q) {
    if (q != owner && root_of(shape, q) != root) {
      take_devices(proof.cluster.queues[q], tree.intent);
      continue;
    }
    if (q == owner) tree.owner = static_cast<std::uint32_t>(tree.queues.size());
    tree.queues.push_back(q);
    tree.cluster.queues.push_back(proof.cluster.queues[q]);
    tree.intent.roles.push_back(proof.intent.roles[q]);
  }
  return tree;
}

class Attempts {
 public:
  Attempts(const Proof& proof, std::uint32_t owner, Family family)
      : proof_(proof), tree_(tree_of(proof, owner)), family_(family), before_(broken(tree_.cluster)) {}

  const Tree& tree() const { return tree_; }

  // The owner's family is proven, and nothing that was proven before is broken.
  bool mends(const std::vector<Change>& changes) {
    Cluster changed = tree_.cluster;
    for (const Change& change : changes) apply(change, changed);
    const auto after = broken(changed);
    return !after.contains({family_, tree_.owner}) && no_worse(after);
  }

  bool breaks_nothing(const Change& change) const {
    Cluster changed = tree_.cluster;
    apply(change, changed);
    return no_worse(broken(changed));
  }

  // The first single one that mends; else all of them, less those that it can do without.
  std::vector<Change> fewest(const std::vector<std::vector<Change>>& candidates) {
    constexpr std::size_t kSmall = 100;  // queues of a tree; in a larger one only what is sure is looked at
    const bool small = tree_.queues.size() <= kSmall;
    for (std::size_t c = 0; small && c < candidates.size(); ++c)
      if (mends(candidates[c])) return candidates[c];
    auto left = candidates;
    const auto all_of = [](const std::vector<std::vector<Change>>& list) {
      std::vector<Change> all;
      for (const auto& some : list) all.insert(all.end(), some.begin(), some.end());
      return all;
    };
    if (!mends(all_of(left))) return {};
    for (std::size_t c = left.size(); small && c-- > 0;) {
      auto fewer = left;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(c));
      if (mends(all_of(fewer))) left = std::move(fewer);
    }
    return all_of(left);
  }

  // As indices of the whole cluster.
  std::vector<Change> outside(std::vector<Change> changes) const {
    for (Change& change : changes) change.queue = tree_.queues[change.queue];
    return changes;
  }

 private:
  using Broken = std::set<std::pair<Family, std::uint32_t>>;

  bool no_worse(const Broken& after) const {
    return std::includes(before_.begin(), before_.end(), after.begin(), after.end());
  }

  // What is promised and not proven; of the owner also what is not promised.
  Broken broken(const Cluster& cluster) const {
    Intent intent = tree_.intent;
    const Origins origins;
    const Proof proof{cluster, intent, origins, proof_.solver, nullptr, false};
    Report report;
    prove_claim(proof, report);
    prove_reclaim(proof, report);
    judge_waits(proof, report);
    Broken found;
    for (const Obligation& o : report.obligations) {
      if (o.verdict == Verdict::Proven) continue;
      std::uint32_t q = 0;
      while (cluster.queues[q].name != o.subject.name) ++q;
      if (o.required || (q == tree_.owner && o.family == family_)) found.emplace(o.family, q);
    }
    return found;
  }

  const Proof& proof_;
  Tree tree_;
  Family family_;
  Broken before_;
};

}  // namespace

void apply(const Change& change, Cluster& cluster) {
  Queue& queue = cluster.queues.at(change.queue);
  switch (change.field) {
    case Field::LendingLimit:
      quota_of(queue, change.pair).lending = 0;
      break;
    case Field::BorrowingLimit:
      quota_of(queue, change.pair).borrowing = 0;
      break;
    case Field::ReclaimWithinCohort:
      queue.preemption.reclaim_within_cohort = Reclaim::Any;
      break;
    case Field::QueueingStrategy:
      queue.strategy = QueueingStrategy::BestEffortFIFO;
      break;
    case Field::StopPolicy:
      queue.stop = change.word == "None" ? StopPolicy::None : StopPolicy::HoldAndDrain;
      break;
    case Field::WhenCanPreempt:
      queue.when_can_preempt = Search::MayStopSearch;
      break;
  }
}

namespace {

// What keeps a head that reserves in every round, and would not.
std::vector<Change> strict_siblings(const Tree& tree) {
  std::vector<Change> changes;
  for (std::uint32_t other = 0; other < tree.cluster.queues.size() && tree.cluster.queues.size() <= 100; ++other) {
    const Queue& sibling = tree.cluster.queues[other];
    if (other != tree.owner && sibling.strategy == QueueingStrategy::StrictFIFO &&
        sibling.preemption.reclaim_within_cohort != Reclaim::Any)
      changes.push_back({Field::QueueingStrategy, other, 0, "BestEffortFIFO"});
  }
  return changes;
}

}  // namespace

std::vector<Change> repair_claim(const Proof& proof, std::uint32_t queue, const std::vector<std::size_t>& pairs) {
  Attempts search(proof, queue, Family::Claim);
  std::vector<Change> changes;
  for (const std::size_t pair : pairs) changes.push_back({Field::LendingLimit, search.tree().owner, pair, {}});
  if (search.mends(changes)) return search.outside(changes);
  // Nobody holds it then, and it waits behind heads that reserve.
  std::vector<std::vector<Change>> candidates{changes};
  for (const Change& change : strict_siblings(search.tree())) candidates.push_back({change});
  return search.outside(search.fewest(candidates));
}

std::vector<Change> repair_waits(const Proof& proof, std::uint32_t queue) {
  Attempts search(proof, queue, Family::Vacuity);
  std::vector<std::vector<Change>> candidates;
  for (const Change& change : strict_siblings(search.tree())) candidates.push_back({change});
  return search.mends({}) ? std::vector<Change>() : search.outside(search.fewest(candidates));
}

std::vector<Change> repair_reclaim_of(const Proof& proof, std::uint32_t owner) {
  Attempts search(proof, owner, Family::Reclaim);
  if (search.mends({})) return {};  // what is broken is not of the tree: its quotas, and the devices
  const Tree& tree = search.tree();
  const std::uint32_t q = tree.owner;
  const Queue& queue = tree.cluster.queues[q];
  std::vector<std::vector<Change>> candidates;
  if (queue.stop != StopPolicy::None) candidates.push_back({{Field::StopPolicy, q, 0, "None"}});
  if (!queue.cohort.empty() && queue.preemption.reclaim_within_cohort != Reclaim::Any)
    candidates.push_back({{Field::ReclaimWithinCohort, q, 0, "Any"}});
  for (std::uint32_t other = 0; other < tree.cluster.queues.size(); ++other) {
    const Queue& sibling = tree.cluster.queues[other];
    if (other == q || tree.cluster.queues.size() > 100) continue;
    if (sibling.stop == StopPolicy::Hold) candidates.push_back({{Field::StopPolicy, other, 0, "HoldAndDrain"}});
  }
  for (const Change& change : strict_siblings(tree)) candidates.push_back({change});
  if (queue.strategy == QueueingStrategy::StrictFIFO)
    candidates.push_back({{Field::QueueingStrategy, q, 0, "BestEffortFIFO"}});
  if (queue.when_can_preempt != Search::MayStopSearch)
    candidates.push_back({{Field::WhenCanPreempt, q, 0, "MayStopSearch"}});
  std::vector<Change> borrows, lends;
  const std::size_t pairs = pairs_of(queue).size();
  for (std::size_t pair = 0; pair < pairs && !queue.cohort.empty(); ++pair) {
    borrows.push_back({Field::BorrowingLimit, q, pair, {}});
    lends.push_back({Field::LendingLimit, q, pair, {}});
  }
  if (!borrows.empty()) candidates.push_back(borrows);
  auto found = search.fewest(candidates);
  if (found.empty() && !lends.empty()) {  // then nobody can hold any of it
    candidates.push_back(lends);
    found = search.fewest(candidates);
  }
  return search.outside(found);
}

namespace {

// The queues of which what is promised says nothing.
std::set<std::string> idle(const Proof& proof, const Cluster& cluster, const Intent& intent) {
  Origins places;
  places.local_queue = proof.origins.local_queue;
  Report report;
  judge_given_vacuity({cluster, intent, places, proof.solver}, report);
  std::set<std::string> found;
  for (const Obligation& o : report.obligations)
    if (o.verdict != Verdict::Proven) found.emplace(o.subject.name);
  return found;
}

}  // namespace

bool may_go_on(const Proof& proof, std::uint32_t queue) {
  const Attempts search(proof, queue, Family::Claim);
  const Tree& tree = search.tree();
  const Change change{Field::StopPolicy, tree.owner, 0, "None"};
  if (!search.breaks_nothing(change)) return false;
  Cluster changed = tree.cluster;
  apply(change, changed);
  const auto before = idle(proof, tree.cluster, tree.intent), after = idle(proof, changed, tree.intent);
  return std::includes(before.begin(), before.end(), after.begin(), after.end());
}

}  // namespace gpol
