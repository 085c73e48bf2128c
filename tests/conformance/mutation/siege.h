// What batch may do against a cluster that is proven again although something in it was changed. In: the cluster, its
// intent, a seed. Out: a history, played in the model as it is made, that ends with what was proven as an event: all
// that serving asked for within its reserves is admitted. The judge plays it in the real Kueue code.
//
// Batch of every size, of the shapes that its guards let in, comes and goes and asks again at once, windows switch,
// some of serving is there already; then every serving queue asks for the rest of its reserve at once, while more of
// batch comes and windows go on switching.
#pragma once

#include <cstdint>

#include "compiler/cluster/intent.h"
#include "tests/conformance/differential/history.h"

namespace gpol::mutation {

struct Siege {
  differential::History history;
  bool met = false;  // in the model
};

// `pinned`: batch has the priority of its class; else any.
Siege siege(const Cluster& cluster, const Intent& intent, bool pinned, std::uint64_t seed);

}  // namespace gpol::mutation
