#include "checker/families/turns.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "checker/families/pairs.h"

namespace gpol {
namespace {

kueue::Node root_of(const kueue::Shape& shape, kueue::Node v) {
  while (shape.parent[v] != kueue::kRoot) v = shape.parent[v];
  return v;
}

std::set<std::uint32_t> flavors_of(const Queue& queue) {
  std::set<std::uint32_t> flavors;
  for (const auto& group : queue.groups)
    for (const auto& quotas : group.flavors) flavors.insert(quotas.flavor);
  return flavors;
}

// How many replicas fit into `room`, by the resource that is scarcest.
std::int64_t replicas_in(const Proof& proof, std::uint32_t queue, const std::vector<std::int64_t>& room) {
  const QueueRole& role = proof.intent.roles[queue];
  std::int64_t most = INT64_MAX;
  std::size_t at = 0;
  for (const Pair pair : pairs_of(proof.cluster.queues[queue])) {
    std::int64_t each = 0;
    for (std::size_t r = 0; r < kResources; ++r)
      if (proof.cluster.resources[pair.resource] == resource_name(static_cast<Resource>(r))) each = role.replica.of[r];
    if (each > 0) most = std::min(most, room[at] / each);
    ++at;
  }
  return most == INT64_MAX ? 0 : most;
}

Turns own_turns(const Proof& proof, std::uint32_t queue, const std::vector<std::int64_t>& claimable) {
  const QueueRole& role = proof.intent.roles[queue];
  Turns turns;
  if (role.kind != QueueRole::Kind::Serving) return turns;
  turns.replicas = role.victims_in_turn.value_or(0);
  if (std::all_of(claimable.begin(), claimable.end(), [](auto c) { return c == 0; })) return turns;
  if (!role.victims_in_turn) {
    turns.missing = fmt::format("the shape of a replica of `{}`", proof.cluster.queues[queue].name);
    return turns;
  }
  std::vector<std::int64_t> surely;
  for (std::size_t i = 0; i < claimable.size(); ++i) surely.push_back(reserve_at(role, i) - claimable[i]);
  turns.own = std::max<std::int64_t>(0, turns.replicas - replicas_in(proof, queue, surely));
  return turns;
}

}  // namespace

TurnTable::TurnTable(const Proof& proof, const kueue::Shape& shape, const Claimable& claimable)
    : proof_(proof), shape_(shape) {
  for (std::uint32_t q = 0; q < proof.cluster.queues.size(); ++q) {
    own_.push_back(own_turns(proof, q, claimable[q]));
    for (const auto flavor : flavors_of(proof.cluster.queues[q])) {
      Tree& tree = trees_[{root_of(shape, q), flavor}];
      tree.turns = kueue::saturating_add(tree.turns, own_[q].own);
      if (tree.missing.empty()) tree.missing = own_[q].missing;
    }
  }
}

Turns TurnTable::of(std::uint32_t queue) const {
  Turns turns = own_[queue];
  for (const auto flavor : flavors_of(proof_.cluster.queues[queue])) {
    const Tree& tree = trees_.at({root_of(shape_, queue), flavor});
    turns.all = std::max(turns.all, tree.turns);
    if (turns.missing.empty() && turns.own > 0) turns.missing = tree.missing;
  }
  if (turns.own == 0) turns.all = 0;  // it never waits for victims, so nobody can take them
  return turns;
}

std::vector<bool> lending_owners(const Proof& proof, const kueue::Shape& shape) {
  const Cluster& cluster = proof.cluster;
  std::set<std::pair<kueue::Node, std::uint32_t>> lent;
  for (std::uint32_t q = 0; q < cluster.queues.size(); ++q) {
    if (proof.intent.roles[q].kind == QueueRole::Kind::Serving || cluster.queues[q].cohort.empty()) continue;
    for (const auto& group : cluster.queues[q].groups)
      for (const auto& quotas : group.flavors)
        for (const Quota& quota : quotas.quotas)
          if (quota.nominal > 0 && quota.lending.value_or(1) > 0) lent.insert({root_of(shape, q), quotas.flavor});
  }
  std::vector<bool> found(cluster.queues.size(), false);
  for (std::uint32_t q = 0; q < cluster.queues.size(); ++q)
    for (const auto flavor : flavors_of(cluster.queues[q]))
      found[q] = found[q] || lent.contains({root_of(shape, q), flavor});
  return found;
}

}  // namespace gpol
