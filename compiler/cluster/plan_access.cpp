// What people may do, beside what guards deny. RBAC only grants, and no proof rests on it. It is for what no admission
// policy sees: policies are never asked about policies and their bindings
// (pkg/kubeapiserver/admission/exclusion/resources.go), nor about reads. Nobody but the pipeline needs the first of
// these roles, and no tenant needs more than the second.
#include "compiler/cluster/plan_parts.h"

namespace gpol {

namespace {

using Words = std::vector<std::string>;

const Words kRead = {"get", "list", "watch"};
const Words kWrite = {"create", "delete", "get", "list", "patch", "update", "watch"};

// `system:serviceaccount:NAMESPACE:NAME` is a user's name, and RBAC knows its bearer as a ServiceAccount
// (apiserver pkg/authentication/serviceaccount).
ClusterRoleBinding::Subject subject_of(const Writer& writer) {
  constexpr std::string_view kAccount = "system:serviceaccount:";
  if (writer.group) return {"Group", "", writer.name};
  if (!writer.name.starts_with(kAccount)) return {"User", "", writer.name};
  const std::string rest = writer.name.substr(kAccount.size());
  const auto colon = rest.find(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == rest.size() ||
      rest.find(':', colon + 1) != std::string::npos)
    return {"User", "", writer.name};
  return {"ServiceAccount", rest.substr(0, colon), rest.substr(colon + 1)};
}

// What is emitted, and nothing else.
void plan_writers(const Policy& policy, Planned& out) {
  if (policy.writers.empty()) return;
  ClusterRole role{"gpol-writer", {}};
  const auto writes = [&](const char* group, std::vector<std::string> resources) {
    role.rules.push_back({{group}, std::move(resources), kWrite, {}});
  };
  if (out.cluster.volcano)
    writes("scheduling.volcano.sh", {"queues"});
  else
    writes("kueue.x-k8s.io", {"clusterqueues", "cohorts", "localqueues", "resourceflavors", "workloadpriorityclasses"});
  writes("admissionregistration.k8s.io", {"validatingadmissionpolicies", "validatingadmissionpolicybindings"});
  if (!out.cluster.volcano) writes("scheduling.k8s.io", {"priorityclasses"});
  if (!bounded_namespaces(policy).empty()) writes("", {"resourcequotas"});
  if (!out.cluster.traffic_policies.empty()) writes("gateway.envoyproxy.io", {"backendtrafficpolicies"});
  if (!out.cluster.http_routes.empty()) writes("gateway.networking.k8s.io", {"httproutes"});
  if (!out.cluster.ingress_policies.empty()) writes("networking.k8s.io", {"networkpolicies"});
  role.rules.push_back({{""}, {"namespaces"}, {"create", "get", "list", "patch", "update", "watch"}, {}});
  ClusterRoleBinding binding{role.name, role.name, {}};
  for (const Writer& writer : policy.writers) binding.subjects.push_back(subject_of(writer));
  out.cluster.roles.push_back(std::move(role));
  out.cluster.role_bindings.push_back(std::move(binding));
}

// Which groups of people a tenant is, no policy says: whoever administers the cluster binds this role in the tenant's
// namespaces. It has no LocalQueues to write, no binding of pods, no status, no labels of namespaces, no guards.
void plan_tenants(Planned& out) {
  ClusterRole role{"gpol-tenant", {}};
  role.rules.push_back({{"batch"}, {"jobs"}, kWrite, {}});
  role.rules.push_back({{"apps"}, {"deployments", "deployments/scale", "statefulsets"}, kWrite, {}});
  role.rules.push_back({{""}, {"pods"}, {"create", "delete", "get", "list", "watch"}, {}});
  role.rules.push_back({{""}, {"events", "pods/log", "pods/status"}, kRead, {}});
  if (out.cluster.volcano) {
    role.rules.push_back({{"batch.volcano.sh"}, {"jobs"}, kWrite, {}});
    role.rules.push_back({{"scheduling.volcano.sh"}, {"podgroups", "queues"}, kRead, {}});
  } else {
    role.rules.push_back({{"kueue.x-k8s.io"}, {"localqueues", "workloads"}, kRead, {}});
  }
  out.cluster.roles.push_back(std::move(role));
}

}  // namespace

void plan_access(const Policy& policy, Planned& out) {
  plan_writers(policy, out);
  plan_tenants(out);
}

}  // namespace gpol
