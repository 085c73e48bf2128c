// What a cluster would say to an object before it stores it. In: the tree of one document. Out: every reason why the
// API server or Kueue v0.19.2 would refuse to create it, each with its rule, its field and its node; none: it is
// accepted, or it is of a kind that this module does not know (only eight of Kueue's own, in v1beta2 and v1beta1,
// and Queues of Volcano).
// Facts: Kueue's CRDs (config/components/crd/bases), its validating webhooks with the default feature gates
// (pkg/webhooks), metav1.ObjectMeta and the API server's create path with strict field validation;
// tests/conformance/schema compares with all of them. The prefix of a rule is its family:
//   schema:    the structure (tables.h): types, unknown fields, enums, limits, duplicates
//   metadata:  names, namespaces, labels, annotations, owners, finalizers
//   cel:       the rules in the CRDs (cel_rules.cpp)
//   webhook:   what only Kueue's webhooks look at (webhook_rules.cpp, workload_rules.cpp)
// Kueue's mutating webhook decodes a new ClusterQueue and writes it anew before the CRD is asked, which mends absent
// and null values and quantities without quotes; it does not come when an object is replaced. Here they are violations.
// Limits: `status` and `managedFields`, which the server writes itself, are not looked at; of the pod template of a
// Workload only what the webhooks look at; rules on updates (immutable fields) compare two objects and are not asked.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checker/observe/tree.h"

namespace gpol::manifest {

struct Violation {
  std::string rule;   // stable: "schema:type", "cel:hostname-lowest-level"
  std::string field;  // "spec.resourceGroups[0].flavors[1].name"; empty: the object itself
  std::string what;   // for the user, without the field
  const Node* at;     // the node of the field or, where it is absent, its nearest present parent; into `object`
  // A field that nobody knows and that is nearly one which its mapping lacks: its entry, and the field that is meant.
  const Entry* misspelt = nullptr;
  std::string meant = {};
};

inline constexpr std::size_t kMostViolations = 50;  // of one object; the rest is not reported

// In the order of the families; at most one for a field, which is the first that the cluster would look at.
std::vector<Violation> violations(const Node& object);

struct NotServed {
  std::string field, rule, what, hint;  // "apiVersion", "api:version", ...
};
// What of an object's apiVersion and kind the API server of a cluster with Kueue v0.19.2 does not know (its CRDs serve
// v1beta1 and v1beta2 of each kind), or nothing; kinds of others are theirs.
std::optional<NotServed> not_served(const std::string& api, const std::string& kind);

// A hint for what the CRD refuses and Kueue's webhook mends in what is created (pkg/webhooks/clusterqueue_webhook.go:
// it decodes the object, defaults it and writes it anew, on CREATE alone); empty: the CRD sees it first.
std::string taken_at_first(std::string_view kind, const Violation& violation);

}  // namespace gpol::manifest
