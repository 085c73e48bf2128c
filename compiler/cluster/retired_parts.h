// The parts of plan_beside(), shared by its files and used by nobody else.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/cluster/plan_parts.h"
#include "compiler/source/diagnostic.h"

namespace gpol::retired {

// A tenant that the earlier build had and the policy has not.
struct Leaver {
  std::string name;
  std::vector<const Queue*> queues;     // of the earlier build
  std::vector<std::string> namespaces;  // likewise, sorted
  bool serves = false;
};
using Leavers = std::map<std::string, Leaver>;  // by name

template <class List>
auto find_named(List& list, const std::string& name) {
  return std::ranges::find_if(list, [&](const auto& one) { return one.name == name; });
}
template <class List>
bool has(const List& list, const std::string& name) {
  return find_named(list, name) != list.end();
}

Diagnostic cannot_keep(std::string message, std::string hint);

// Whether a guard names the namespace.
bool is_about(const AdmissionPolicy& guard, const std::string& ns);

// The class of a batch tenant: the guard on how its pods end has its name. Empty: there is no such guard.
std::string batch_class(const Leaver& leaver, const Cluster& old);

// Quotas by the names of flavor and resource.
using QuotaOf = std::pair<std::string, std::string>;
using Quotas = std::map<QuotaOf, Quota>;
Quotas quotas_of(const Cluster& cluster, const std::vector<ResourceGroup>& groups);
// Those of which the queue may borrow some in some mode, with the widest limit of all modes; without limit: INT64_MAX.
Quotas borrowable(const Cluster& cluster, const Queue& queue);
// How much of one it lends in the mode that lends least.
std::int64_t lends(const Cluster& cluster, const Queue& queue, const QuotaOf& of);
// The topmost cohort above a cohort; empty of none.
std::string root_of(const Cluster& cluster, std::string cohort);

// The tenant as the policy would have it, from its objects; nothing, with a mistake, where that cannot be told. Cohorts
// of its own are added to the policy.
std::optional<Tenant> tenant_again(const Leaver& leaver, const Cluster& old, Policy& policy,
                                   std::vector<Diagnostic>& found);
// An `allow` for each serving queue of the policy's own that lends a leaver less in `planned` than before.
std::vector<Allow> loans_again(const Leavers& leavers, const Policy& policy, const Cluster& old,
                               const Planned& planned);

// What must not have changed.
void require_same(const Leavers& leavers, const Cluster& old, const Planned& planned, std::vector<Diagnostic>& found);

}  // namespace gpol::retired
