// Of Kueue. Formula: usages are unknown. What runs in a subtree is at most what its top node accounts for and the local
// quotas below it (each node keeps min(U, LQ) and pushes the rest): proven step by step, sums folded over the children
// by the claim family's lemma. Closed form: the sum of all nominal quotas; both must be the same.
#include "checker/families/pool_quotas.h"

#include <algorithm>

#include <fmt/format.h>

#include "checker/families/claim_lemmas.h"
#include "checker/families/lemma_book.h"
#include "checker/families/pairs.h"
#include "checker/kueue/counted.h"
#include "checker/kueue/forest.h"
#include "compiler/source/lookup.h"

namespace gpol {
namespace {

using kueue::kRoot;
using kueue::kUnlimited;
using kueue::Node;
static_assert(kUnlimited == kUncountable);

// T: what runs in a node's subtree; K: the local quotas below it.
Formula kept() {
  const Term t = int_symbol("T"), u = int_symbol("U"), k = int_symbol("K"), lq = int_symbol("LQ");
  return {"capacity/kept",
          "what runs below a node is at most what it pushes into its parent and the local quotas up to its own",
          {{"below", t <= u + k}, {"side-condition", int_symbol("kept") >= k + lq}},
          t > max(integer(0), u - lq) + int_symbol("kept")};
}

Formula within_devices() {
  const Term t = int_symbol("T"), u = int_symbol("U"), k = int_symbol("K"), sq = int_symbol("SQ");
  return {"capacity/within-devices",
          "what runs below a root within its quota is at most the devices",
          {{"below", t <= u + k}, {"admitted", u <= sq}, {"side-condition", sq + k <= int_symbol("devices")}},
          t > int_symbol("devices")};
}

// The lemmas' own sum: SQ of the roots and every LQ below them.
std::int64_t accounted(const kueue::Shape& shape, const kueue::Limits& limits) {
  std::int64_t sum = 0;
  for (Node v = 0; v < shape.parent.size(); ++v)
    sum = kueue::saturating_add(sum, shape.parent[v] == kRoot ? limits.subtree[v] : limits.local[v]);
  return sum;
}

// Whether, in some tree, quota that one node shows to others can be used by a queue of another node.
bool can_be_lent(const kueue::Shape& shape, const kueue::Limits& limits) {
  for (Node v = 0; v < shape.queues; ++v) {
    if (shape.parent[v] == kRoot || shape.in_cycle[v] || !limits.listed[v] || limits.borrowing[v] == 0) continue;
    // What v could use of its tree beyond its own.
    if (limits.potential[v] > limits.subtree[v]) return true;
  }
  return false;
}

PoolQuota quotas_of(const Proof& proof, const kueue::Shape& shape, std::uint32_t flavor, std::uint32_t resource) {
  PoolQuota all;
  const auto add = [&](const kueue::Limits& limits) {
    const std::int64_t sum = all_quotas(limits);
    if (!contains(shape.in_cycle, true) && sum != kUnlimited && sum != accounted(shape, limits))
      throw InternalError(fmt::format("capacity: quotas of {} are accounted for as {}", sum, accounted(shape, limits)));
    all.quotas = std::max(all.quotas, sum);
    all.lent = all.lent || can_be_lent(shape, limits);
  };
  bool exact = false;
  const kueue::Limits widest = kueue::widest_limits(proof.cluster, shape, flavor, resource, exact);
  add(widest);
  if (!exact)
    for (const Mode& mode : proof.cluster.modes) add(kueue::limits_of(proof.cluster, shape, flavor, resource, &mode));
  for (Node v = 0; v < shape.parent.size(); ++v) {
    if (widest.nominal[v] == 0) continue;
    if (v < shape.queues)
      all.lines.push_back(reserved_at(proof.intent.roles[v]));
    else if (v - shape.queues < proof.origins.cohort.size())
      all.lines.push_back(proof.origins.cohort[v - shape.queues]);
  }
  return all;
}

bool serving_covers(const Proof& proof, std::uint32_t resource) {
  for (std::size_t q = 0; q < proof.intent.roles.size(); ++q) {
    if (proof.intent.roles[q].kind != QueueRole::Kind::Serving) continue;
    for (const ResourceGroup& group : proof.cluster.queues[q].groups)
      if (contains(group.covered, resource)) return true;
  }
  return false;
}

class KueueQuotas final : public PoolQuotas {
 public:
  explicit KueueQuotas(const Proof& proof) : proof_(proof), shape_(kueue::shape_of(proof.cluster)) {}

  PoolQuota of(std::uint32_t flavor, std::uint32_t resource) const override {
    const Cluster& cluster = proof_.cluster;
    const std::string& name = cluster.resources[resource];
    PoolQuota all = quotas_of(proof_, shape_, flavor, resource);
    all.serving_covers = serving_covers(proof_, resource);
    if (kueue::uncharged(cluster.config, name))
      all.uncharged = "no quota is charged for it: " + kueue::counted_otherwise(cluster.config, name);
    all.undeclared = kueue::undeclared_by_others(cluster, static_cast<std::uint32_t>(cluster.queues.size()), name);
    return all;
  }

  std::string unproven() override {
    LemmaBook book(proof_);
    const bool hold = book.holds(claim_lemma_name(ClaimLemma::Sum), [] { return claim_lemma(ClaimLemma::Sum); }) &&
                      book.holds("capacity/kept", kept) && book.holds("capacity/within-devices", within_devices);
    return hold ? "" : book.why();
  }

  std::optional<Story> tell(const PoolCapacity& capacity, std::uint32_t resource, std::int64_t devices) override {
    if (!stage_) stage_.emplace(proof_.cluster);
    return tell_capacity(*stage_, proof_.intent, capacity, resource, devices);
  }

 private:
  const Proof& proof_;
  const kueue::Shape shape_;
  std::optional<Stage> stage_;  // made when the first story must be told
};

}  // namespace

std::unique_ptr<PoolQuotas> kueue_quotas(const Proof& proof) { return std::make_unique<KueueQuotas>(proof); }

}  // namespace gpol
