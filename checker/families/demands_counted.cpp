// What premises demand so that Kueue counts of a workload what runs of it: it looks once, and in few places.
#include <algorithm>

#include <fmt/format.h>

#include "checker/families/demand_words.h"
#include "checker/families/doors.h"

namespace gpol {

std::string DemandList::stranger(std::string those) const {
  for (const Writer& writer : intent_.writers)
    those += writer.group ? fmt::format("!({} in request.userInfo.groups) && ", quoted(writer.name))
                          : fmt::format("request.userInfo.username != {} && ", quoted(writer.name));
  return those;
}

// Sources: plugin/pkg/admission/limitranger and runtimeclass (what pods get that their Job has not); Kueue's
// pkg/controller/jobs/pod/pod_controller.go constructGroupPodSets, getRoleHash (a group is charged by its first pod of
// each role, and a pod says itself which role is its own); pkg/workloadslicing EnsureWorkloadSlices (of an elastic Job
// the counts are compared, not what a pod asks for).
void DemandList::counted_as_it_runs(bool queued, const std::string& who, const std::string& here) {
  const std::string_view key = "admission-only";
  const std::string more = "its next pods ask for more than Kueue counts";
  for (const char* operation : {"CREATE", "UPDATE"}) {
    add(key, "any user", "gives a RuntimeClass tolerations", "a Job that names it tolerates nothing, and its pods do",
        "node.k8s.io", "runtimeclasses", operation,
        stranger("") +
            "has(object.scheduling) && has(object.scheduling.tolerations) && object.scheduling.tolerations.size() > 0");
    add(key, "any user", "gives a RuntimeClass an overhead", more, "node.k8s.io", "runtimeclasses", operation,
        stranger("") + "has(object.overhead)");
    if (!queued) continue;
    add(key, who, "sets defaults of what containers ask for, once a Job is admitted", more, "", "limitranges",
        operation, here + stranger("") + "true");
    const std::string label = "kueue.x-k8s.io/pod-group-name";
    const std::string group = fmt::format("has(object.metadata.labels) && '{}' in object.metadata.labels", label);
    const std::string same = fmt::format(
        "has(oldObject.metadata.labels) && '{0}' in oldObject.metadata.labels && "
        "oldObject.metadata.labels['{0}'] == object.metadata.labels['{0}']",
        label);
    const bool creates = std::string_view(operation) == "CREATE";
    add(key, who, creates ? "creates a pod of a group" : "makes a pod one of another group",
        "Kueue charges a group by one pod of each role, and each pod says which is its own", "", "pods", operation,
        here + not_kueue() + " && " + (creates ? group : fmt::format("{} && !({})", group, same)));
    const auto gate = cluster_.config.gates.find("ElasticJobsViaWorkloadSlices");
    if (gate == cluster_.config.gates.end() || gate->second)
      add(key, who, "makes a Job elastic, and lets its pods ask for more later", more, "batch", "jobs", operation,
          here +
              "has(object.metadata.annotations) && 'kueue.x-k8s.io/elastic-job' in object.metadata.annotations && "
              "object.metadata.annotations['kueue.x-k8s.io/elastic-job'] == 'true'");
  }
}

}  // namespace gpol
