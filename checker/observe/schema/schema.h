// What a cluster would say to an object before it stores it. In: the tree of one document. Out: every reason why the
// API server or Kueue v0.19.2 would refuse to create it, each with its rule, its field and its node; none: it is
// accepted, or it is of a kind that this file does not know (only Kueue's own eight, in v1beta2 and v1beta1). Facts:
// Kueue's CRDs (config/components/crd/bases), its validating webhooks with the default feature gates (pkg/webhooks),
// metav1.ObjectMeta and the API server's create path with strict field validation. The rules are of four families,
// named by their prefix:
//   schema:    the structure (tables.h): types, unknown fields, enums, limits, duplicates
//   metadata:  names, namespaces, labels, annotations, owners, finalizers
//   cel:       the rules in the CRDs (cel_rules.cpp)
//   webhook:   what only Kueue's webhooks look at (webhook_rules.cpp, workload_rules.cpp)
// Kueue's mutating webhook writes a new ClusterQueue anew before the CRD is asked, and so mends a few mistakes in
// quantities (none given, 1.5 without quotes); it does not when the object is changed, so they are reported.
// Limits: of `status` only that it may be there (a create drops it unread, but for fields that do not exist); of the
// pod template of a Workload only what the webhooks look at; rules on updates (immutable fields) compare two objects.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "checker/observe/tree.h"

namespace gpol::manifest {

struct Violation {
  std::string rule;   // stable: "schema:type", "cel:hostname-lowest-level"
  std::string field;  // "spec.resourceGroups[0].flavors[1].name"; empty: the object itself
  std::string what;   // for the user, without the field
  const Node* at;     // the node of the field or, where it is absent, its nearest present parent; into `object`
};

inline constexpr std::size_t kMostViolations = 50;  // of one object; the rest is not reported

// In the order of the families; at most one for a field, which is the first that the cluster would look at.
std::vector<Violation> violations(const Node& object);

}  // namespace gpol::manifest
