// What was read from mutated YAML, in the order of the plan, so that the intent of the unmutated policy (which names
// everything by index) speaks of it. In: the plan, an observed cluster. Out: the cluster and the same intent about it.
#pragma once

#include <string>

#include "compiler/cluster/intent.h"

namespace gpol::mutation {

struct Aligned {
  Cluster cluster;
  Intent intent;
  // A part of the promise of which the cluster no longer speaks at all ("ClusterQueue search"); empty: there is none.
  std::string lost;
};

Aligned align(const Planned& planned, const Cluster& observed);

}  // namespace gpol::mutation
