// Who can stand on the nodes of a pool, as the question that the fragmentation family asks: kinds of pods with their
// limits, from the quotas (pool_use.h) and the demand (replicas.h). In: cluster, intent. Out: nodes::Question.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "checker/families/pool_use.h"
#include "checker/families/replicas.h"
#include "checker/story/node_stories.h"

namespace gpol {

// The kinds of pods, and whose each can be: parallel to each other.
struct Kinds {
  std::vector<nodes::PodKind> kinds;
  std::vector<Standing> standing;
  struct Owner {  // whose pods come in several sizes
    std::uint32_t queue = 0, flavor = 0;
    nodes::Amounts reserve;
  };
  std::vector<Owner> owners;
};

// What is short of GPUs first, and of few pods: so it is told.
void gpus_first(const Cluster& cluster, std::vector<nodes::Filling>& fillings);

class Asker {
 public:
  Asker(const Proof& proof, PoolUses& uses) : proof_(proof), uses_(uses) {}

  // Of the flavors whose pods can be bound to the same nodes. All of serving's demand is counted.
  Kinds kinds_on(const std::vector<std::uint32_t>& landing);
  // About one more of these replicas: it is no longer among the others.
  nodes::Question question_about(const PoolCapacity& capacity, const std::vector<std::uint32_t>& landing,
                                 const Kinds& kinds, const Replicas& of);

  // Whether it stands in a tree whose quota batch can use as well.
  static bool beside(const Replicas& of, const PoolUse& use) { return of.queue != kNone && use.beside[of.queue]; }
  // Everything that the formulas are made of.
  static std::string key_of(const nodes::Question& question);

 private:
  const Proof& proof_;
  PoolUses& uses_;
};

}  // namespace gpol
