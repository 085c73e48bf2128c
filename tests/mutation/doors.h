// Whether serving can still come in at its own door: its namespace, its LocalQueue, the kinds of jobs that Kueue
// manages. The families take that for granted, since `plan` always makes the door; a mutant may have shut it.
#pragma once

#include <string>

#include "compiler/cluster/intent.h"

namespace gpol::mutation {

// What keeps a serving tenant's pods out for ever, after the model has played what can be played of it. Empty: nothing.
std::string shut_door(const Cluster& cluster, const Intent& intent);

}  // namespace gpol::mutation
