// The guards of a planned cluster: what keeps the premises of its proofs, as ValidatingAdmissionPolicies. Why each rule
// is there stands beside it; whether the rules suffice is decided elsewhere, by meaning and from the emitted YAML
// (checker/guards). The API server fills in defaults and lets mutating webhooks act before it asks a policy.
#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/cluster/plan_parts.h"

namespace gpol {

namespace {

constexpr const char* kJobController = "system:serviceaccount:kube-system:job-controller";
constexpr const char* kReplicaSetController = "system:serviceaccount:kube-system:replicaset-controller";
constexpr const char* kStatefulSetController = "system:serviceaccount:kube-system:statefulset-controller";
constexpr const char* kKueue = "system:serviceaccount:kueue-system:kueue-controller-manager";
constexpr const char* kGarbageCollector = "system:serviceaccount:kube-system:generic-garbage-collector";
constexpr const char* kNamespaceController = "system:serviceaccount:kube-system:namespace-controller";
constexpr const char* kDaemonController = "system:serviceaccount:kube-system:daemon-set-controller";
constexpr const char* kPoolLabel = "gpol.dev/gpu-pool";
constexpr const char* kQueueGate = "kueue.x-k8s.io/admission";
constexpr const char* kManagedLabel = "kueue.x-k8s.io/managed";
constexpr const char* kPriorityLabel = "kueue.x-k8s.io/priority-class";
constexpr const char* kJobLabel = "batch.kubernetes.io/controller-uid";

using Rule = MatchResources::Rule;

Rule rule(std::string group, std::vector<std::string> resources, std::vector<std::string> operations) {
  const bool kueue = group == "kueue.x-k8s.io";
  Rule made;
  made.groups = {std::move(group)};
  made.versions = {kueue ? "*" : "v1"};
  made.operations = std::move(operations);
  made.resources = std::move(resources);
  return made;
}

std::string user_is(std::string_view name) { return fmt::format("request.userInfo.username == '{}'", name); }

// Some container of a pod's spec asks for a device. Limits suffice: the API server refuses a request of an extended
// resource without its limit (pkg/apis/core/validation ValidateContainerResourceRequirements). No claim of a device
// counts as a quota here, so any is a device.
std::string asks_gpu(const std::string& spec) {
  const auto some = [&](const char* list) {
    return fmt::format(
        "{}.{}.exists(c, has(c.resources) && has(c.resources.limits) && "
        "c.resources.limits.exists(k, k.startsWith('nvidia.com/')))",
        spec, list);
  };
  return fmt::format("{} || (has({}.initContainers) && {}) || has({}.resourceClaims)", some("containers"), spec,
                     some("initContainers"), spec);
}

// The taint of a pool's nodes holds for it no longer: a toleration without a key is for every taint.
std::string tolerates(const std::string& spec) {
  return fmt::format("has({0}.tolerations) && {0}.tolerations.exists(t, !has(t.key) || t.key == '' || t.key == '{1}')",
                     spec, kPoolLabel);
}

// Set by hand it passes by kube-scheduler, taints and all.
std::string names_node(const std::string& spec) { return fmt::format("has({0}.nodeName) && {0}.nodeName != ''", spec); }

std::string gated(const std::string& object) {
  return fmt::format("(has({0}.spec.schedulingGates) && {0}.spec.schedulingGates.exists(g, g.name == '{1}'))", object,
                     kQueueGate);
}

std::string suspended(const std::string& object) {
  return fmt::format("(has({0}.spec.suspend) && {0}.spec.suspend)", object);
}

std::string label(std::string_view object, std::string_view key) {
  return fmt::format("(has({0}.metadata.labels) && '{1}' in {0}.metadata.labels ? {0}.metadata.labels['{1}'] : '')",
                     object, key);
}

std::string same_label(std::string_view key) {
  return fmt::format("{} == {}", label("object", key), label("oldObject", key));
}

// Kueue walks up the owners of a pod and of a Job, and leaves to its owner what has a managed one.
constexpr const char* kSameOwners =
    "(has(object.metadata.ownerReferences) ? object.metadata.ownerReferences : []) == "
    "(has(oldObject.metadata.ownerReferences) ? oldObject.metadata.ownerReferences : [])";

struct Guard {
  AdmissionPolicy policy;

  explicit Guard(std::string name) { policy.name = std::move(name); }
  Guard& about(Rule rule) { return policy.match.rules.push_back(std::move(rule)), *this; }
  Guard& in(const std::vector<std::string>& namespaces) {
    policy.match.namespaces.expressions.push_back({"kubernetes.io/metadata.name", "In", namespaces});
    return *this;
  }
  Guard& let(std::string name, std::string expression) {
    policy.variables.push_back({std::move(name), std::move(expression)});
    return *this;
  }
  Guard& demand(std::string expression, std::string message) {
    policy.validations.push_back({std::move(expression), std::move(message)});
    return *this;
  }
};

void add(Guard guard, Span span, Planned& out) {
  AdmissionBinding binding;
  binding.name = binding.policy = guard.policy.name;
  binding.actions = {"Deny"};
  out.cluster.admission_policies.push_back(std::move(guard.policy));
  out.cluster.admission_bindings.push_back(std::move(binding));
  out.origins.guard.push_back(span);
}

// Kueue's webhook gives a pod that it manages a scheduling gate, and suspends a Job: whoever has neither is not queued,
// whatever the reason (namespace, kind, label, a forged owner, the webhook is down). Pods of a Job carry no gate, and
// only the Job controller's own user tells them from others. Daemons stand on every node; their share is declared, and
// so do a kubelet's own pods, which tolerate everything. Kueue adds the tolerations of the flavor when it takes the
// gate off. A tenant outside the queue runs ungated in its namespaces, on its own pools and nowhere else.
std::string outside_place(const Policy& policy, const std::string& object) {
  std::vector<std::string> ways;
  for (const Tenant& tenant : policy.tenants) {
    if (!tenant.outside) continue;
    std::vector<std::string> pools;
    for (const PoolAmount& reserve : tenant.reserves) pools.push_back(policy.pools[reserve.pool].name);
    ways.push_back(
        fmt::format("(request.namespace in ['{0}'] && has({1}.nodeSelector) && '{2}' in {1}.nodeSelector && "
                    "{1}.nodeSelector['{2}'] in ['{3}'])",
                    fmt::join(tenant.namespaces, "', '"), object, kPoolLabel, fmt::join(pools, "', '")));
  }
  return ways.empty() ? "" : fmt::format(" || {}", fmt::join(ways, " || "));
}

void plan_queued(const Policy& policy, Planned& out) {
  const Span span = policy.cluster_span;
  const std::string place = outside_place(policy, "object.spec");
  const std::string job_place = outside_place(policy, "object.spec.template.spec");
  const char* pods_message =
      "a pod that asks for a GPU, or tolerates the taint of GPU nodes, must be queued: label it "
      "kueue.x-k8s.io/queue-name in a tenant's namespace";
  const char* jobs_message =
      "a Job that asks for GPUs, or tolerates the taint of GPU nodes, must be queued: label it "
      "kueue.x-k8s.io/queue-name in a tenant's namespace";
  add(Guard("gpol-gpu-pods-queued")
          .about(rule("", {"pods"}, {"CREATE", "UPDATE"}))
          .let("gpu", asks_gpu("object.spec"))
          .let("tolerates", tolerates("object.spec"))
          .let("tolerated", fmt::format("request.operation == 'UPDATE' && ({} || ({}))", user_is(kKueue),
                                        tolerates("oldObject.spec")))
          .demand(fmt::format("request.operation != 'CREATE' || !variables.gpu || {} || {}{}", user_is(kJobController),
                              gated("object"), place),
                  pods_message)
          .demand(fmt::format("!variables.tolerates || variables.tolerated || {} || {} || "
                              "'system:nodes' in request.userInfo.groups || {}{}",
                              user_is(kJobController), user_is(kDaemonController), gated("object"), place),
                  pods_message)
          .demand(fmt::format("request.operation != 'CREATE' || !({}) || 'system:nodes' in request.userInfo.groups",
                              names_node("object.spec")),
                  "kube-scheduler chooses the node of a pod")
          .demand(fmt::format("request.operation != 'UPDATE' || !{} || {} || {}", gated("oldObject"), gated("object"),
                              user_is(kKueue)),
                  "only Kueue lets a queued pod start"),
      span, out);
  add(Guard("gpol-pods-bound-by-scheduler")
          .about(rule("", {"pods/binding", "bindings"}, {"CREATE"}))
          .demand("request.userInfo.username == 'system:kube-scheduler'", "kube-scheduler chooses the node of a pod"),
      span, out);
  // A Job's pod without this label, or without its owner, is none of the Job's any more: it gets another one. What
  // Kueue does not find by its label, or finds below another owner, it does not evict
  // (pkg/controller/jobframework/reconciler.go ReconcileGenericJob). Controllers adopt and release by themselves.
  add(Guard("gpol-gpu-pods-keep-owner")
          .about(rule("", {"pods"}, {"UPDATE"}))
          .let("gpu", asks_gpu("object.spec"))
          .let("controller", fmt::format("request.userInfo.username in ['{}', '{}', '{}', '{}', '{}']", kJobController,
                                         kReplicaSetController, kStatefulSetController, kGarbageCollector, kKueue))
          .demand(fmt::format("!variables.gpu || variables.controller || {}", kSameOwners),
                  "a pod with a GPU keeps its owner")
          .demand(fmt::format("!variables.gpu || variables.controller || ({} && {})", same_label(kJobLabel),
                              same_label(kManagedLabel)),
                  fmt::format("a pod with a GPU keeps its labels {} and {}", kJobLabel, kManagedLabel)),
      span, out);
  add(Guard("gpol-gpu-pods-keep-size")
          .about(rule("", {"pods/resize"}, {"UPDATE"}))
          .let("gpu", asks_gpu("object.spec"))
          .demand("!variables.gpu", "a pod with a GPU keeps the cpu and memory it was admitted with"),
      span, out);
  add(Guard("gpol-gpu-jobs-queued")
          .about(rule("batch", {"jobs"}, {"CREATE", "UPDATE"}))
          .let("uses",
               fmt::format("{} || ({})", asks_gpu("object.spec.template.spec"), tolerates("object.spec.template.spec")))
          .demand(fmt::format("!({})", names_node("object.spec.template.spec")),
                  "kube-scheduler chooses the node of a pod")
          .demand(
              fmt::format("request.operation != 'CREATE' || !variables.uses || {}{}", suspended("object"), job_place),
              jobs_message)
          .demand(fmt::format("request.operation != 'UPDATE' || !variables.uses || !{} || {} || {}",
                              suspended("oldObject"), suspended("object"), user_is(kKueue)),
                  "only Kueue starts a queued Job")
          .demand(fmt::format("request.operation != 'UPDATE' || !variables.uses || {} || "
                              "object.spec.parallelism <= oldObject.spec.parallelism || {}",
                              suspended("oldObject"), user_is(kKueue)),
                  "a running Job keeps the number of pods it was admitted with"),
      span, out);
  // Kueue takes a Job that is being deleted for finished (reconciler.go loadJob), and no longer stops one that has
  // another managed Job for its owner; its pods run on unless its deletion takes them along.
  add(Guard("gpol-gpu-jobs-keep-pods")
          .about(rule("batch", {"jobs"}, {"CREATE", "UPDATE"}))
          .let("gpu", asks_gpu("object.spec.template.spec"))
          .demand(fmt::format("request.operation != 'UPDATE' || !variables.gpu || {} || {}", kSameOwners,
                              user_is(kGarbageCollector)),
                  "a Job that asks for GPUs keeps its owner")
          .demand("!variables.gpu || !has(object.metadata.finalizers) || "
                  "object.metadata.finalizers.all(f, f == 'foregroundDeletion')",
                  "a Job that asks for GPUs carries no finalizer of its own")
          .demand("!variables.gpu || !has(object.spec.manualSelector) || !object.spec.manualSelector",
                  "a Job that asks for GPUs finds its pods by the selector that it is given"),
      span, out);
  add(Guard("gpol-gpu-jobs-take-pods-along")
          .about(rule("batch", {"jobs"}, {"DELETE"}))
          .let("gpu", asks_gpu("oldObject.spec.template.spec"))
          .demand("!variables.gpu || ((!has(request.options.propagationPolicy) || "
                  "request.options.propagationPolicy != 'Orphan') && "
                  "(!has(request.options.orphanDependents) || !request.options.orphanDependents))",
                  "a Job that asks for GPUs is deleted with its pods"),
      span, out);
  // Kueue's webhook keeps the size of a StatefulSet, but is not asked about its subresource scale
  // (pkg/controller/jobs/statefulset/statefulset_webhook.go), and lets the pods above the admitted count start.
  std::vector<std::string> namespaces;
  for (const Tenant& tenant : policy.tenants)
    if (!tenant.outside) namespaces.insert(namespaces.end(), tenant.namespaces.begin(), tenant.namespaces.end());
  std::sort(namespaces.begin(), namespaces.end());
  if (namespaces.empty()) return;
  add(Guard("gpol-statefulsets-keep-size")
          .about(rule("apps", {"statefulsets/scale"}, {"UPDATE"}))
          .in(namespaces)
          .demand("!has(object.spec.replicas) || (has(oldObject.spec.replicas) && "
                  "object.spec.replicas <= oldObject.spec.replicas)",
                  "a StatefulSet is not scaled up: it is written with 0 replicas, and then with more"),
      span, out);
}

std::string one_of(const std::vector<Writer>& writers) {
  std::vector<std::string> any;
  for (const Writer& writer : writers)
    any.push_back(writer.group ? fmt::format("('{}' in request.userInfo.groups)", writer.name) : user_is(writer.name));
  return fmt::format("{}", fmt::join(any, " || "));
}

// Workloads are Kueue's own: whoever writes one could admit it, or lift its priority.
void plan_objects(const Policy& policy, Planned& out) {
  const Span span = policy.cluster_span;
  add(Guard("gpol-workloads-are-kueues")
          .about(rule("kueue.x-k8s.io", {"workloads", "workloads/status"}, {"CREATE", "UPDATE"}))
          .demand(
              fmt::format("{} || (request.operation == 'UPDATE' && {})", user_is(kKueue), user_is(kGarbageCollector)),
              "only Kueue writes Workloads"),
      span, out);
  if (policy.writers.empty()) return;
  const std::string writer = one_of(policy.writers);
  add(Guard("gpol-queues-have-writers")
          .about(rule("kueue.x-k8s.io",
                      {"clusterqueues", "cohorts", "resourceflavors", "workloadpriorityclasses", "localqueues"},
                      {"CREATE", "UPDATE", "DELETE"}))
          .demand(fmt::format("{} || {} || (request.operation == 'DELETE' && {})", writer, user_is(kKueue),
                              user_is(kNamespaceController)),
                  "queues, cohorts, flavors and priority classes are written by the policy's pipeline alone"),
      span, out);
}

std::string whole_seconds(Millis millis) { return std::to_string(millis / 1000); }

// Whose pods hold what others own must leave when told. A pod may be deleted with a longer grace than its own, and can
// then not be hurried any more (pkg/registry/core/pod/strategy.go CheckGracefulDelete), by delete or by eviction.
void plan_leaves(const LatencyClass& c, const std::vector<std::string>& namespaces, Planned& out) {
  const bool jobs = c.runs == std::vector{JobKind::Job};
  Guard guard(fmt::format("gpol-{}-leaves", c.name));
  guard.about(rule("", {"pods"}, {"CREATE", "UPDATE", "DELETE"}));
  guard.in(namespaces);
  if (jobs)
    guard.demand(fmt::format("request.operation != 'CREATE' || {}", user_is(kJobController)),
                 "pods of this namespace are made by Jobs");
  guard.demand(
      "request.operation == 'DELETE' || !has(object.metadata.finalizers) || "
      "object.metadata.finalizers.all(f, f in ['batch.kubernetes.io/job-tracking', 'kueue.x-k8s.io/managed'])",
      "pods of this namespace carry no finalizer of their own");
  if (c.grace) {
    const std::string grace = whole_seconds(c.grace->value);
    guard.demand(fmt::format("request.operation == 'DELETE' || "
                             "(has(object.spec.terminationGracePeriodSeconds) && "
                             "object.spec.terminationGracePeriodSeconds <= {})",
                             grace),
                 fmt::format("terminationGracePeriodSeconds is {} here at most", grace));
    guard.demand(fmt::format("request.operation != 'DELETE' || !has(request.options.gracePeriodSeconds) || "
                             "request.options.gracePeriodSeconds <= {}",
                             grace),
                 fmt::format("a pod is deleted with {} s of grace here at most", grace));
  }
  add(std::move(guard), c.span, out);
  if (!c.grace) return;
  const std::string grace = whole_seconds(c.grace->value);
  add(Guard(fmt::format("gpol-{}-evictions", c.name))
          .about(rule("", {"pods/eviction"}, {"CREATE"}))
          .in(namespaces)
          .demand(fmt::format("!has(object.deleteOptions) || !has(object.deleteOptions.gracePeriodSeconds) || "
                              "object.deleteOptions.gracePeriodSeconds <= {}",
                              grace),
                  fmt::format("a pod is evicted with {} s of grace here at most", grace)),
      c.span, out);
}

// Kueue takes the priority of the class that the label names, and without the label that of the pod's PriorityClass.
// The pod's own priority is what kube-scheduler evicts by. A Job's pods are counted by the Job's label.
void plan_priority(const LatencyClass& c, const std::vector<std::string>& namespaces, Planned& out) {
  const std::string message = fmt::format("label it {}: {}", kPriorityLabel, c.name);
  const std::string own = fmt::format("{} == '{}'", label("object", kPriorityLabel), c.name);
  add(Guard(fmt::format("gpol-{}-job-priority", c.name))
          .about(rule("batch", {"jobs"}, {"CREATE", "UPDATE"}))
          .in(namespaces)
          .demand(own, message),
      c.span, out);
  add(Guard(fmt::format("gpol-{}-pod-priority", c.name))
          .about(rule("", {"pods"}, {"CREATE", "UPDATE"}))
          .in(namespaces)
          .demand(fmt::format("request.operation != 'CREATE' || {} || {}", own, user_is(kJobController)), message)
          .demand(fmt::format("request.operation != 'UPDATE' || {}", same_label(kPriorityLabel)),
                  "a pod keeps its priority class")
          .demand("!has(object.spec.priority) || object.spec.priority <= 0",
                  "pods of this namespace have no priority above 0"),
      c.span, out);
}

// Kueue adds the flavor's label to the node selector of what it admits there.
void plan_shape(const Flavor& flavor, std::int64_t gpus, const std::vector<std::string>& namespaces, Span span,
                Planned& out) {
  std::string there = "has(object.spec.nodeSelector)";
  for (const auto& [key, value] : flavor.node_labels)
    there +=
        fmt::format(" && '{0}' in object.spec.nodeSelector && object.spec.nodeSelector['{0}'] == '{1}'", key, value);
  const std::string has_gpu = "has(c.resources) && has(c.resources.limits) && 'nvidia.com/gpu' in c.resources.limits";
  Guard guard(fmt::format("gpol-shape-{}-{}", flavor.name, gpus));
  guard.about(rule("", {"pods"}, {"CREATE", "UPDATE"})).in(namespaces);
  guard.let("there", there);
  guard.let("exact", fmt::format("object.spec.containers.exists_one(c, {0}) && object.spec.containers.all(c, "
                                 "!({0}) || string(c.resources.limits['nvidia.com/gpu']) == '{1}')",
                                 has_gpu, gpus));
  guard.let("early",
            fmt::format("has(object.spec.initContainers) && object.spec.initContainers.exists(c, {})", has_gpu));
  guard.demand("!variables.there || variables.exact",
               fmt::format("a pod on {} asks for exactly {} GPUs, in one container", flavor.name, gpus));
  guard.demand("!variables.there || !variables.early", "an init container asks for no GPU");
  add(std::move(guard), span, out);
}

// One guard for all tenants that have the same shape on a pool.
void plan_shapes(const Policy& policy, Planned& out) {
  struct Users {
    std::vector<std::string> namespaces;
    Span span;
  };
  std::map<std::pair<std::uint32_t, std::int64_t>, Users> shapes;
  for (const Tenant& tenant : policy.tenants)
    for (const PoolAmount& shape : tenant.shapes) {
      Users& users = shapes[{shape.pool, shape.amount[Resource::Gpu]}];
      users.namespaces.insert(users.namespaces.end(), tenant.namespaces.begin(), tenant.namespaces.end());
      if (!users.span.known()) users.span = shape.span;
    }
  for (auto& [shape, users] : shapes) {
    std::sort(users.namespaces.begin(), users.namespaces.end());
    plan_shape(out.cluster.flavors[shape.first], shape.second, users.namespaces, users.span, out);
  }
}

void set_mode(const GuardMode& rolled, Planned& out) {
  auto& bindings = out.cluster.admission_bindings;
  if (rolled.mode == "unbound")
    std::erase_if(bindings, [&](const AdmissionBinding& binding) { return binding.policy == rolled.guard; });
  for (AdmissionBinding& binding : bindings)
    if (binding.policy == rolled.guard) binding.actions = {rolled.mode == "warn" ? "Warn" : "Audit"};
}

}  // namespace

void plan_guards(const PlanContext& context, Planned& out) {
  const Policy& policy = context.policy;
  plan_queued(policy, out);
  plan_objects(policy, out);
  std::map<std::uint32_t, std::vector<std::string>> batch;  // namespaces by class
  for (const Tenant& tenant : policy.tenants)
    if (policy.classes[tenant.latency_class].isolation == Isolation::C)
      for (const auto& ns : tenant.namespaces) batch[tenant.latency_class].push_back(ns);
  for (auto& [index, namespaces] : batch) {
    std::sort(namespaces.begin(), namespaces.end());
    plan_leaves(policy.classes[index], namespaces, out);
    plan_priority(policy.classes[index], namespaces, out);
  }
  plan_preemptors(context, out);
  plan_shapes(policy, out);
  for (const GuardMode& rolled : policy.guards) set_mode(rolled, out);
}

}  // namespace gpol
