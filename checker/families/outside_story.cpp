#include "checker/families/outside_story.h"

#include "checker/families/fragmentation_placement.h"
#include "checker/families/fragmentation_question.h"
#include "checker/nodes/blocking.h"

namespace gpol {

namespace {

// Every node is closed to the last replica, as the fragmentation family asks it, and this comes of it.
std::optional<Story> told(const Proof& proof, PoolUses& uses, const OutsideReserve& tenant, NoNode what) {
  const Cluster& cluster = proof.cluster;
  Asker asker(proof, uses);
  for (std::uint32_t c = 0; c < proof.intent.capacities.size(); ++c) {
    const PoolCapacity& capacity = proof.intent.capacities[c];
    if (capacity.flavor != tenant.flavor || capacity.nodes == kNone) continue;
    std::vector<std::uint32_t> landing;
    for (std::uint32_t f = 0; f < cluster.flavors.size(); ++f)
      if (nodes::selects(cluster.flavors[f].node_labels, cluster.node_pools[capacity.nodes].labels))
        landing.push_back(f);
    for (const Replicas& of : replicas_of(cluster, proof.intent, tenant.flavor)) {
      if (of.queue != kNone || proof.intent.outside[of.outside].tenant != tenant.tenant) continue;
      const Kinds kinds = asker.kinds_on(landing);
      const nodes::Question q = asker.question_about(capacity, landing, kinds, of);
      auto fillings = nodes::fillings(q);
      if (!fillings) return std::nullopt;
      gpus_first(cluster, *fillings);
      std::vector<Standing> standing = kinds.standing;
      for (Standing& others : standing)
        for (auto& from : others.from)
          if (from.outside == of.outside) --from.most;
      what.outside = of.outside;
      what.replica = of.each;
      what.capacity = c;
      const Stage stage(cluster);
      std::optional<Story> story;
      for (what.lost = 0; what.lost <= std::min(capacity.lost, capacity.nodes_min) && !story; ++what.lost)
        nodes::most_closed(q, *fillings, capacity.nodes_min - what.lost, [&](const std::vector<std::int64_t>& counts) {
          story = tell_no_node(stage, proof.intent, placed(what, q, *fillings, standing, counts));
          return story.has_value();
        });
      return story;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Story> tell_evicted_late(const Proof& proof, PoolUses& uses, const OutsideReserve& tenant,
                                       const OutsideClock& clock) {
  NoNode what;
  what.queue = kNone;
  what.flavor = tenant.flavor;
  what.ending = NoNode::Ending::EvictedLate;
  what.terms = clock.told(1);
  what.deadline = tenant.deadline->value;
  return told(proof, uses, tenant, std::move(what));
}

std::optional<Story> tell_sent_round(const Proof& proof) {
  const kueue::Shape shape = kueue::shape_of(proof.cluster);
  PoolUses uses(proof, shape);
  for (const OutsideReserve& tenant : proof.intent.outside) {
    if (!tenant.preempts_at) continue;
    NoNode what;
    what.queue = kNone;
    what.flavor = tenant.flavor;
    what.ending = NoNode::Ending::SentRound;
    if (auto story = told(proof, uses, tenant, std::move(what))) return story;
  }
  return std::nullopt;
}

}  // namespace gpol
