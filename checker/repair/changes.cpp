#include "checker/repair/changes.h"

#include <algorithm>

#include "checker/families/pairs.h"
#include "checker/repair/attempts.h"
#include "compiler/cluster/listed.h"
#include "compiler/source/lookup.h"

namespace gpol {

namespace {

using Field = Change::Field;

Quota& quota_of(Queue& queue, std::size_t pair) {
  for (auto& group : queue.groups)
    for (auto& flavor : group.flavors) {
      if (pair < flavor.quotas.size()) return flavor.quotas[pair];
      pair -= flavor.quotas.size();
    }
  throw InternalError("repair: a queue has no such pair");
}

// A limit of 0 for each of its pairs that has another one.
std::vector<Change> limits(const Attempts& search, std::uint32_t q, Field field) {
  const Queue& queue = search.tree().queues[q];
  std::vector<Change> changes;
  for (const ListedQuota& one : listed_quotas(queue.groups)) {
    const auto& now = field == Field::LendingLimit ? one.quota.lending : one.quota.borrowing;
    if (!queue.cohort.empty() && now != 0) changes.push_back({field, q, one.pair, {}});
  }
  return changes;
}

// Its pods are lent no further than what its demand leaves: Kueue does not bring them back (docs/kueue.md N17).
std::vector<Change> kept_pods(const Attempts& search, std::uint32_t q) {
  const Queue& queue = search.tree().queues[q];
  const std::int64_t demand = search.demand_of(q);
  std::vector<Change> changes;
  for (const ListedQuota& one : listed_quotas(queue.groups)) {
    const std::int64_t lent = std::max<std::int64_t>(0, one.quota.nominal - demand);
    if (!queue.cohort.empty() && search.tree().resources[one.resource] == "pods" &&
        one.quota.lending.value_or(one.quota.nominal) > lent)
      changes.push_back({Field::LendingLimit, q, one.pair, {}, lent});
  }
  return changes;
}

// The LocalQueues that lead to it and are stopped: what asks through one of them waits as well.
std::vector<Change> shut_doors(const Attempts& search, std::uint32_t q) {
  std::vector<Change> changes;
  const auto& locals = search.tree().local_queues;
  for (std::uint32_t l = 0; l < locals.size(); ++l)
    if (locals[l].cluster_queue == search.tree().queues[q].name && locals[l].stop != StopPolicy::None)
      changes.push_back({Field::DoorStopPolicy, l, 0, "None"});
  return changes;
}

// The highest priority for serving and the lowest for batch, where no class says whose it is.
std::vector<Change> roles_of_priorities(const Attempts& search) {
  const auto& classes = search.tree().priority_classes;
  const auto [low, high] =
      std::ranges::minmax_element(classes, [](const auto& a, const auto& b) { return a.value < b.value; });
  const bool said = std::ranges::any_of(classes, [](const auto& one) { return one.labels.contains("gpol.dev/role"); });
  if (said || low == high || low->value == high->value) return {};
  return {{Field::RoleLabel, static_cast<std::uint32_t>(high - classes.begin()), 0, "serving"},
          {Field::RoleLabel, static_cast<std::uint32_t>(low - classes.begin()), 0, "batch"}};
}

// Without a selector it lets nobody in; one that is there was meant to mean something.
Attempts::Candidates missing_selector(const Attempts& search, std::uint32_t q) {
  if (search.tree().queues[q].namespaces.present) return {};
  auto names = search.namespaces(q);
  if (names.empty()) return {};
  return {{{Field::NamespaceSelector, q, 0, {}, 0, std::move(names)}}};
}

// What keeps a queue from being served, be it held by others or not; of the other queues in a small tree only.
Attempts::Candidates obstacles(const Attempts& search, std::uint32_t q) {
  const auto& queues = search.tree().queues;
  const Queue& queue = queues[q];
  Attempts::Candidates found = missing_selector(search, q);
  if (queue.stop != StopPolicy::None) found.push_back({{Field::StopPolicy, q, 0, "None"}});
  if (auto doors = shut_doors(search, q); !doors.empty()) found.push_back(std::move(doors));
  if (!queue.cohort.empty() && queue.preemption.reclaim_within_cohort != Reclaim::Any)
    found.push_back({{Field::ReclaimWithinCohort, q, 0, "Any"}});
  for (std::uint32_t other = 0; other < queues.size() && search.small(); ++other)
    if (other != q && queues[other].stop == StopPolicy::Hold && !search.serves(other))  // it evicts what runs there
      found.push_back({{Field::StopPolicy, other, 0, "HoldAndDrain"}});
  // A head of it reserves in every round what it cannot have, and would not.
  for (std::uint32_t other = 0; other < queues.size() && search.small(); ++other)
    if (other != q && queues[other].strategy == QueueingStrategy::StrictFIFO &&
        queues[other].preemption.reclaim_within_cohort != Reclaim::Any)
      found.push_back({{Field::QueueingStrategy, other, 0, "BestEffortFIFO"}});
  if (queue.strategy == QueueingStrategy::StrictFIFO)
    found.push_back({{Field::QueueingStrategy, q, 0, "BestEffortFIFO"}});
  // A `preference` wants TryNextFlavor beside it (cel:preference-needs-next-flavor).
  if (queue.when_can_preempt != Search::MayStopSearch && queue.fungibility_preference.empty())
    found.push_back({{Field::WhenCanPreempt, q, 0, "MayStopSearch"}});
  if (auto borrows = limits(search, q, Field::BorrowingLimit); !borrows.empty()) found.push_back(std::move(borrows));
  return found;
}

// Behind `stages`: what their last has, with what stands in the way of the other promises of the tree, which theirs may
// break.
std::vector<Attempts::Candidates> with_others(const Attempts& search, std::vector<Attempts::Candidates> stages) {
  constexpr std::size_t kFew = 8;
  std::vector<std::uint32_t> others;
  for (std::uint32_t q = 0; q < search.tree().queues.size(); ++q)
    if (q != search.owner() && search.serves(q)) others.push_back(q);
  if (others.empty() || others.size() > kFew) return stages;
  Attempts::Candidates all = stages.back();
  for (const std::uint32_t q : others) {
    auto more = obstacles(search, q);
    if (auto lends = limits(search, q, Field::LendingLimit); !lends.empty()) more.push_back(std::move(lends));
    for (auto& one : more)
      if (!contains(all, one)) all.push_back(std::move(one));
  }
  stages.push_back(std::move(all));
  return stages;
}

struct Share {
  std::uint32_t queue;
  std::size_t pair;
  Quota quota;
};

// All quota of a (flavor, resource), and those queues without a promise that have `too_much` of it, most first.
std::vector<Share> shares(const Cluster& cluster, const Intent& intent, Pair pair, std::int64_t devices,
                          std::int64_t& too_much) {
  std::int64_t sum = 0;
  std::vector<Share> found;
  const auto add = [&](std::int64_t nominal) {
    if (__builtin_add_overflow(sum, nominal, &sum)) sum = INT64_MAX;
  };
  for (std::uint32_t q = 0; q < cluster.queues.size(); ++q)
    for (const ListedQuota& one : listed_quotas(cluster.queues[q].groups)) {
      if (one.flavor != pair.flavor || one.resource != pair.resource) continue;
      add(one.quota.nominal);
      if (intent.roles[q].kind != QueueRole::Kind::Serving) found.push_back({q, one.pair, one.quota});
    }
  for (const CohortNode& cohort : cluster.cohorts)
    for (const ListedQuota& one : listed_quotas(cohort.groups))
      if (one.flavor == pair.flavor && one.resource == pair.resource) add(one.quota.nominal);
  too_much = sum == INT64_MAX || devices < 0 ? INT64_MAX : sum - devices;
  std::erase_if(found, [&](const Share& share) { return share.quota.nominal < too_much; });
  std::ranges::stable_sort(found, [](const Share& a, const Share& b) { return a.quota.nominal > b.quota.nominal; });
  return found;
}

}  // namespace

void apply(const Change& change, Cluster& cluster) {
  if (change.field == Field::DoorStopPolicy) {
    cluster.local_queues.at(change.queue).stop = StopPolicy::None;
    return;
  }
  if (change.field == Field::RoleLabel) {
    cluster.priority_classes.at(change.queue).labels["gpol.dev/role"] = change.word;
    return;
  }
  Queue& queue = cluster.queues.at(change.queue);
  if (change.field == Field::LendingLimit) quota_of(queue, change.pair).lending = change.amount;
  if (change.field == Field::BorrowingLimit) quota_of(queue, change.pair).borrowing = change.amount;
  if (change.field == Field::NominalQuota) quota_of(queue, change.pair).nominal = change.amount;
  if (change.field == Field::ReclaimWithinCohort) queue.preemption.reclaim_within_cohort = Reclaim::Any;
  if (change.field == Field::QueueingStrategy) queue.strategy = QueueingStrategy::BestEffortFIFO;
  if (change.field == Field::StopPolicy)
    queue.stop = change.word == "None" ? StopPolicy::None : StopPolicy::HoldAndDrain;
  if (change.field == Field::WhenCanPreempt) queue.when_can_preempt = Search::MayStopSearch;
  if (change.field == Field::NamespaceSelector)
    queue.namespaces = {
        true, {}, {{"kubernetes.io/metadata.name", "In", {change.namespaces.begin(), change.namespaces.end()}}}};
}

Repairs::Repairs(const Proof& proof) : Repairs(proof, std::make_shared<Tried>()) { proof.solver.remember(); }

Repairs Repairs::of(const Proof& proof) const {
  auto tried = std::make_shared<Tried>();
  tried->stories = tried_->stories;
  tried->large = tried_->large;
  tried->left_out = tried_->left_out;
  return {proof, std::move(tried)};
}

Remedy Repairs::found(Remedy remedy) {
  if (!remedy.alone) found_.insert(found_.end(), remedy.changes.begin(), remedy.changes.end());
  return remedy;
}

bool Repairs::too_much(std::uint32_t queue) const {
  if (!tried_->too_much(proof_, queue)) return false;
  ++*tried_->left_out;
  return true;
}

std::int64_t Repairs::not_tried() const { return *tried_->left_out; }

Remedy Repairs::of_claim(std::uint32_t queue, const std::vector<std::size_t>& pairs) {
  if (too_much(queue)) return {};
  Attempts search(proof_, queue, Family::Claim, found_, *tried_);
  std::vector<Change> changes;
  for (const std::size_t pair : pairs) changes.push_back({Field::LendingLimit, search.owner(), pair, {}});
  // Nobody holds it then, and it may wait all the same.
  Attempts::Candidates candidates{changes};
  for (auto& more : obstacles(search, search.owner()))
    if (more.front().field != Field::StopPolicy) candidates.push_back(std::move(more));
  Remedy remedy = search.fewest(with_others(search, {{changes}, std::move(candidates)}));
  remedy.whole = remedy.changes.size() > 1 && !search.each_breaks_nothing(remedy.changes);
  return found(std::move(remedy));
}

// What a head of another queue keeps from it (ReclaimFacts::siblings), that one's strategy and stop policy, the limits,
// and who may reclaim decide, and of serving queues alone the last two are changed. Without any of these to change no
// edit clears it, and none is tried.
bool Repairs::nothing_unblocks(std::uint32_t queue) const {
  const Tried::Whole& whole = tried_->whole_of(proof_);
  return std::ranges::none_of(whole.trees.at(whole.root[queue]), [&](std::uint32_t q) {
    const Queue& one = proof_.cluster.queues[q];
    if (one.stop != StopPolicy::None || one.strategy == QueueingStrategy::StrictFIFO) return true;
    if (q != queue && proof_.intent.roles[q].kind != QueueRole::Kind::Serving) return false;
    const bool limited = std::ranges::all_of(listed_quotas(one.groups), [](const ListedQuota& listed) {
      return listed.quota.borrowing == 0 && listed.quota.lending == 0;
    });
    return !one.cohort.empty() && (!limited || one.preemption.reclaim_within_cohort != Reclaim::Any);
  });
}

Remedy Repairs::of_waits(std::uint32_t queue) {
  if (too_much(queue) || nothing_unblocks(queue)) return {};
  Attempts search(proof_, queue, Family::Vacuity, found_, *tried_);
  if (search.nothing_to_mend()) return {};
  return found(search.fewest(with_others(search, {obstacles(search, search.owner())})));
}

Remedy Repairs::of_closed(std::uint32_t queue) {
  if (too_much(queue)) return {};
  Attempts search(proof_, queue, Family::Vacuity, found_, *tried_);
  std::vector<Change> opens;
  if (search.tree().queues[search.owner()].stop != StopPolicy::None)
    opens.push_back({Field::StopPolicy, search.owner(), 0, "None"});
  for (const auto& selector : missing_selector(search, search.owner())) opens.push_back(selector.front());
  const auto doors = shut_doors(search, search.owner());
  opens.insert(opens.end(), doors.begin(), doors.end());
  if (opens.empty()) return {};
  Attempts::Candidates candidates{opens};
  for (auto& more : obstacles(search, search.owner()))
    if (!contains(opens, more.front())) candidates.push_back(std::move(more));
  if (auto lends = limits(search, search.owner(), Field::LendingLimit); !lends.empty())
    candidates.push_back(std::move(lends));
  return found(search.fewest(with_others(search, {{opens}, std::move(candidates)})));
}

Remedy Repairs::reclaim_of_tree(std::uint32_t queue) const {
  if (too_much(queue)) return {};
  Attempts search(proof_, queue, Family::Reclaim, found_, *tried_);
  if (search.nothing_to_mend()) return {};  // what is broken is not of the tree: its quotas, and the devices
  std::vector<Attempts::Candidates> stages{obstacles(search, search.owner())};
  if (auto pods = kept_pods(search, search.owner()); !pods.empty()) stages.front().push_back(std::move(pods));
  // A loan that stays comes before one that ends.
  if (auto labels = roles_of_priorities(search); !labels.empty()) {
    stages.push_back(stages.front());
    stages.back().push_back(std::move(labels));
  }
  if (auto lends = limits(search, search.owner(), Field::LendingLimit);
      !lends.empty()) {  // then nobody can hold any of it
    stages.push_back(stages.front());
    stages.back().push_back(std::move(lends));
  }
  return search.fewest(with_others(search, std::move(stages)));
}

Remedy Repairs::of_reclaim(std::uint32_t queue) {
  Remedy remedy = reclaim_of_tree(queue);
  if (!remedy.changes.empty() || proof_.intent.capacities.empty()) return found(std::move(remedy));
  // Quotas beyond the devices are a finding of their own: this one is mended with it.
  remedy.changes = within_devices();
  if (remedy.changes.empty()) return {};
  Cluster cluster = proof_.cluster;
  for (const Change& change : remedy.changes) apply(change, cluster);
  const Proof proof{cluster, proof_.intent, proof_.origins, proof_.solver};
  Repairs rest = of(proof);
  rest.found_ = found_;
  const auto [more, alone, whole] = rest.reclaim_of_tree(queue);
  remedy.whole = whole;
  remedy.changes.insert(remedy.changes.end(), more.begin(), more.end());
  remedy.alone = alone;
  if (more.empty() && !Attempts(proof, queue, Family::Reclaim, {}, *tried_).nothing_to_mend()) return {};
  return found(std::move(remedy));
}

Remedy Repairs::of_capacity(std::uint32_t flavor, std::uint32_t resource) {
  const PoolCapacity* capacity = proof_.intent.capacity_of(flavor);
  if (capacity == nullptr) return {};
  std::int64_t too_much = 0;
  const auto candidates =
      shares(proof_.cluster, proof_.intent, {flavor, resource}, capacity->surely.at(resource), too_much);
  if (too_much <= 0) return {};
  for (const Share& share : candidates) {
    const std::int64_t left = share.quota.nominal - too_much;
    std::vector<Change> changes{{Field::NominalQuota, share.queue, share.pair, {}, left}};
    if (share.quota.lending.value_or(0) > left)
      changes.push_back({Field::LendingLimit, share.queue, share.pair, {}, left});
    if (tried_->too_much(proof_, share.queue)) continue;
    Attempts search(proof_, share.queue, Family::Capacity, found_, *tried_);
    auto inside = changes;
    for (Change& change : inside) change.queue = search.owner();
    if (search.breaks_nothing(inside)) return found({std::move(changes)});
  }
  return {};
}

// For every flavor and resource; nothing where one cannot be mended.
std::vector<Change> Repairs::within_devices() const {
  std::vector<Change> all;
  Repairs one = of(proof_);
  for (const PoolCapacity& capacity : proof_.intent.capacities)
    for (std::uint32_t r = 0; r < proof_.cluster.resources.size(); ++r) {
      std::int64_t too_much = 0;
      shares(proof_.cluster, proof_.intent, {capacity.flavor, r}, capacity.surely.at(r), too_much);
      if (too_much <= 0) continue;
      const auto changes = one.of_capacity(capacity.flavor, r).changes;
      if (changes.empty()) return {};
      all.insert(all.end(), changes.begin(), changes.end());
    }
  return all;
}

}  // namespace gpol
