#include "checker/families/turns.h"

#include <algorithm>

#include <fmt/format.h>

#include "checker/planted.h"
#include "compiler/cluster/listed.h"

namespace gpol {
namespace {

// Of a queue in a cohort others see no more than its lending limit of its nominal quota; of one outside, nothing.
}  // namespace

TurnTable::TurnTable(const Proof& proof, const kueue::Shape& shape, const Claimable& claimable)
    : proof_(proof), beside_batch_(beside_batch(proof)), serving_ends_(serving_ends(proof.cluster, proof.intent)) {
  const Cluster& cluster = proof.cluster;
  parts_.resize(cluster.queues.size());
  keys_.resize(cluster.queues.size());
  for (std::uint32_t q = 0; q < cluster.queues.size(); ++q) {
    for (const auto flavor : flavors_of(cluster.queues[q])) keys_[q].emplace_back(root_of(shape, q), flavor);
    const QueueRole& role = proof.intent.roles[q];
    if (role.kind != QueueRole::Kind::Serving) continue;
    const auto pairs = pairs_of(cluster.queues[q]);
    for (std::size_t i = 0; i < pairs.size(); ++i)
      parts_[q].push_back({pairs[i], reserve_at(role, i), claimable[q][i], per_replica(role, pairs[i].resource)});
    for (const Key& key : keys_[q]) serving_[key].push_back(q);
  }
  // A batch workload of several podsets may hold several flavors, so that two serving queues want the same victim; a
  // Job has one podset.
  for (std::uint32_t q = 0; q < cluster.queues.size() && !proof.intent.batch.only_jobs; ++q)
    if (proof.intent.roles[q].kind != QueueRole::Kind::Serving && keys_[q].size() > 1)
      across_flavors_.insert(keys_[q].front().first);
}

Claimable claimable_of(const Proof& proof, const Report& report, Claimable& ending) {
  const auto claims = [](const Report& of) {
    std::vector<const Obligation*> found;
    for (const Obligation& o : of.obligations)
      if (o.family == Family::Claim) found.push_back(&o);
    return found;
  };
  Report scratch;
  auto found = claims(report);
  std::size_t pairs = 0;
  for (const Queue& queue : proof.cluster.queues) pairs += pairs_of(queue).size();
  if (found.size() != pairs) {
    prove_claim(proof, scratch);
    found = claims(scratch);
  }
  Claimable claimable;
  std::size_t at = 0;
  for (std::uint32_t q = 0; q < proof.cluster.queues.size(); ++q) {
    auto &of_queue = claimable.emplace_back(), &while_ending = ending.emplace_back();
    for (std::size_t i = 0; i < pairs_of(proof.cluster.queues[q]).size(); ++i) {
      const Figures& figures = found.at(at++)->figures;
      of_queue.push_back(figures.claimable.value_or(reserve_at(proof.intent.roles[q], i)));
      while_ending.push_back(std::max(of_queue.back(), figures.claimable_ending.value_or(0)));
    }
  }
  return claimable;
}

Turns TurnTable::own(std::uint32_t queue) const {
  const QueueRole& role = proof_.intent.roles[queue];
  Turns turns;
  if (parts_[queue].empty()) return turns;
  turns.replicas = role.victims_in_turn.value_or(0);
  bool needs = false;
  std::int64_t fit = INT64_MAX;  // replicas that find room in what nobody can hold, by the scarcest resource
  for (const Part& part : parts_[queue]) {
    needs = needs || part.claimable > 0;
    const std::int64_t kept = part.reserve - part.claimable + (planted(Bug::WalkTurnsTooFew) ? part.each - 1 : 0);
    if (part.each > 0) fit = std::min(fit, kept / part.each);
  }
  if (!needs) return turns;
  if (!role.victims_in_turn) {
    turns.missing = fmt::format("the shape of a replica of `{}`", proof_.cluster.queues[queue].name);
    return turns;
  }
  turns.own = std::max<std::int64_t>(0, turns.replicas - (fit == INT64_MAX ? 0 : fit));
  return turns;
}

const TurnTable::Tree& TurnTable::tree(const Key& key) const {
  const auto [at, fresh] = trees_.try_emplace(key);
  if (!fresh) return at->second;
  std::set<std::uint32_t> serving;
  const bool across = across_flavors_.contains(key.first);
  for (auto of = across ? serving_.lower_bound({key.first, 0}) : serving_.find(key);
       of != serving_.end() && (across ? of->first.first == key.first : of->first == key); ++of)
    serving.insert(of->second.begin(), of->second.end());
  for (const std::uint32_t q : serving) {
    const Turns turns = own(q);
    at->second.turns = kueue::saturating_add(at->second.turns, turns.own);
    if (turns.own > 0) at->second.fitting = kueue::saturating_add(at->second.fitting, turns.replicas - turns.own);
    if (at->second.missing.empty()) at->second.missing = turns.missing;
  }
  return at->second;
}

Turns TurnTable::of(std::uint32_t queue) const {
  Turns turns = own(queue);
  turns.beside_batch = beside_batch_[queue];
  turns.serving = serving_ends_[queue];
  turns.fitting = turns.replicas - turns.own;
  if (turns.own == 0) return turns;  // it never waits for victims, so nobody can take them
  for (const Key& key : keys_[queue]) {
    const Tree& all = tree(key);
    turns.all = std::max(turns.all, all.turns);
    turns.fitting = std::max(turns.fitting, all.fitting);
    if (turns.missing.empty()) turns.missing = all.missing;
  }
  return turns;
}

std::vector<bool> beside_batch(const Proof& proof) {
  const Cluster& cluster = proof.cluster;
  std::set<std::string_view> borrow_in_a_window;  // queues: windows raise borrowing limits only
  for (const Mode& mode : cluster.modes)
    for (const auto& [key, quota] : mode.changed)
      if (quota.nominal > 0 || quota.borrowing.value_or(1) > 0) borrow_in_a_window.insert(key.queue);
  std::set<std::pair<std::uint32_t, std::uint32_t>> used;  // flavors, and what of their nodes (shared_by)
  const nodes::Amounts all(cluster.resources.size(), 1);
  const std::vector<bool> brings = slices_bring_all(cluster, proof.intent);
  const std::set<std::uint32_t> whole{static_cast<std::uint32_t>(cluster.resources.size())};
  for (std::uint32_t q = 0; q < cluster.queues.size(); ++q) {
    const Queue& queue = cluster.queues[q];
    if (proof.intent.roles[q].kind == QueueRole::Kind::Serving || queue.stop == StopPolicy::HoldAndDrain) continue;
    for (const ListedQuota& one : listed_quotas(queue.groups)) {
      if (one.quota.nominal == 0 &&
          (queue.cohort.empty() || (one.quota.borrowing.value_or(1) == 0 && !borrow_in_a_window.contains(queue.name))))
        continue;
      const std::set<std::uint32_t> of = shared_by(cluster, proof.intent, one.flavor, all, brings);
      if (of == whole)
        used.insert({one.flavor, *of.begin()});
      else if (of.contains(one.resource))
        used.insert({one.flavor, one.resource});
    }
  }
  std::vector<bool> beside;
  for (std::uint32_t q = 0; q < cluster.queues.size(); ++q) {
    bool any = false;
    for (const std::uint32_t f : flavors_of(cluster.queues[q]))
      for (const std::uint32_t of :
           shared_by(cluster, proof.intent, f, reserve_of_flavor(cluster, proof.intent.roles[q], q, f), brings))
        any = any || used.contains({f, of});
    beside.push_back(any);
  }
  return beside;
}

std::vector<std::uint32_t> TurnTable::others(std::uint32_t queue) const {
  constexpr std::size_t kMost = 8;
  std::set<std::uint32_t> found;
  for (const Key& key : keys_[queue])
    if (const auto serving = serving_.find(key); serving != serving_.end())
      for (const std::uint32_t q : serving->second)
        if (q != queue && found.size() < kMost && own(q).own > 0) found.insert(q);
  return {found.begin(), found.end()};
}

std::vector<std::optional<std::uint32_t>> serving_borrowers(const Proof& proof, const kueue::Shape& shape) {
  const Cluster& cluster = proof.cluster;
  std::set<std::string_view> in_a_window;
  for (const Mode& mode : cluster.modes)
    for (const auto& [key, quota] : mode.changed)
      if (quota.borrowing.value_or(1) > 0) in_a_window.insert(key.queue);
  std::map<std::pair<kueue::Node, std::uint32_t>, std::vector<std::uint32_t>> borrowers;  // the first two of each
  for (std::uint32_t q = 0; q < cluster.queues.size(); ++q) {
    // What asks for more than it owns is counted as batch already (asked.h).
    const QueueRole& role = proof.intent.roles[q];
    if (role.kind != QueueRole::Kind::Serving || !role.overreach.empty() || cluster.queues[q].cohort.empty()) continue;
    for (const FlavorQuotas& row : listed_flavors(cluster.queues[q].groups)) {
      const bool borrows =
          in_a_window.contains(cluster.queues[q].name) ||
          std::ranges::any_of(row.quotas, [](const Quota& quota) { return quota.borrowing.value_or(1) > 0; });
      if (auto& some = borrowers[{root_of(shape, q), row.flavor}]; borrows && some.size() < 2) some.push_back(q);
    }
  }
  std::vector<std::optional<std::uint32_t>> found(cluster.queues.size());
  for (std::uint32_t q = 0; q < cluster.queues.size(); ++q)
    for (const auto flavor : flavors_of(cluster.queues[q]))
      if (const auto at = borrowers.find({root_of(shape, q), flavor}); at != borrowers.end())
        for (const std::uint32_t other : at->second)
          if (other != q && !found[q]) found[q] = other;
  return found;
}

std::vector<bool> lending_owners(const Proof& proof, const kueue::Shape& shape) {
  const Cluster& cluster = proof.cluster;
  std::set<std::pair<kueue::Node, std::uint32_t>> lent;
  for (std::uint32_t q = 0; q < cluster.queues.size(); ++q) {
    if (proof.intent.roles[q].kind == QueueRole::Kind::Serving || cluster.queues[q].cohort.empty()) continue;
    for (const ListedQuota& one : listed_quotas(cluster.queues[q].groups))
      if (one.quota.nominal > 0 && one.quota.lending.value_or(1) > 0) lent.insert({root_of(shape, q), one.flavor});
  }
  std::vector<bool> found(cluster.queues.size(), false);
  for (std::uint32_t q = 0; q < cluster.queues.size(); ++q)
    for (const auto flavor : flavors_of(cluster.queues[q]))
      found[q] = found[q] || lent.contains({root_of(shape, q), flavor});
  return found;
}

}  // namespace gpol
