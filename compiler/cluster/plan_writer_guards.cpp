// The guard that nobody but the policy's writers changes its queues, cohorts, flavors and priority classes, or joins
// them. Other teams' own are left alone: a ClusterQueue is the policy's where it names one of its cohorts or flavors.
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/cluster/guard_parts.h"

namespace gpol {

using namespace guards;

namespace {

template <class Named>
std::string names_of(const std::vector<Named>& all) {
  std::vector<std::string> names;
  for (const Named& one : all) names.push_back(fmt::format("'{}'", one.name));
  return fmt::format("[{}]", fmt::join(names, ", "));
}

// A ResourceFlavor's spec is about nodes of a pool. gpol's own key is nobody else's; another one may be on all nodes of
// the cluster, and then a flavor is of other nodes by another value of the label. All labels have one key (GP0321).
std::string of_these_nodes(const Policy& policy, const std::string& spec) {
  if (policy.pools.empty()) return "false";
  const std::string key = label_of(policy.pools.front()).key;
  std::set<std::string> values, taints;
  for (const Pool& pool : policy.pools) {
    values.insert(label_of(pool).value);
    taints.insert(taint_of(pool).key);
  }
  const std::string labelled = fmt::format("has({0}.nodeLabels) && '{1}' in {0}.nodeLabels", spec, key);
  std::vector<std::string> ways;
  if (key == kPoolKey)
    ways.push_back(fmt::format("({})", labelled));
  else
    ways.push_back(
        fmt::format("({} && {}.nodeLabels['{}'] in ['{}'])", labelled, spec, key, fmt::join(values, "', '")));
  for (const std::string& taint : taints) {
    const std::string tolerates =
        fmt::format("has({0}.tolerations) && {0}.tolerations.exists(t, has(t.key) && t.key == '{1}')", spec, taint);
    ways.push_back(taint == kPoolKey ? fmt::format("({})", tolerates)
                                     : fmt::format("({} && !({}))", tolerates, labelled));
  }
  return fmt::format("({})", fmt::join(ways, " || "));
}

// Whether an object of these kinds is the policy's, or is about what is. (`dyn`: the API server's type checker looks at
// every expression with each of the kinds.)
std::string concerns(const Policy& policy, const Cluster& cluster, const char* object) {
  const std::string cohorts = names_of(cluster.cohorts), flavors = names_of(cluster.flavors);
  const std::string spec = fmt::format("dyn({}).spec", object), name = fmt::format("{}.metadata.name", object);
  std::vector<std::string> ways{"variables.kind == 'localqueues'"};  // only tenants' are looked at
  ways.push_back(fmt::format("(variables.kind == 'workloadpriorityclasses' && {} in {})", name,
                             names_of(cluster.priority_classes)));
  ways.push_back(fmt::format("(variables.kind == 'resourceflavors' && ({} in {} || (has({}) && {})))", name, flavors,
                             spec, of_these_nodes(policy, spec)));
  ways.push_back(
      fmt::format("(variables.kind == 'cohorts' && ({0} in {1} || (has({2}) && has({2}.parentName) && "
                  "{2}.parentName in {1})))",
                  name, cohorts, spec));
  // v1beta1 says `cohort`, v1beta2 `cohortName`.
  ways.push_back(
      fmt::format("(variables.kind == 'clusterqueues' && has({0}) && ((has({0}.cohortName) && "
                  "{0}.cohortName in {1}) || (has({0}.cohort) && {0}.cohort in {1}) || (has({0}.resourceGroups) && "
                  "{0}.resourceGroups.exists(g, "
                  "g.flavors.exists(f, f.name in {2})))))",
                  spec, cohorts, flavors));
  return fmt::format("({})", fmt::join(ways, " || "));
}

}  // namespace

void guards::plan_queue_writers(const Policy& policy, Planned& out) {
  const std::vector<std::string> tenants = tenant_namespaces(policy);
  if (tenants.empty()) return;
  add(Guard("gpol-queues-have-writers",
            rule("kueue.x-k8s.io",
                 {"clusterqueues", "cohorts", "resourceflavors", "workloadpriorityclasses", "localqueues"},
                 {"CREATE", "UPDATE", "DELETE"}),
            tenants)
          .let("kind", "request.resource.resource")
          .let("now", fmt::format("request.operation != 'DELETE' && {}", concerns(policy, out.cluster, "object")))
          .let("before", fmt::format("request.operation != 'CREATE' && {}", concerns(policy, out.cluster, "oldObject")))
          .demand(fmt::format("!(variables.now || variables.before) || {} || {} || "
                              "(request.operation == 'DELETE' && {})",
                              one_of(policy.writers), user_is(kKueue), user_is(kNamespaceController)),
                  "the queues, cohorts, flavors and priority classes of this policy are written by its pipeline alone"),
      policy.cluster_span, out);
  std::set<std::string> limited;
  for (const TrafficPolicy& one : out.cluster.traffic_policies) limited.insert(one.ns);
  if (limited.empty()) return;
  // Another one of the same route takes its place, or loses to it, by its age and name.
  add(Guard("gpol-limits-have-writers",
            rule("gateway.envoyproxy.io", {"backendtrafficpolicies"}, {"CREATE", "UPDATE", "DELETE"}),
            {limited.begin(), limited.end()})
          .demand(fmt::format("{} || (request.operation == 'DELETE' && {})", one_of(policy.writers),
                              user_is(kNamespaceController)),
                  "what a gateway lets in here is written by the policy's pipeline alone"),
      policy.cluster_span, out);
}

}  // namespace gpol
