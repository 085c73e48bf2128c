// What premises demand of the pods of tenants: that batch leaves when told, has no priority above serving's and no
// shape but its own; that serving pods are equals; that those that preempt may.
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/families/demand_words.h"
#include "checker/families/doors.h"
#include "compiler/source/lookup.h"

namespace gpol {

void DemandList::add(std::string_view premise, std::string who, std::string does, std::string breaks, std::string group,
                     std::string resource, std::string operation, std::string bad) {
  Demand demand{premise, std::move(who), std::move(does), std::move(breaks), std::move(group), "v1", {}, {}, {}, {}};
  const auto slash = resource.find('/');
  demand.resource = resource.substr(0, slash);
  if (slash != std::string::npos) demand.subresource = resource.substr(slash + 1);
  demand.operation = std::move(operation);
  demand.bad = std::move(bad);
  if (demand.group == "gateway.envoyproxy.io" || demand.group == "bus.volcano.sh") demand.version = "v1alpha1";
  if (demand.group == "scheduling.volcano.sh") demand.version = "v1beta1";
  if (demand.group == "kueue.x-k8s.io") {
    demand.version = "v1beta1";  // who writes in either version writes the same object
    out_.push_back(demand);
    demand.version = "v1beta2";
  }
  out_.push_back(std::move(demand));
}

void DemandList::grace_at_most(std::string_view key, const std::string& who, const std::string& here,
                               std::int64_t seconds, const std::string& breaks) {
  const std::string cap = std::to_string(seconds);
  add(key, who, "creates a pod with a longer grace", breaks, "", "pods", "CREATE",
      here + "object.spec.terminationGracePeriodSeconds > " + cap);
  add(key, who, "deletes a pod with a longer grace than its own", breaks, "", "pods", "DELETE",
      here + "has(request.options.gracePeriodSeconds) && request.options.gracePeriodSeconds > " + cap);
  add(key, who, "evicts a pod with a longer grace than its own", breaks, "", "pods/eviction", "CREATE",
      here + "has(object.deleteOptions.gracePeriodSeconds) && object.deleteOptions.gracePeriodSeconds > " + cap);
}

// Kueue's jobs/statefulset/statefulset_reconciler.go makes the Workload before a pod is there, and jobframework's
// reconciler.go ReconcileGenericJob returns for one without pods before it looks at an eviction. That it is not scaled
// up is demanded of every StatefulSet.
void DemandList::holds_without_pods(const std::string& who, const std::string& here) {
  if (!may_queue_statefulsets(cluster_, intent_)) return;
  const std::string evicted = "Kueue evicts it only when it has pods, and keeps its quota until then";
  const std::string some = "has(object.spec.replicas) && object.spec.replicas > 0";
  for (const char* operation : {"CREATE", "UPDATE"})
    add("batch-leaves", who, "queues a StatefulSet whose pods are refused", evicted, "apps", "statefulsets", operation,
        here + not_garbage_collector() + " && " + some);
}

namespace {

// A pod that selects the nodes of a flavor.
std::string selects(const Flavor& flavor, const std::string& object) {
  std::string text = fmt::format("has({}.spec.nodeSelector)", object);
  for (const auto& [key, value] : flavor.node_labels)
    text += fmt::format(" && {0} in {2}.spec.nodeSelector && {2}.spec.nodeSelector[{0}] == {1}", quoted(key),
                        quoted(value), object);
  return text;
}

constexpr const char* kStays = "it stays on what serving lent longer than the proof allows for";

// Ways not to ask for exactly so many GPUs in one container: what it does, and when.
std::vector<std::pair<std::string, std::string>> other_sizes(const std::string& spec, const std::string& name,
                                                             std::int64_t gpus) {
  const std::string limits =
      fmt::format("has(c.resources) && has(c.resources.limits) && '{}' in c.resources.limits", name);
  const std::string_view one = is_gpu(name) ? "GPU" : "slice";
  std::vector<std::pair<std::string, std::string>> ways = {
      {"a pod of another size", fmt::format("{}.containers.exists(c, {} && string(c.resources.limits['{}']) != '{}')",
                                            spec, limits, name, gpus)},
      {fmt::format("a pod without a {}", one), fmt::format("!{}.containers.exists(c, {})", spec, limits)},
      {fmt::format("a pod with several containers that have {}s", one),
       fmt::format("{1}.containers.exists(c, {0}) && !{1}.containers.exists_one(c, {0})", limits, spec)},
      {fmt::format("a pod whose init container has {}s", one),
       fmt::format("has({1}.initContainers) && {1}.initContainers.exists(c, {0})", limits, spec)},
  };
  if (!is_gpu(name)) {
    const std::string other = fmt::format(
        "has(c.resources) && has(c.resources.limits) && c.resources.limits.exists(k, "
        "(k.startsWith('nvidia.com/gpu') || k.startsWith('nvidia.com/mig-')) && k != '{}')",
        name);
    ways.emplace_back(
        "a pod that has other devices, too",
        fmt::format("({1}.containers.exists(c, {0}) || (has({1}.initContainers) && {1}.initContainers.exists(c, {0})))",
                    other, spec));
  }
  return ways;
}

}  // namespace

void DemandList::leaves_within(const std::string& who, const std::string& here, std::int64_t seconds) {
  grace_at_most("batch-leaves", who, here, seconds, kStays);
  some_grace("batch-leaves", who, here);
}

void DemandList::leaves(const std::string& who, const std::string& here) {
  const std::string_view key = "batch-leaves";
  // Kueue's own finalizer is on pods that it queues one by one; it leaves alone those of a Job.
  const std::string own = fmt::format("object.metadata.finalizers.exists(f, f != 'batch.kubernetes.io/job-tracking'{})",
                                      intent_.batch.only_jobs ? "" : " && f != 'kueue.x-k8s.io/managed'");
  add(key, who, "gives a pod a finalizer of its own", kStays, "", "pods", "CREATE", here + own);
  add(key, who, "gives a pod a finalizer of its own", kStays, "", "pods", "UPDATE", here + not_ending() + " && " + own);
  add(key, who, "gives a pod a finalizer of its own, with its status", kStays, "", "pods/status", "UPDATE",
      here + own +
          " && (has(object.metadata.finalizers) ? object.metadata.finalizers : []) != "
          "(has(oldObject.metadata.finalizers) ? oldObject.metadata.finalizers : [])");
  holds_without_pods(who, here);
  // job_controller.go Stop makes patches with the version that it has read (pkg/util/client Patch, strict).
  add(key, who, "writes to a queued Job again and again",
      "each of Kueue's patches that stop it comes too late, and it keeps what it holds", "batch", "jobs", "UPDATE",
      here + not_kueue() + " && " + not_job_controller() + " && " + not_garbage_collector());
  if (intent_.batch.only_jobs)
    add(key, who, "creates a pod without a Job", "its quota is released only when it is gone", "", "pods", "CREATE",
        here + not_job_controller());
  if (intent_.batch.only_pods)
    for (const char* maker : {"job-controller", "statefulset-controller", "replicaset-controller"})
      add(key, who, fmt::format("has the {} create a pod", maker), "it is of another kind than those that are listed",
          "", "pods", "CREATE",
          here + fmt::format("request.userInfo.username == '{}kube-system:{}'", kServiceAccount, maker));
}

void DemandList::priorities(const std::string& who, const std::string& here) {
  std::optional<std::int64_t> lowest;
  for (const auto& c : cluster_.priority_classes)
    if (has_value(c.labels, "gpol.dev/role", "serving")) lowest = std::min(lowest.value_or(c.value), c.value);
  std::vector<std::string> below;
  for (const auto& c : cluster_.priority_classes)
    if (!lowest || c.value < *lowest) below.push_back(quoted(c.name));
  const std::string label = "kueue.x-k8s.io/priority-class";
  const std::string outranks = "its workloads go before serving's, or cannot be evicted for them";
  const auto within = [&](const char* object) {
    return fmt::format(
        "(has({0}.metadata.labels) && '{1}' in {0}.metadata.labels && {0}.metadata.labels['{1}'] in [{2}])", object,
        label, fmt::join(below, ", "));
  };
  const std::string another = fmt::format(" && {} != {}", metadata_entry("object", "labels", label),
                                          metadata_entry("oldObject", "labels", label));
  for (const char* operation : {"CREATE", "UPDATE"})  // what is there already is a matter of controller-as-emitted
    add("priorities-pinned", who, "gives a Job a priority class that is not batch's", outranks, "batch", "jobs",
        operation, here + "!" + within("object") + (*operation == 'U' ? another : ""));
  // Its Workload is there before its pods are (jobs/statefulset/statefulset_reconciler.go createPrebuiltWorkload).
  if (!intent_.of_policy && may_queue_statefulsets(cluster_, intent_))
    for (const char* operation : {"CREATE", "UPDATE"})
      add("priorities-pinned", who, "gives a StatefulSet a priority class that is not batch's", outranks, "apps",
          "statefulsets", operation,
          here + not_garbage_collector() + " && has(object.spec.replicas) && object.spec.replicas > 0 && !" +
              within("object"));
  add("priorities-pinned", who, "gives a pod a priority class that is not batch's", outranks, "", "pods", "CREATE",
      here + not_job_controller() + " && !" + within("object"));
  for (const char* way : {"pods", "pods/status"})
    add("priorities-pinned", who, "changes the priority class of a pod", outranks, "", way, "UPDATE",
        here + within("oldObject") + " && !" + within("object"));
  add("pods-do-not-preempt", who, "creates a pod with another priority than 0",
      "kube-scheduler evicts a serving pod for it, or one of batch in a serving pod's stead", "", "pods", "CREATE",
      here + "has(object.spec.priority) && object.spec.priority != 0");
}

// One value for all that serve: no serving pod is evicted for another, nor, as batch is not above it, for batch. And
// what they ask Kueue for is above all of batch: by their class, or by none, which is priority 0.
void DemandList::serving_priorities(const std::string& who, const std::string& here, bool beside_batch) {
  add("pods-do-not-preempt", who, "creates a pod with another priority than 0",
      "kube-scheduler evicts a serving pod for it, or it for others", "", "pods", "CREATE",
      here + "has(object.spec.priority) && object.spec.priority != 0");
  if (!beside_batch) return;
  std::int64_t highest = INT32_MIN;
  for (const auto& c : cluster_.priority_classes)
    if (has_value(c.labels, "gpol.dev/role", "batch")) highest = std::max(highest, c.value);
  std::vector<std::string> names;
  for (const auto& c : cluster_.priority_classes)
    if (c.value <= highest) names.push_back(quoted(c.name));
  if (highest >= 0) names.emplace_back("''");
  const auto class_of = [](const char* object) {
    return metadata_entry(object, "labels", "kueue.x-k8s.io/priority-class");
  };
  const std::string another = fmt::format(" && {} != {}", class_of("object"), class_of("oldObject"));
  for (const auto& [group, resource] : {std::pair{"", "pods"}, {"batch", "jobs"}, {"apps", "statefulsets"}})
    for (const char* operation : {"CREATE", "UPDATE"})
      add("priorities-pinned", who, fmt::format("sends {} of {} with no priority above batch's", operation, resource),
          "batch goes before it", group, resource, operation,
          fmt::format("{}{} in [{}]{}", here, class_of("object"), fmt::join(names, ", "),
                      *operation == 'U' ? another : ""));
}

void DemandList::takes_no_ports(const std::string& who, const std::string& here) {
  for (const char* list : {"containers", "initContainers"})
    add("pods-repel-no-others", who, "creates a pod that asks for a port of its node",
        "whoever has that port on a node keeps it off", "", "pods", "CREATE",
        here + fmt::format("has(object.spec.{0}) && object.spec.{0}.exists(c, has(c.ports) && "
                           "c.ports.exists(p, has(p.hostPort) && p.hostPort > 0))",
                           list));
}

void DemandList::repels_nobody(const std::string& who, const std::string& here) {
  const std::string terms = "object.spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution";
  for (const char* field : {"namespaces", "namespaceSelector"})
    add("pods-repel-no-others", who, "creates a pod with an anti-affinity to pods of other namespaces",
        "while it runs, kube-scheduler keeps a serving pod off every node of its topology", "", "pods", "CREATE",
        here + fmt::format("has(object.spec.affinity) && has(object.spec.affinity.podAntiAffinity) && has({0}) && "
                           "{0}.exists(t, has(t.{1}))",
                           terms, field));
  add("pods-repel-no-others", who, "nominates a node for a pod that waits, in its status",
      "kube-scheduler keeps room there for it, whether it can run there or not", "", "pods/status", "UPDATE",
      here + (cluster_.volcano ? not_user("volcano-system", "volcano-scheduler") + " && " : "") +
          "request.userInfo.username != 'system:kube-scheduler' && has(object.status.nominatedNodeName) && "
          "object.status.nominatedNodeName != '' && !(has(oldObject.status.nominatedNodeName) && "
          "oldObject.status.nominatedNodeName == object.status.nominatedNodeName)");
}

// plugin/pkg/admission/priority/admission.go writes both numbers into a pod before policies see it.
void DemandList::preempts(const OutsideReserve& tenant) {
  std::vector<std::string> names;
  for (const auto& ns : tenant.namespaces) names.push_back(quoted(ns));
  const Flavor& flavor = cluster_.flavors[tenant.flavor];
  const std::string here =
      fmt::format("request.namespace in [{}] && {} && ", fmt::join(names, ", "), selects(flavor, "object"));
  const std::string who = fmt::format("a user of {}", fmt::join(tenant.namespaces, ", "));
  const std::string waits = "kube-scheduler evicts nobody for it";
  add("outside-preempts", who, fmt::format("creates a pod without the priority of its class on {}", flavor.name), waits,
      "", "pods", "CREATE",
      here + fmt::format("(!has(object.spec.priority) || object.spec.priority != {})", *tenant.preempts_at));
  add("outside-preempts", who, fmt::format("creates a pod that may not preempt on {}", flavor.name), waits, "", "pods",
      "CREATE", here + "has(object.spec.preemptionPolicy) && object.spec.preemptionPolicy == 'Never'");
  add("outside-preempts", who, fmt::format("sends a pod of another priority to {}", flavor.name), waits, "", "pods",
      "UPDATE",
      here + fmt::format("!({}) && (!has(object.spec.priority) || object.spec.priority != {})",
                         selects(flavor, "oldObject"), *tenant.preempts_at));
}

// plugin/pkg/admission/priority refuses a pod whose PriorityClass is not there.
void DemandList::keeps_priority_classes(const std::set<std::int64_t>& values) {
  std::vector<std::string> names;
  for (const PriorityClass& c : cluster_.pod_priority_classes)
    if (values.count(c.value) != 0) names.push_back(quoted(c.name));
  if (names.empty()) return;
  for (const char* operation : {"CREATE", "DELETE"})
    add("objects-unchanged", "any user", fmt::format("sends {} of the PriorityClass of who preempts", operation),
        "its pods are refused, or do not preempt", "scheduling.k8s.io", "priorityclasses", operation,
        stranger("") + fmt::format("{}.metadata.name in [{}]", *operation == 'D' ? "oldObject" : "object",
                                   fmt::join(names, ", ")));
}

// kube-scheduler's plugins/defaultpreemption podTerminatingByPreemption asks the first condition of this type why a pod
// ends. While none ends for that reason on the node that is kept, the pod for which it is kept may be sent to another.
void DemandList::stays_marked(const std::string& who, const std::string& here) {
  std::string stranger =
      "!('system:nodes' in request.userInfo.groups) && "
      "request.userInfo.username != 'system:kube-scheduler' && " +
      not_kueue();
  for (const char* name :
       {"node-controller", "pod-garbage-collector", "disruption-controller", "device-taint-eviction-controller"})
    stranger += " && " + not_user("kube-system", name);
  for (const auto& [object, does] : {std::pair{"object", "writes of a pod that it is disrupted, and why"},
                                     {"oldObject", "writes over why a pod is disrupted"}})
    add("outside-preempts", who, does,
        "kube-scheduler no longer knows that it ends for the pod that waits there, and sends that one to another node",
        "", "pods/status", "UPDATE",
        here + fmt::format("{0} && has({1}.status.conditions) && {1}.status.conditions.exists(c, "
                           "c.type == 'DisruptionTarget') && "
                           "(has(object.status.conditions) ? object.status.conditions : []) != "
                           "(has(oldObject.status.conditions) ? oldObject.status.conditions : [])",
                           stranger, object));
}

void DemandList::shape(const std::string& who, const std::string& here, const Flavor& flavor, const PodShape& shape) {
  const std::string there = selects(flavor, "object");
  for (const char* operation : {"CREATE", "UPDATE"})  // its devices stay as they were made, so that one look is enough
    for (const auto& [pod, bad] : other_sizes("object.spec", cluster_.resources[shape.resource], shape.amount))
      add("shapes-kept", who, fmt::format("runs {} on {}", pod, flavor.name),
          "what it leaves free on a node is no place for a replica", "", "pods", operation,
          fmt::format("{}{}{} && {}", here, there,
                      *operation == 'U' ? fmt::format(" && !({})", selects(flavor, "oldObject")) : "", bad));
}

// What Kueue makes Workloads of: pods, and the templates of Jobs and StatefulSets (pkg/controller/jobs).
void DemandList::replica(const std::string& who, const std::string& here, const PodShape& shape) {
  const auto queued = [](const char* object) {
    return fmt::format(
        "has({0}.metadata.labels) && 'kueue.x-k8s.io/queue-name' in {0}.metadata.labels && "
        "{0}.metadata.labels['kueue.x-k8s.io/queue-name'] != ''",
        object);
  };
  for (const auto& [group, resource] : {std::pair{"", "pods"}, {"batch", "jobs"}, {"apps", "statefulsets"}}) {
    const bool pod = std::string_view(resource) == "pods";
    for (const char* operation : {"CREATE", "UPDATE"}) {
      // What a pod asks for stays as it was made; of a template those who stop it change nothing.
      const std::string newly = *operation == 'C' ? ""
                                : pod             ? fmt::format(" && !({})", queued("oldObject"))
                                                  : " && " + not_ending();
      for (const auto& [does, bad] : other_sizes(pod ? "object.spec" : "object.spec.template.spec",
                                                 cluster_.resources[shape.resource], shape.amount))
        add("shapes-kept", who, fmt::format("queues {}, in {} of {}", does, operation, resource),
            "it takes turns and nodes that other tenants' replicas count on", group, resource, operation,
            fmt::format("{}{}{} && {}", here, queued("object"), newly, bad));
    }
  }
  // Who may write a pod's status writes its labels along, and then nobody has looked at the size of what is queued.
  const auto queue = [](const char* object) { return metadata_entry(object, "labels", "kueue.x-k8s.io/queue-name"); };
  add("shapes-kept", who, "queues a pod of any size, or takes it out again, with its status",
      "it takes turns and nodes that other tenants' replicas count on", "", "pods/status", "UPDATE",
      fmt::format("{}{} != {}", here, queue("object"), queue("oldObject")));
}

}  // namespace gpol
