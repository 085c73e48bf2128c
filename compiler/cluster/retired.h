// The plan of a policy beside what an earlier build had. A tenant that left the policy may still run work: while its
// ClusterQueue is there, Kueue takes back what it borrowed. Its queues, namespaces and guards stay as they were, with
// its LocalQueues on Hold, until it is named as retired. They are part of the plan that is proven: the cluster that is
// emitted is plan(policy) + what is kept.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/cluster/intent.h"
#include "compiler/policy/policy.h"
#include "compiler/source/diagnostic.h"

namespace gpol {

struct Earlier {
  std::string of;                    // the name of the cluster that it was built for; empty: not known
  Cluster cluster;                   // read back from its files
  std::vector<std::string> retired;  // tenants of it whose work has ended
};

// In: a policy without mistakes. Out: the plan, or why something cannot be kept (GP0510) or is not retired (GP0511).
//
// A batch tenant is planned as if the policy still had it: with its class, its shapes, its limit of Jobs, and with an
// `allow` for as much as serving lent to it. A serving tenant is promised nothing any more and holds at most its own
// quota; nobody else may serve on its pools. What a plan from manifests cannot know must not have changed since: its
// pools, the windows in which it borrows, who lends to it, and the guards on what its pods are.
Outcome<std::optional<Planned>> plan_beside(const Policy& policy, const Earlier& earlier,
                                            const MigConfigMap* mig_configs = nullptr);

// Of a planned cluster: the ClusterQueues that are kept, to their tenants. Their LocalQueues are on Hold, and a plan
// holds no other.
std::map<std::string, std::string> kept_queues(const Cluster& planned);

}  // namespace gpol
