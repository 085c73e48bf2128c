#include "checker/families/pool_use.h"

#include <algorithm>

#include <fmt/format.h>

#include "checker/planted.h"

namespace gpol {

using kueue::kRoot;
using kueue::Node;
using nodes::kNoLimit;

namespace {

// T: what batch uses below a node; B: a bound on it; K: the local quotas below it, as far as batch can use them.
Formula kept() {
  const Term t = int_symbol("T"), u = int_symbol("U"), k = int_symbol("K"), lq = int_symbol("LQ"), b = int_symbol("B");
  return {"fragmentation/kept",
          "what batch uses below a node is at most what the node pushes into its parent and what stays below it",
          {{"below", t <= u + k}, {"bounded", t <= b}, {"side-condition", int_symbol("kept") >= min(k + lq, b)}},
          t > max(integer(0), u - lq) + int_symbol("kept")};
}

// Folded over the children: those without batch push what they push, and never less than nothing.
Formula fold() {
  const Term x = int_symbol("T_some"), y = int_symbol("T_one"), pushed = int_symbol("pushed"), k = int_symbol("K"),
             spill = int_symbol("spill"), kept = int_symbol("kept");
  return {"fragmentation/fold",
          "what batch uses below some children of a node is at most what these push into it and what stays below them",
          {{"some", x <= pushed + k}, {"one", y <= spill + kept}, {"others", int_symbol("others") >= integer(0)}},
          x + y > pushed + spill + int_symbol("others") + (k + kept)};
}

Formula whole() {
  const Term t = int_symbol("T"), u = int_symbol("U"), k = int_symbol("K"), p = int_symbol("U_most"),
             b = int_symbol("B");
  return {"fragmentation/batch",
          "what batch uses below a node is bounded by the node's usage and what stays below it",
          {{"below", t <= u + k},
           {"children", t <= int_symbol("sum")},
           {"bounded", u <= p},
           {"side-condition", b >= min(int_symbol("sum"), p + k)}},
          t > b};
}

std::int64_t plus(std::int64_t a, std::int64_t b) { return kueue::saturating_add(a, b); }

}  // namespace

PoolUses::PoolUses(const Proof& proof, const kueue::Shape& shape)
    : proof_(proof), shape_(shape), prover_(proof, shape), book_(proof), listings_(listings_of(proof.cluster)) {}

const PoolUse& PoolUses::of(std::uint32_t flavor) {
  if (const auto found = known_.find(flavor); found != known_.end()) return found->second;
  return known_.emplace(flavor, worked_out(flavor)).first->second;
}

bool PoolUses::lemmas(PoolUse& use) {
  const bool hold = book_.holds("fragmentation/kept", kept) && book_.holds("fragmentation/fold", fold) &&
                    book_.holds("fragmentation/batch", whole) &&
                    book_.holds(claim_lemma_name(ClaimLemma::Sum), [] { return claim_lemma(ClaimLemma::Sum); });
  if (!hold) use.undecided = book_.why();
  return hold;
}

void PoolUses::most_of_each(std::uint32_t flavor, std::vector<ClaimTree>& trees, PoolUse& use) const {
  const Cluster& cluster = proof_.cluster;
  const bool undeclared = cluster.config.quota_check_strategy == "IgnoreUndeclared";
  for (std::uint32_t q = 0; q < cluster.queues.size(); ++q) {
    const QueueRole& role = proof_.intent.roles[q];
    if (promised(role) || !lists(cluster.queues[q], flavor)) continue;
    nodes::Amounts most;
    bool can = cluster.queues[q].stop != StopPolicy::HoldAndDrain;
    for (std::uint32_t r = 0; r < cluster.resources.size(); ++r) {
      const bool pods = cluster.resources[r] == "pods";
      const bool listed = trees[r].limits.listed[q];
      // What the queue does not cover cannot be asked for; its pods are not counted then, and come without end.
      most.push_back(listed ? trees[r].bounds.usage[q] : pods || undeclared ? kNoLimit : 0);
      if (pods && most.back() < 1) can = false;
      const auto shape = role.pod_shapes.find(flavor);
      if (shape != role.pod_shapes.end() && shape->second.resource == r && most.back() < shape->second.amount)
        can = false;
    }
    if (can) use.holders.emplace(q, std::move(most));
  }
}

std::int64_t PoolUses::batch_below(const ClaimTree& tree, const PoolUse& use) const {
  // What is not counted has no end.
  for (const auto& [q, most] : use.holders)
    if (most[tree.resource] == kNoLimit) return kNoLimit;
  std::vector<std::int64_t> below(shape_.parent.size(), 0), stays(shape_.parent.size(), 0), sum = below;
  std::int64_t all = 0;
  for (const Node v : shape_.bottom_up) {
    std::int64_t most = 0;
    if (v < shape_.queues) {
      const auto holder = use.holders.find(v);
      most = holder == use.holders.end() ? 0 : holder->second[tree.resource];
    } else {
      most = std::min(sum[v], plus(tree.bounds.usage[v], stays[v]));
    }
    below[v] = most;
    const Node parent = shape_.parent[v];
    if (parent == kRoot) {
      all = plus(all, most);
      continue;
    }
    sum[parent] = plus(sum[parent], most);
    if (!planted(Bug::WalkBatchStaysForgotten))
      stays[parent] = plus(stays[parent], std::min(plus(stays[v], tree.limits.local[v]), most));
  }
  return all;
}

std::int64_t PoolUses::quotas_of(const ClaimTree& tree, const PoolUse& use) const {
  for (const auto& [q, most] : use.holders)
    if (!tree.limits.listed[q]) return kNoLimit;  // what it uses is not counted
  // Twice: as quotas, and as Kueue accounts for them (SQ of the roots and what stays local below: capacity's lemmas).
  std::vector<bool> in(shape_.parent.size(), false);
  std::int64_t quotas = 0, accounted = 0;
  for (auto it = shape_.bottom_up.rbegin(); it != shape_.bottom_up.rend(); ++it) {
    const Node v = *it, parent = shape_.parent[v];
    in[v] = parent == kRoot ? use.roots[v] : in[parent];
    if (!in[v]) continue;
    quotas = plus(quotas, tree.limits.nominal[v]);
    accounted = plus(accounted, parent == kRoot ? tree.limits.subtree[v] : tree.limits.local[v]);
  }
  if (quotas != accounted)
    throw InternalError(fmt::format("fragmentation: quotas of {} are accounted for as {}", quotas, accounted));
  return quotas;
}

PoolUse PoolUses::worked_out(std::uint32_t flavor) {
  const Cluster& cluster = proof_.cluster;
  PoolUse use;
  use.beside.assign(cluster.queues.size(), false);
  std::vector<ClaimTree> trees;
  for (std::uint32_t r = 0; r < cluster.resources.size(); ++r) {
    trees.push_back(prover_.tree(flavor, r, listings_[flavor * cluster.resources.size() + r]));
    if (use.undecided.empty()) use.undecided = trees.back().undecided;
  }
  if (!use.undecided.empty() || !lemmas(use)) return use;
  most_of_each(flavor, trees, use);
  use.roots.assign(shape_.parent.size(), false);
  for (const auto& [q, most] : use.holders) use.roots[root_of(shape_, q)] = true;
  for (Node q = 0; q < shape_.queues; ++q) use.beside[q] = use.roots[root_of(shape_, q)];
  for (const ClaimTree& tree : trees) {
    use.batch.push_back(batch_below(tree, use));
    use.quotas.push_back(quotas_of(tree, use));
  }
  return use;
}

}  // namespace gpol
