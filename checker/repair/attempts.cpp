#include "checker/repair/attempts.h"

#include <algorithm>

#include <fmt/format.h>

#include "checker/families/reclaim_late.h"
#include "checker/families/table.h"
#include "checker/repair/selectors.h"
#include "checker/story/stories.h"
#include "compiler/cluster/roles.h"

namespace gpol {

namespace {

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

// Of a claim or reclaim there is one for each pair; what vacuity says of a pair is apart from what it says of a queue.
std::string subject_of(const Obligation& o) {
  std::string subject(o.subject.name);
  if (!o.subject.resource.empty()) subject.append(" ").append(o.subject.flavor).append(" ").append(o.subject.resource);
  return subject;
}

bool broken_of(const Looked& seen, Family family, const std::string& name) {
  if (family == Family::Vacuity) return seen.broken.contains({family, name});
  const auto at = seen.broken.lower_bound({family, name});
  return at != seen.broken.end() && at->first == family && (at->second == name || at->second.starts_with(name + " "));
}

}  // namespace

const Tried::Whole& Tried::whole_of(const Proof& proof) {
  if (whole) return *whole;
  Whole& all = whole.emplace();
  all.bare = proof.cluster;
  all.bare.queues.clear();
  // Nothing that is looked at here turns on them, and each attempt has a copy.
  all.bare.admission_policies.clear();
  all.bare.admission_bindings.clear();
  all.bare.roles.clear();
  all.bare.role_bindings.clear();
  all.intent = proof.intent;
  all.intent.roles.clear();
  const kueue::Shape shape = kueue::shape_of(proof.cluster);
  for (std::uint32_t q = 0; q < shape.queues; ++q) {
    all.root.push_back(root_of(shape, q));
    all.trees[all.root[q]].push_back(q);
  }
  return all;
}

bool Tried::too_much(const Proof& proof, std::uint32_t queue) {
  if (*large > 0) return false;
  const Whole& all = whole_of(proof);
  return all.trees.at(all.root[queue]).size() > kSmall;
}

Attempts::Attempts(const Proof& proof, std::uint32_t owner, Family family, const std::vector<Change>& beside,
                   Tried& tried)
    : proof_(proof), tried_(tried), intent_(tried.whole_of(proof).intent), family_(family) {
  const Tried::Whole& all = *tried.whole;
  const kueue::Node root = all.root[owner];
  queues_ = all.trees.at(root);
  Cluster tree = all.bare;
  for (const std::uint32_t q : queues_) {
    if (q == owner) owner_ = static_cast<std::uint32_t>(tree.queues.size());
    tree.queues.push_back(proof.cluster.queues[q]);
    intent_.roles.push_back(proof.intent.roles[q]);
  }
  for (std::uint32_t q = 0; q < proof.cluster.queues.size() && !intent_.capacities.empty(); ++q)
    if (all.root[q] != root) take_devices(proof.cluster.queues[q], intent_);
  Looked whole;
  whole.cluster = std::move(tree);
  whole.key = fmt::format("{}", root);
  before_ = look(whole, {});
  std::vector<Change> others;
  for (const Change& change : beside)
    if (const auto in = small() ? inside(change) : std::nullopt) others.push_back(*in);
  if (!others.empty()) beside_ = look(*before_, others);
}

std::set<std::string> Attempts::namespaces(std::uint32_t queue) const {
  return NamespacesMeant(proof_).of(tree().queues[queue].name);
}

std::optional<Change> Attempts::inside(Change change) const {
  if (!of_queue(change)) return change;
  const auto at = std::ranges::lower_bound(queues_, change.queue);
  if (at == queues_.end() || *at != change.queue) return std::nullopt;
  change.queue = static_cast<std::uint32_t>(at - queues_.begin());
  return change;
}

std::vector<Change> Attempts::outside(std::vector<Change> changes) const {
  for (Change& change : changes)
    if (of_queue(change)) change.queue = queues_[change.queue];
  return changes;
}

std::shared_ptr<Looked> Attempts::look(const Looked& from, const std::vector<Change>& changes) const {
  std::string key = from.key;
  for (const Change& c : changes)
    key += fmt::format("|{} {} {} {} {}", static_cast<int>(c.field), c.queue, c.pair, c.word, c.amount);
  if (const auto known = tried_.known.find(key); known != tried_.known.end()) return known->second;
  auto seen = std::make_shared<Looked>();
  seen->cluster = from.cluster;
  seen->key = key;
  for (const Change& change : changes) apply(change, seen->cluster);
  judge(*seen);
  const auto queues = static_cast<std::int64_t>(queues_.size());
  if (!small()) *tried_.large -= queues * queues;
  if ((small() || changes.empty()) && tried_.known.size() < Tried::kMost) tried_.known.emplace(std::move(key), seen);
  return seen;
}

void Attempts::judge(Looked& seen) const {
  Origins places;
  places.local_queue = proof_.origins.local_queue;
  Intent intent = intent_;
  set_priorities(seen.cluster, intent);
  const Proof proof{seen.cluster, intent, places, proof_.solver, nullptr, false};
  Report report;
  for (const Round round : kRounds) judge_families(round, Door::Repairs, proof, {}, report);
  std::map<std::string_view, std::uint32_t> queues;
  for (std::uint32_t q = 0; q < seen.cluster.queues.size(); ++q) queues.emplace(seen.cluster.queues[q].name, q);
  for (const Obligation& o : report.obligations) {
    if (const auto at = queues.find(o.subject.name); o.verdict == Verdict::Proven || at == queues.end()) continue;
    if (o.required) seen.broken.emplace(o.family, subject_of(o));
  }
  for (const Obligation& o : report.obligations) {
    if (o.family != Family::Reclaim || o.verdict != Verdict::Undecided || !o.detail || !o.detail->waits.empty())
      continue;
    if (o.detail->follows) continue;  // from what no story tells of
    const std::string name(o.subject.name);
    const std::uint32_t q = queues.at(o.subject.name);
    if (intent_.roles[q].isolation == Isolation::A && seen.cluster.queues[q].stop == StopPolicy::None &&
        !broken_of(seen, Family::Claim, name) && !broken_of(seen, Family::Vacuity, name))
      seen.doubted.insert(q);
  }
}

// One is looked for where all else is in order.
std::optional<bool> Attempts::waits(Looked& seen, std::uint32_t queue) const {
  if (!seen.doubted.contains(queue)) return false;
  if (const auto known = seen.waits.find(queue); known != seen.waits.end()) return known->second;
  if (*tried_.stories <= 0) return seen.waits[queue] = std::nullopt;
  if (!seen.stage) seen.stage = std::make_unique<Stage>(seen.cluster);
  const std::int64_t before = seen.stage->worked();
  const bool told = looks_for_more(*seen.stage, 0) && tell_reclaim(*seen.stage, intent_, queue);
  *tried_.stories -= seen.stage->worked() - before;
  return seen.waits[queue] = told;
}

bool Attempts::is_broken(Looked& seen) const {
  return broken_of(seen, family_, seen.cluster.queues[owner_].name) ||
         (family_ == Family::Vacuity && waits(seen, owner_).value_or(true));
}

bool Attempts::no_worse(Looked& before, Looked& after) const {
  if (!std::ranges::includes(before.broken, after.broken)) return false;
  return std::ranges::none_of(after.doubted, [&](std::uint32_t q) {
    const bool told =
        before.broken.contains({Family::Vacuity, before.cluster.queues[q].name}) || waits(before, q).value_or(false);
    return !told && waits(after, q).value_or(true);
  });
}

bool Attempts::mends_from(Looked& before, const std::vector<Change>& changes) const {
  const auto after = look(before, changes);
  return !broken_of(*after, family_, after->cluster.queues[owner_].name) && no_worse(before, *after) &&
         !is_broken(*after);
}

bool Attempts::nothing_to_mend() { return !is_broken(*before_); }

bool Attempts::mends(const std::vector<Change>& changes) {
  return !too_much() && mends_from(*before_, changes) && (!beside_ || alone_ || mends_from(*beside_, changes));
}

bool Attempts::breaks_nothing(const std::vector<Change>& changes) {
  const auto better = [&](Looked& before) { return no_worse(before, *look(before, changes)); };
  return !too_much() && better(*before_) && (!beside_ || better(*beside_));
}

bool Attempts::each_breaks_nothing(const std::vector<Change>& outside) {
  return std::ranges::all_of(outside, [&](const Change& change) {
    const auto in = inside(change);
    return in && breaks_nothing({*in});
  });
}

Remedy Attempts::fewest(const std::vector<Candidates>& stages) {
  for (const bool alone : {false, true}) {
    alone_ = alone;
    for (const Candidates& candidates : stages)
      if (auto found = fewest_of(candidates); !found.empty()) return {outside(std::move(found)), alone};
    if (!beside_) break;
  }
  return {};
}

std::vector<Change> Attempts::fewest_of(const Candidates& candidates) {
  const bool few = small() && candidates.size() <= kFew;
  for (std::size_t c = 0; few && c < candidates.size(); ++c)
    if (mends(candidates[c])) return candidates[c];
  auto left = candidates;
  const auto all_of = [](const Candidates& list) {
    std::vector<Change> all;
    for (const auto& some : list) all.insert(all.end(), some.begin(), some.end());
    return all;
  };
  if (!mends(all_of(left))) return {};
  for (std::size_t c = left.size(); small() && c-- > 0;) {
    auto fewer = left;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(c));
    if (mends(all_of(fewer))) left = std::move(fewer);
  }
  return all_of(left);
}

}  // namespace gpol
