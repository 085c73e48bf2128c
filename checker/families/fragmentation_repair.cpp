#include "checker/families/fragmentation_repair.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/nodes/blocking.h"
#include "checker/story/narrate.h"
#include "compiler/source/lookup.h"

namespace gpol {
namespace {

using nodes::PodKind;

bool covers(const Proof& proof, std::uint32_t queue, std::uint32_t resource) {
  const auto& groups = proof.cluster.queues[queue].groups;
  return std::ranges::any_of(groups, [&](const ResourceGroup& group) { return contains(group.covered, resource); });
}

// Whether it would hold with every pod of batch there as large as a node, whatever its shape is now.
std::optional<Fix> repair_by_shape(const Proof& proof, const PoolCapacity& capacity, nodes::Question q,
                                   const Kinds& kinds) {
  const auto found = std::ranges::find_if(proof.cluster.resources, is_gpu);
  if (found == proof.cluster.resources.end()) return std::nullopt;
  const auto gpu = static_cast<std::size_t>(found - proof.cluster.resources.begin());
  constexpr std::size_t kMostNamed = 8;
  std::vector<std::string> of;
  std::size_t unnamed = 0;
  for (std::size_t k = 0; k < q.kinds.size(); ++k) {
    PodKind& kind = q.kinds[k];
    if (kind.serving || (!kind.beyond[gpu] && kind.each[gpu] == capacity.of_one[gpu])) continue;
    kind.beyond[gpu] = false;
    kind.each[gpu] = capacity.of_one[gpu];
    for (const auto& from : kinds.standing[k].from) {
      if (of.size() < kMostNamed)
        of.push_back(fmt::format("`{}`", tenant_of(proof.cluster, proof.intent, from.queue)));
      else
        ++unnamed;
    }
  }
  if (of.empty()) return std::nullopt;
  if (unnamed > 0) of.push_back(fmt::format("{} more tenants", unnamed));
  const std::int64_t wanted = capacity.nodes_min - capacity.lost;
  const auto fillings = nodes::fillings(q);
  if (!fillings || nodes::most_closed(q, *fillings, wanted, [](const auto&) { return true; }).at_most >= wanted)
    return std::nullopt;
  return Fix{fmt::format("let batch take whole nodes there: say `shape {} gpus of {}` of {}", capacity.of_one[gpu],
                         proof.cluster.flavors[capacity.flavor].name, fmt::join(of, ", "))};
}

// Whether it would hold if batch had quotas of `pods`, and of how many.
std::optional<Fix> repair_by_places(const Proof& proof, const PoolCapacity& capacity, nodes::Question q,
                                    const Kinds& kinds) {
  const auto found = std::ranges::find(proof.cluster.resources, "pods");
  if (found == proof.cluster.resources.end()) return std::nullopt;
  const auto places = static_cast<std::size_t>(found - proof.cluster.resources.begin());
  const auto fillings = nodes::fillings(q);
  if (!fillings || q.batch[places] != nodes::kNoLimit) return std::nullopt;
  const std::int64_t wanted = capacity.nodes_min - capacity.lost;
  const auto closes = [&](std::int64_t pods) {
    q.batch[places] = pods;
    for (PodKind& kind : q.kinds)
      if (!kind.serving) kind.at_most[places] = pods;
    return nodes::most_closed(q, *fillings, wanted, [](const auto&) { return true; }).at_most >= wanted;
  };
  std::int64_t few = 1, many = 0;
  if (__builtin_mul_overflow(wanted, q.node[places], &many) || closes(few) || !closes(many)) return std::nullopt;
  while (many - few > 1) {
    const std::int64_t middle = few + (many - few) / 2;
    (closes(middle) ? many : few) = middle;
  }
  std::set<std::string> without;  // queues
  for (const Standing& standing : kinds.standing)
    for (const auto& from : standing.from)
      if (!standing.serving && !covers(proof, from.queue, static_cast<std::uint32_t>(places)))
        without.insert(fmt::format("`{}`", proof.cluster.queues[from.queue].name));
  if (without.empty() || without.size() > 8) return std::nullopt;
  return Fix{fmt::format("give {} {} of `pods`, {} of no more than {}", fmt::join(without, ", "),
                         without.size() == 1 ? "a quota" : "quotas", without.size() == 1 ? "one" : "together", few)};
}

// With the same quotas no more nodes than these can be closed: one more is open. Nothing where no such number is known.
std::optional<std::string> more_nodes(const PoolCapacity& capacity, const nodes::Question& q) {
  constexpr std::int64_t kMost = 64;  // beyond that nobody means to add nodes
  const std::int64_t surely = std::max<std::int64_t>(0, capacity.nodes_min - capacity.lost), most = surely + kMost;
  const auto fillings = nodes::fillings(q);
  if (!fillings) return std::nullopt;
  const std::int64_t closed = nodes::most_closed(q, *fillings, most, [](const auto&) { return true; }).at_most;
  if (closed >= most || closed < surely) return std::nullopt;
  return fmt::format("{} more node{}", closed + 1 - surely, closed == surely ? "" : "s");
}

}  // namespace

void repair_fragmentation(const Proof& proof, const PoolCapacity& capacity, const nodes::Question& q,
                          const Kinds& kinds, const Replicas& of, Detail& detail) {
  const std::string& flavor = proof.cluster.flavors[capacity.flavor].name;
  if (proof.intent.of_policy && (detail.fix = repair_by_shape(proof, capacity, q, kinds))) return;
  if (!proof.intent.of_policy && (detail.fix = repair_by_places(proof, capacity, q, kinds))) {
    detail.follows = Family::Capacity;
    return;
  }
  const bool batch = std::ranges::any_of(q.kinds, [](const PodKind& kind) { return !kind.serving; });
  bool fits = true;
  for (std::size_t r = 0; r < of.each.size(); ++r) fits = fits && of.each[r] <= capacity.of_one[r];
  const bool may_preempt = of.queue == kNone && proof.intent.outside[of.outside].isolation == Isolation::B;
  if (!fits) {
    detail.fix = Fix{"make the replica no larger than what a node has for pods"};
  } else if (batch && may_preempt) {
    detail.fix = Fix{"say `outside the queue, preempts batch`, or reserve it on a pool of its own"};
  } else {
    // Nothing but more nodes or fewer quotas: where there are more quotas than devices, that is the cause.
    detail.follows = Family::Capacity;
    // Of a pool whose slices are counted more nodes would be cut otherwise than those.
    const CutPool* cut = proof.intent.cut_of(capacity.flavor);
    const auto nodes = cut != nullptr && cut->counted ? std::nullopt : more_nodes(capacity, q);
    const std::string take = nodes ? fmt::format("take {} for `{}`", *nodes, flavor) : "";
    const auto or_take = [&](std::string_view first) {
      return nodes ? fmt::format("{}, or {}", first, take) : std::string(first);
    };
    const std::string_view own =
        proof.intent.of_policy ? "reserve it on a pool of its own" : "give it a flavor on nodes of its own";
    const bool sizes = contains(kinds.owners, of.queue, &Kinds::Owner::queue);
    detail.fix = Fix{batch   ? or_take(own)
                     : sizes ? or_take("let pods of one size ask a queue with nodes of its own")
                     : nodes ? fmt::format("{}, or reserve less of it", take)
                             : fmt::format("reserve less of `{}`", flavor)};
  }
}

}  // namespace gpol
