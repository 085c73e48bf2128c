// What premises demand so that Kueue counts of a workload what runs of it: it looks once, and in few places.

#include <fmt/format.h>

#include "checker/families/demand_words.h"
#include "checker/families/doors.h"
#include "compiler/source/lookup.h"

namespace gpol {

std::string DemandList::stranger(std::string those) const {
  for (const Writer& writer : intent_.writers)
    those += writer.group ? fmt::format("!({} in request.userInfo.groups) && ", quoted(writer.name))
                          : fmt::format("request.userInfo.username != {} && ", quoted(writer.name));
  return those;
}

// Sources: plugin/pkg/admission/limitranger (what pods get that their Job has not); Kueue's
// pkg/controller/jobs/pod/pod_controller.go constructGroupPodSets, getRoleHash (a group is charged by its first pod of
// each role, and a pod says itself which role is its own), pkg/util/pod GetPodGroupName (an annotation, else a label),
// pkg/controller/jobs/statefulset/statefulset_pod_reconciler.go (which pods Kueue puts into one); pkg/workloadslicing
// EnsureWorkloadSlices (of an elastic Job the counts are compared, not what a pod asks for).
void DemandList::counted_as_it_runs(bool queued, const std::string& who, const std::string& here) {
  if (!queued) return;
  const std::string_view key = "admission-only";
  const std::string more = "its next pods ask for more than Kueue counts";
  for (const char* operation : {"CREATE", "UPDATE"}) {
    add(key, who, "sets defaults of what containers ask for, once a Job is admitted", more, "", "limitranges",
        operation, here + stranger("") + "true");
    add(key, who, "sets default requests, which Kueue counts where a container has only limits", more, "",
        "limitranges", operation,
        here + "has(object.spec.limits) && object.spec.limits.exists(l, has(l.default) || has(l.defaultRequest))");
    if (value_or(cluster_.config.gates, "ElasticJobsViaWorkloadSlices", true)) {
      add(key, who, "makes a Job elastic, and lets its pods ask for more later", more, "batch", "jobs", operation,
          here +
              "has(object.metadata.annotations) && 'kueue.x-k8s.io/elastic-job' in object.metadata.annotations && "
              "object.metadata.annotations['kueue.x-k8s.io/elastic-job'] == 'true'");
      out_.back().way = "elastic-jobs";
    }
  }
  const char* group = "Kueue charges a group by one pod of each role, and each pod says which is its own";
  const char* left = "Kueue does not evict it with its group";
  for (const char* map : {"labels", "annotations"})
    written(who, here, not_kueue(), {"pods", map, "kueue.x-k8s.io/pod-group-name", group, left, "foreign-pod-group"});
  std::string nobody = not_kueue();
  for (const char* owner : {"replicaset-controller", "statefulset-controller"})
    nobody += " && " + not_user("kube-system", owner);
  written(who, here, nobody, {"pods", "annotations", "kueue.x-k8s.io/pod-suspending-parent", group, left});
}

// Without any grace a pod is gone before its containers are (pkg/registry/core/pod/strategy.go): its devices look free,
// and the kubelet refuses the replica that is bound to them. Where it has no node, or has ended, nothing is early.
void DemandList::some_grace(std::string_view key, const std::string& who, const std::string& here) {
  const std::string early = "its devices are taken for free before its containers end";
  add(key, who, "creates a pod without any grace", early, "", "pods", "CREATE",
      here + "has(object.spec.terminationGracePeriodSeconds) && object.spec.terminationGracePeriodSeconds < 1");
  add(key, who, "deletes a pod without any grace", early, "", "pods", "DELETE",
      here + "!('system:nodes' in request.userInfo.groups) && " + not_user("kube-system", "pod-garbage-collector") +
          " && has(request.options.gracePeriodSeconds) && request.options.gracePeriodSeconds < 1 && "
          "has(oldObject.spec.nodeName) && oldObject.spec.nodeName != '' && "
          "!(has(oldObject.status.phase) && oldObject.status.phase in ['Succeeded', 'Failed'])");
  add(key, who, "evicts a pod without any grace", early, "", "pods/eviction", "CREATE",
      here + "has(object.deleteOptions.gracePeriodSeconds) && object.deleteOptions.gracePeriodSeconds < 1");
}

// Kueue takes a Job that is being deleted, or was stopped, for one without quota while its pods still end
// (jobframework/reconciler.go). Of batch the proofs count on that.
void DemandList::holds_what_it_runs(const std::string& who, const std::string& here) {
  const std::string_view key = "admission-only";
  const auto queue = [](const char* object) {
    return fmt::format(
        "(has({0}.metadata.labels) && 'kueue.x-k8s.io/queue-name' in {0}.metadata.labels ? "
        "{0}.metadata.labels['kueue.x-k8s.io/queue-name'] : '')",
        object);
  };
  const std::string queued = queue("object") + " != ''";
  for (const char* operation : {"CREATE", "UPDATE"})
    add(key, who, "queues a Job on a pool of several that serve", "its quota is free while its pods still end", "batch",
        "jobs", operation,
        here + queued + (*operation == 'U' ? fmt::format(" && {} != {}", queue("object"), queue("oldObject")) : ""));
  some_grace(key, who, here);
}

}  // namespace gpol
