// Whether the guards let in what serving needs. They are written to deny, and a mutant may deny too much: then no place
// is worth anything. In: a cluster and its intent. Out: which guard denies which of the requests that a replica's pods
// come by, each put to gpol's own evaluator of admission policies; empty: none is denied.
#pragma once

#include <string>

#include "compiler/cluster/intent.h"

namespace gpol::mutation {

std::string denied_to_serving(const Cluster& cluster, const Intent& intent);

}  // namespace gpol::mutation
