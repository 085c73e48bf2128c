// Tenants outside the queue that preempt: what lets kube-scheduler evict batch for their pods, and for nobody else's. A
// pod gets its priority from the PriorityClass that it names (plugin/pkg/admission/priority), before a policy sees it:
// the guard looks at the number, and so it does not matter who else writes PriorityClasses.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/cluster/guard_parts.h"

namespace gpol {

namespace {

struct Users {
  std::vector<std::string> namespaces;
  std::set<std::uint32_t> pools;
};

// On the nodes that it reserves each of its pods has this priority and may use it: one that has not would wait below
// batch, or beside it.
void guard(const Policy& policy, std::uint32_t index, const Users& users, Planned& out) {
  const LatencyClass& c = policy.classes[index];
  AdmissionPolicy made;
  made.name = fmt::format("gpol-{}-preempts", c.name);
  MatchResources::Rule rule;
  rule.groups = {""};
  rule.versions = {"v1"};
  rule.operations = {"CREATE", "UPDATE"};
  rule.resources = {"pods"};
  made.match.rules = {rule};
  made.match.namespaces.expressions = {{"kubernetes.io/metadata.name", "In", users.namespaces}};
  std::set<std::string> pools;
  for (const std::uint32_t pool : users.pools) pools.insert(policy.pools[pool].name);
  // What stood there before is not asked.
  made.variables = {{"there", fmt::format("({}) && !(request.operation == 'UPDATE' && ({}))",
                                          guards::selects_some(policy, "object.spec", users.pools),
                                          guards::selects_some(policy, "oldObject.spec", users.pools))}};
  const std::string message = fmt::format("a pod on {} says `priorityClassName: {}`", fmt::join(pools, ", "), c.name);
  made.validations = {
      {fmt::format("!variables.there || (has(object.spec.priority) && object.spec.priority == {})",
                   priority_value(c.isolation)),
       message},
      {"!variables.there || !has(object.spec.preemptionPolicy) || object.spec.preemptionPolicy != 'Never'",
       "a pod on these nodes may preempt: it says nothing of preemptionPolicy"}};
  AdmissionBinding binding;
  binding.name = binding.policy = made.name;
  binding.actions = {"Deny"};
  out.cluster.admission_policies.push_back(std::move(made));
  out.cluster.admission_bindings.push_back(std::move(binding));
  out.origins.guard.push_back(c.span);
}

// kube-scheduler holds a pod to the node that it keeps for it while somebody ends there of whom it has written that it
// preempted him, and looks for another node otherwise (defaultpreemption podTerminatingByPreemption). Who wrote another
// reason over it would send that pod from node to node. Written by kubelets, controllers that evict, and whoever resets
// what came to nothing (pkg/controller/disruption).
void plan_marks(const Policy& policy, Planned& out) {
  using namespace guards;
  std::vector<std::string> namespaces;
  for (const Tenant& tenant : policy.tenants)
    if (policy.classes[tenant.latency_class].isolation == Isolation::C)
      namespaces.insert(namespaces.end(), tenant.namespaces.begin(), tenant.namespaces.end());
  if (namespaces.empty()) return;
  std::ranges::sort(namespaces);
  const auto marked = [](const char* object) {
    return fmt::format("has({0}.status.conditions) && {0}.status.conditions.exists(c, c.type == 'DisruptionTarget')",
                       object);
  };
  const std::string controllers = "system:serviceaccount:kube-system:";
  add(Guard("gpol-preempted-pods-stay-marked", rule("", {"pods/status"}, {"UPDATE"}), namespaces)
          .let("may", fmt::format("'system:nodes' in request.userInfo.groups || request.userInfo.username in "
                                  "['system:kube-scheduler', '{0}node-controller', '{0}pod-garbage-collector', "
                                  "'{0}disruption-controller', '{0}device-taint-eviction-controller', '{1}']",
                                  controllers, kKueue))
          .let("same",
               "(has(object.status.conditions) ? object.status.conditions : []) == "
               "(has(oldObject.status.conditions) ? oldObject.status.conditions : [])")
          .let("marked", marked("object"))
          .let("was", marked("oldObject"))
          .demand("variables.may || variables.same || !(variables.marked || variables.was)",
                  "why a pod is disrupted is written by who disrupts it"),
      policy.cluster_span, out);
}

// A pod that names a PriorityClass which is not there is refused. Its value and preemptionPolicy cannot be changed, but
// it can be made again with others.
void plan_priority_writers(const Policy& policy, const std::vector<std::string>& names, Planned& out) {
  using namespace guards;
  if (policy.writers.empty()) return;
  add(Guard("gpol-priorities-have-writers")
          .about(rule("scheduling.k8s.io", {"priorityclasses"}, {"CREATE", "UPDATE", "DELETE"}))
          // (`request.name` is empty where a whole collection is deleted.)
          .let("name", "request.operation == 'DELETE' ? oldObject.metadata.name : object.metadata.name")
          .demand(fmt::format("!(variables.name in ['{}']) || {}", fmt::join(names, "', '"), one_of(policy.writers)),
                  "the PriorityClasses of who preempts are written by the policy's pipeline alone"),
      policy.cluster_span, out);
}

}  // namespace

void plan_preemptors(const PlanContext& context, Planned& out) {
  const Policy& policy = context.policy;
  std::map<std::uint32_t, Users> classes;
  for (const Tenant& tenant : policy.tenants) {
    if (!tenant.preempts) continue;
    Users& users = classes[tenant.latency_class];
    users.namespaces.insert(users.namespaces.end(), tenant.namespaces.begin(), tenant.namespaces.end());
    for (const PoolAmount& reserve : tenant.reserves) users.pools.insert(reserve.pool);
  }
  std::vector<std::string> names;
  for (auto& [index, users] : classes) {
    names.push_back(policy.classes[index].name);
    std::ranges::sort(users.namespaces);
    const LatencyClass& c = policy.classes[index];
    PriorityClass made;
    made.name = c.name;
    made.value = priority_value(c.isolation);
    made.labels = {{"gpol.dev/role", "serving"}, {"gpol.dev/class", isolation_letter(c.isolation)}};
    out.cluster.pod_priority_classes.push_back(std::move(made));
    guard(policy, index, users, out);
  }
  if (classes.empty()) return;
  plan_marks(policy, out);
  plan_priority_writers(policy, names, out);
}

}  // namespace gpol
