#include "checker/families/reclaim_facts.h"

#include <algorithm>

#include "checker/planted.h"
#include "compiler/cluster/listed.h"

namespace gpol {

using kueue::kRoot;
using kueue::kUnlimited;
using kueue::Node;

namespace {

std::vector<Quota> quotas_of(const Queue& queue) {
  std::vector<Quota> quotas;
  for (const ListedQuota& one : listed_quotas(queue.groups)) quotas.push_back(one.quota);
  return quotas;
}

}  // namespace

std::int64_t not_needed(const QueueRole& role, std::uint32_t resource, std::int64_t reserve) {
  std::int64_t needed = 0;
  if (!role.victims_in_turn || __builtin_mul_overflow(*role.victims_in_turn, per_replica(role, resource), &needed))
    return 0;
  return std::max<std::int64_t>(0, reserve - needed);
}

namespace {

constexpr const char* kStrictSibling =
    "a sibling queue (StrictFIFO, reclaimWithinCohort not Any) can keep a head that reserves in every cycle";
constexpr const char* kReturning =
    "a head of a sibling queue (reclaimWithinCohort not Any) is back with every eviction, and can reserve each time";
constexpr const char* kBackFirst =
    "what is evicted for it may be within the quota of its own queue, and be back before it (its priority is not "
    "surely lower)";
constexpr const char* kTopology = "its flavor has a topology";
constexpr const char* kChecks = "it waits for admission checks";
constexpr const char* kBlocked = "blockAdmission stops all admission until every pod is ready";

}  // namespace

bool gives_back(const ReclaimFacts& f) {
  const bool head = f.best_effort_head && f.active && f.namespace_matches && f.no_checks && f.nothing_blocks;
  const bool strict_sibling = f.siblings.strict_fifo && !planted(Bug::WalkStrictSibling);
  const bool goes_first = f.goes_first || planted(Bug::WalkFairSharesNoMatter);
  const bool unblocked = goes_first && !strict_sibling && !f.siblings.returns && !(f.timed && f.siblings.best_effort);
  const bool may_evict = f.policy == Reclaim::Any || (f.policy == Reclaim::LowerPriority && f.victims_below) ||
                         (planted(Bug::WalkReclaimNever) && f.policy == Reclaim::Never);
  const bool victims = may_evict && (f.nominal_covers || planted(Bug::WalkNominalNotNeeded)) &&
                       (f.victims_active || planted(Bug::WalkHeldVictims)) && f.victims_leave;
  const bool one_flavor = f.one_flavor || planted(Bug::WalkAnyFlavorFound);
  return f.borrows_nothing && one_flavor && f.no_topology && head && f.physical && unblocked &&
         (f.nothing_claimable || (victims && (f.pods_kept || planted(Bug::WalkPodsSeen))));
}

std::vector<std::string> missing_of(const ReclaimFacts& f) {
  std::vector<std::string> missing;
  const auto need = [&](bool met, const char* text) {
    if (!met) missing.emplace_back(text);
  };
  need(f.active, f.why_inactive.empty() ? "its queue is stopped" : f.why_inactive.c_str());
  need(f.nothing_claimable || f.nominal_covers, "its nominal quota is below its reserve");
  const std::string not_below =
      "it may reclaim only from lower priorities, and " +
      (f.why_not_below.empty() ? std::string("no guard bounds those of batch") : f.why_not_below);
  need(f.nothing_claimable || f.policy == Reclaim::Any || (f.policy == Reclaim::LowerPriority && f.victims_below),
       f.policy == Reclaim::Never ? "it may not reclaim (reclaimWithinCohort Never)" : not_below.c_str());
  need(!f.siblings.strict_fifo, kStrictSibling);
  need(!f.siblings.returns, kReturning);
  need(!(f.timed && f.siblings.best_effort),
       "a sibling queue that may not reclaim from anyone can delay it by a cycle "
       "for each of its heads, without bound");
  need(f.nothing_claimable || f.victims_active,
       "a stopped queue may hold borrowed quota, and nobody can evict from it");
  need(f.nothing_claimable || f.victims_leave, "evictions need not end");
  const std::string taken = (f.who_takes_pods.empty() ? "others" : "`" + f.who_takes_pods + "`") +
                            " may borrow pods that it needs, and Kueue does not count pods when it looks for victims";
  need(f.nothing_claimable || f.pods_kept, taken.c_str());
  need(f.goes_first, f.why_not_first.empty()
                         ? "under fair sharing what others of its cohort borrow puts it behind whom it evicts"
                         : f.why_not_first.c_str());
  need(f.one_flavor, "its workloads may wander off to another flavor");
  need(f.no_topology, kTopology);
  need(f.best_effort_head, "its own head can block it (StrictFIFO)");
  need(f.namespace_matches, "it admits no namespace");
  need(f.no_checks, kChecks);
  need(f.nothing_blocks, kBlocked);
  need(f.physical, "quotas exceed the devices that are surely there");
  need(f.borrows_nothing, "it may borrow, and what runs above its nominal quota can be evicted");
  return missing;
}

std::string keeps_waiting(const ReclaimFacts& f) {
  if (f.siblings.strict_fifo) return kStrictSibling;
  if (f.siblings.returns) return kReturning;
  if (!f.no_topology) return kTopology;
  if (!f.no_checks) return kChecks;
  if (!f.nothing_blocks) return kBlocked;
  return {};
}

ReclaimWorld::ReclaimWorld(const Proof& proof, const kueue::Shape& shape)
    : proof_(proof), shape_(shape), pod_room_(proof.cluster, shape), pooled_(shape.parent.size(), false) {
  const Cluster& cluster = proof.cluster;
  for (std::uint32_t q = 0; q < cluster.queues.size(); ++q) {
    root_.push_back(kueue::root_of(shape, q));
    queues_[root_[q]].push_back(q);
    const auto flavors = flavors_of(cluster.queues[q]);
    flavors_.emplace_back(flavors.begin(), flavors.end());
  }
  std::vector<Node> roots(shape.parent.size(), kRoot);
  for (auto v = shape.bottom_up.rbegin(); v != shape.bottom_up.rend(); ++v)
    roots[*v] = shape.parent[*v] == kRoot ? *v : roots[shape.parent[*v]];
  for (const Node v : shape.bottom_up) nodes_[roots[v]].push_back(v);
  for (const LocalQueue& local : cluster.local_queues)  // demand that comes through it waits for ever
    if (local.stop != StopPolicy::None) stopped_at_the_door_.insert(local.cluster_queue);
  physical_.assign(cluster.flavors.size() * cluster.resources.size(), true);
  for (std::uint32_t f = 0; f < cluster.flavors.size(); ++f)
    for (std::uint32_t r = 0; r < cluster.resources.size(); ++r) {
      // Where windows change borrowing limits only, subtree quotas are those of every window.
      bool exact = false;
      const kueue::Limits widest = kueue::widest_limits(cluster, shape, f, r, exact);
      if (exact) {
        add_limits(widest, f, r);
        continue;
      }
      add_limits(kueue::limits_of(cluster, shape, f, r, nullptr), f, r);
      for (const Mode& mode : cluster.modes) add_limits(kueue::limits_of(cluster, shape, f, r, &mode), f, r);
    }
  least_.resize(cluster.queues.size());
  owns_.assign(cluster.queues.size(), false);
  std::map<std::string_view, std::uint32_t> index;
  for (std::uint32_t q = 0; q < cluster.queues.size(); ++q) {
    index.emplace(cluster.queues[q].name, q);
    least_[q] = quotas_of(cluster.queues[q]);
    for (const Quota& quota : least_[q]) owns_[q] = owns_[q] || quota.nominal > 0;
  }
  for (const Mode& mode : cluster.modes)
    for (const auto& [key, quota] : mode.changed) {
      const auto found = index.find(key.queue);
      if (found == index.end()) continue;
      const auto pairs = pairs_of(cluster.queues[found->second]);
      owns_[found->second] = owns_[found->second] || quota.nominal > 0;
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (cluster.flavors[pairs[i].flavor].name != key.flavor || cluster.resources[pairs[i].resource] != key.resource)
          continue;
        Quota& least = least_[found->second][i];
        least.nominal = std::min(least.nominal, quota.nominal);
        if (!quota.borrowing || (least.borrowing && *quota.borrowing > *least.borrowing))
          least.borrowing = quota.borrowing;
      }
    }
  find_borrowers_of_pods();
  kind_.assign(cluster.queues.size(), kKinds);
  stopped_borrower_.assign(cluster.queues.size(), false);
  for (std::uint32_t q = 0; q < cluster.queues.size(); ++q) {
    classify(q);
    if (!proof.origins.field.empty() && written(proof, q, "reclaimWithinCohort")) overriding_.push_back(q);
  }
}

void ReclaimWorld::add_limits(const kueue::Limits& limits, std::uint32_t flavor, std::uint32_t resource) {
  for (Node v = 0; v < shape_.parent.size(); ++v)
    if (shape_.parent[v] != kRoot && v >= shape_.queues && limits.subtree[v] > 0) pooled_[v] = true;
  // Nodes that nobody described make no obligation here: the proof then speaks of quota only.
  for (const PoolCapacity& capacity : proof_.intent.capacities) {
    if (capacity.flavor != flavor) continue;
    const std::size_t at = flavor * proof_.cluster.resources.size() + resource;
    const std::int64_t devices = capacity.surely.at(resource), quotas = all_quotas(limits);
    if (quotas > devices) physical_[at] = false;
  }
}

bool ReclaimWorld::may_be_inactive(const Queue& queue) const {
  if (proof_.intent.of_policy) return !queue.admission_checks.empty();
  if (proof_.intent.inactive_queues.contains(queue.name)) return true;
  return std::ranges::any_of(queue.admission_checks,
                             [&](const std::string& check) { return proof_.intent.inactive_checks.contains(check); });
}

bool ReclaimWorld::pooled_above(std::uint32_t q) const {
  for (Node v = shape_.parent[q]; v != kRoot; v = shape_.parent[v])
    if (pooled_[v]) return true;
  return false;
}

void ReclaimWorld::classify(std::uint32_t q) {
  const Queue& queue = proof_.cluster.queues[q];
  if (shape_.in_cycle[q] || shape_.parent[q] == kRoot) return;  // no tree, or nothing of it is scheduled
  bool borrows = planted(Bug::WalkStoppedBorrowsAll);
  for (const Quota& quota : least_[q]) {
    const bool here = quota.borrowing.value_or(kUnlimited) > 0;
    borrows = planted(Bug::WalkStoppedBorrowsAll) ? borrows && here : borrows || here;
  }
  // A stopped queue has no heads, but on Hold it keeps what it holds and nobody may evict from it. An admission check
  // makes a queue inactive when its controller is away; of what is there it is taken for granted that it is not
  // (given.cpp), where nothing says the opposite.
  const bool on_hold = queue.stop == StopPolicy::Hold && !planted(Bug::WalkHoldIsEvictable);
  stopped_borrower_[q] = borrows && (on_hold || may_be_inactive(queue));
  const Preemption& preemption = queue.preemption;
  if (queue.stop != StopPolicy::None)
    kind_[q] = kKinds;
  else if (preemption.reclaim_within_cohort == Reclaim::Any)
    kind_[q] = Any;
  else if (!owns_[q] && !pooled_above(q) && preemption.borrow_within_cohort == BorrowWithin::Never &&
           (!proof_.cluster.config.fair_sharing || preemption.reclaim_within_cohort == Reclaim::Never))
    kind_[q] = OwnsNothing;
  else
    kind_[q] = queue.strategy == QueueingStrategy::StrictFIFO && !planted(Bug::WalkStrictParks) ? Strict : BestEffort;
  for (const std::uint32_t flavor : flavors_of(queue)) {
    Count& count = counts_[{root_of(q), flavor}];
    if (kind_[q] != kKinds) ++count.of[kind_[q]];
    if (stopped_borrower_[q]) ++count.of[StoppedBorrower];
  }
}

ReclaimFacts ReclaimWorld::facts_of_kind(std::uint32_t q, std::span<const std::int64_t> claimable) const {
  const Cluster& cluster = proof_.cluster;
  const Queue& queue = cluster.queues[q];
  const QueueRole& role = proof_.intent.roles[q];
  ReclaimFacts facts;
  facts.policy = queue.preemption.reclaim_within_cohort;
  facts.nothing_claimable = true;
  facts.timed = role.isolation == Isolation::B && (role.deadline || role.back_within);
  const bool alone = shape_.parent[q] == kRoot;
  facts.nominal_covers = facts.borrows_nothing = facts.physical = facts.one_flavor = facts.no_topology = true;
  const auto pairs = pairs_of(queue);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (claimable[i] > not_needed(role, pairs[i].resource, reserve_at(role, i))) facts.nothing_claimable = false;
    const bool covers = least_[q][i].nominal >= reserve_at(role, i);
    facts.nominal_covers = facts.nominal_covers && (covers || (i > 0 && planted(Bug::WalkFirstResourceCovers)));
    facts.borrows_nothing = facts.borrows_nothing && (alone || least_[q][i].borrowing.value_or(kUnlimited) == 0);
    facts.physical = facts.physical && physical_[pairs[i].flavor * cluster.resources.size() + pairs[i].resource];
    facts.no_topology = facts.no_topology && cluster.flavors[pairs[i].flavor].topology.empty();
  }
  facts.pods_kept = !takes_pods(q, claimable);
  std::size_t covered = 0;
  for (const auto& group : queue.groups) {
    facts.one_flavor = facts.one_flavor && group.flavors.size() == 1;
    covered += group.covered.size();
  }
  facts.resources = static_cast<std::uint8_t>(std::clamp<std::size_t>(covered, 1, 16));
  facts.try_next_when_preempting = !facts.one_flavor && queue.when_can_preempt == Search::TryNextFlavor;
  facts.best_effort_head = queue.strategy == QueueingStrategy::BestEffortFIFO;
  facts.active = queue.stop == StopPolicy::None && !shape_.in_cycle[q] && !stopped_at_the_door_.contains(queue.name) &&
                 !proof_.intent.inactive_queues.contains(queue.name);
  facts.namespace_matches = queue.namespaces.present;
  facts.no_checks = queue.admission_checks.empty();
  facts.nothing_blocks = !cluster.config.wait_for_pods_ready || !cluster.config.wait_for_pods_ready->block_admission;
  facts.victims_active = true;
  // fair_sharing_iterator.go compares whole subtrees at every level: what a cohort's other members borrow counts
  // against its queues, so that whoever was evicted for one may take the place again before it, for ever.
  facts.goes_first = !cluster.config.fair_sharing || alone || shape_.parent[shape_.parent[q]] == kRoot;
  if (role.unit_demand)
    heed_unit_demand(q, claimable, facts);
  else
    heed_siblings(q, facts);
  // Of a policy's deadline that batch is below is a premise (turns.h), where batch lends quota of its own.
  const bool premised = proof_.intent.of_policy && facts.timed;
  if (facts.goes_first && !facts.nothing_claimable && !premised && victims_come_first(q)) {
    facts.goes_first = false;
    facts.why_not_first = kBackFirst;
  }
  return facts;
}

std::string ReclaimWorld::why_inactive(std::uint32_t q) const {
  if (proof_.cluster.queues[q].stop != StopPolicy::None) return {};
  if (shape_.in_cycle[q])
    return "its cohort `" + proof_.cluster.queues[q].cohort + "` is in a cycle, and Kueue admits nothing there";
  if (proof_.intent.inactive_queues.contains(proof_.cluster.queues[q].name)) return "its queue is not active";
  return "a LocalQueue that leads to it is stopped";
}

// Of what is there: a policy knows of the guards that it asks for, and nothing of priorities that they do not bound.
std::string ReclaimWorld::why_not_below(std::uint32_t q) const {
  const auto other = proof_.intent.of_policy ? std::nullopt : borrower_not_below(q);
  if (!other) return {};
  const auto own = proof_.intent.roles[q].priority, theirs = proof_.intent.roles[*other].priority;
  const std::string name = "`" + proof_.cluster.queues[*other].name + "`";
  if (!own) return "its own workloads may have any priority";
  if (!theirs) return "workloads of " + name + " may have any priority";
  return "workloads of " + name + " have priority " + std::to_string(*theirs) + ", its own " + std::to_string(*own);
}

void ReclaimWorld::heed_siblings(std::uint32_t q, ReclaimFacts& facts) const {
  for (const std::uint32_t flavor : flavors_of(proof_.cluster.queues[q])) {
    const auto found = counts_.find({root_of(q), flavor});
    if (found == counts_.end()) continue;
    const auto others = [&](Kind kind, bool self) { return found->second.of[kind] > (self ? 1U : 0U); };
    facts.siblings.reclaim_any |= others(Any, kind_[q] == Any);
    facts.siblings.owns_nothing |= others(OwnsNothing, kind_[q] == OwnsNothing);
    facts.siblings.best_effort |= others(BestEffort, kind_[q] == BestEffort);
    facts.siblings.returns |= others(BestEffort, kind_[q] == BestEffort);
    facts.siblings.strict_fifo |= others(Strict, kind_[q] == Strict);
    if (others(StoppedBorrower, stopped_borrower_[q])) facts.victims_active = false;
  }
}

std::vector<std::uint32_t> ReclaimWorld::overriding_siblings(std::uint32_t queue) const {
  std::vector<std::uint32_t> siblings;
  for (const std::uint32_t q : overriding_)
    if (q != queue && root_of(q) == root_of(queue)) siblings.push_back(q);
  return siblings;
}

bool ReclaimWorld::share_a_flavor(std::uint32_t a, std::uint32_t b) const {
  if (root_of(a) != root_of(b)) return false;
  const auto &mine = flavors_[a], &theirs = flavors_[b];
  for (auto one = mine.begin(), other = theirs.begin(); one != mine.end() && other != theirs.end();) {
    if (*one == *other) return true;
    ++(*one < *other ? one : other);
  }
  return false;
}

std::uint32_t ReclaimWorld::blocking_sibling(std::uint32_t queue, bool timed) const {
  for (const Kind wanted : {Strict, BestEffort}) {
    if (wanted == BestEffort && !timed) break;
    for (const std::uint32_t q : some_of_tree(queue))
      if (q != queue && kind_[q] == wanted && share_a_flavor(queue, q)) return q;
  }
  return queue;
}

std::uint32_t ReclaimWorld::stopped_sibling(std::uint32_t queue) const {
  for (const std::uint32_t q : some_of_tree(queue))
    if (q != queue && stopped_borrower_[q] && share_a_flavor(queue, q)) return q;
  return queue;
}

}  // namespace gpol
