// What premises demand of queued Jobs, whether they ask for a device or not, and of what Kueue finds its pods by.
// Sources: Kueue's pkg/controller/jobframework/reconciler.go (a Job with a deletion timestamp is finished; one below
// another managed Job is left alone; a Job of a prebuilt Workload leaves its own to nobody) and integrationmanager.go
// isKnownOwner (how far up it looks), jobs/job/job_controller.go podsCount, ReclaimablePods, IsActive, Finished,
// jobs/pod/ pod_controller.go Skip; pkg/apis/batch/validation (what of a Job may change).
#include <string>
#include <vector>

#include <fmt/format.h>

#include "checker/families/demand_words.h"
#include "checker/families/doors.h"
#include "compiler/source/lookup.h"

namespace gpol {

namespace {

// The API server refuses annotations of more than 262,144 bytes in all (apimachinery pkg/api/validation
// TotalAnnotationSizeLimitB). A key has 317 at most, a character of CEL four; one value may be a whole manifest. What
// is left is for `kueue.x-k8s.io/stopping: "true"`, without which Kueue cannot suspend a Job.
constexpr int kAnnotations = 32, kCharacters = 1024, kManifest = 24'576, kKey = 253 + 1 + 63;
static_assert((kAnnotations - 1) * (kKey + 4 * kCharacters) + kKey + 4 * kManifest + kKey + 4 <= 262'144);
constexpr std::string_view kOfManifest = "kubectl.kubernetes.io/last-applied-configuration";

}  // namespace

// That nobody but `by` writes an entry of labels or annotations that Kueue goes by.
void DemandList::written(const std::string& who, const std::string& here, const std::string& by, const Entry& entry) {
  const std::string_view key = "admission-only";
  const std::size_t before = out_.size();
  const auto has = [&](const char* object) {
    return fmt::format("has({0}.metadata.{1}) && '{2}' in {0}.metadata.{1} && {0}.metadata.{1}['{2}'] != ''", object,
                       entry.map, entry.name);
  };
  const std::string same = fmt::format("{0} && oldObject.metadata.{1}['{2}'] == object.metadata.{1}['{2}']",
                                       has("oldObject"), entry.map, entry.name);
  const std::string group = entry.kind == "jobs" ? "batch" : "", kind(entry.kind);
  const std::string one = entry.kind == "jobs" ? "a Job" : "a pod", breaks(entry.breaks);
  add(key, who, fmt::format("creates {} with {} among its {}", one, entry.name, entry.map), breaks, group, kind,
      "CREATE", here + by + " && " + has("object"));
  std::vector<std::string> ways{kind};
  if (entry.kind == "pods") ways.emplace_back("pods/status");  // written with the rest of the metadata
  for (const std::string& way : ways)
    add(key, who, fmt::format("writes {} with {} among its {}", one, entry.name, entry.map), breaks, group, way,
        "UPDATE", here + by + " && " + fmt::format("{} && !({})", has("object"), same));
  // Kueue finds the pods that it is to end by their group.
  for (const std::string& way : ways)
    add(key, who, fmt::format("takes {} from the {} of {}", entry.name, entry.map, one), std::string(entry.lost), group,
        way, "UPDATE", here + fmt::format("{} && {} && !({})", by, has("oldObject"), has("object")));
  for (std::size_t i = before; i < out_.size(); ++i) out_[i].way = entry.way;
}

void DemandList::jobs_as_counted(const std::string& who, const std::string& here) {
  const std::string_view key = "admission-only";
  const std::string left = "Kueue counts its quota as free, and its pods run on";
  const std::string more = "its Job makes another one beside it, or Kueue does not evict it";
  const auto job = [&](const char* does, const std::string& breaks, const char* operation, const std::string& bad) {
    add(key, who, does, breaks, "batch", "jobs", operation, here + bad);
  };
  job("gives a queued Job another owner", "Kueue no longer stops it", "UPDATE",
      not_garbage_collector() +
          " && (has(object.metadata.ownerReferences) ? object.metadata.ownerReferences : []) != "
          "(has(oldObject.metadata.ownerReferences) ? oldObject.metadata.ownerReferences : [])");
  job("creates a Job below something that Kueue may manage later", "Kueue no longer stops it", "CREATE",
      "has(object.metadata.ownerReferences) && object.metadata.ownerReferences.exists(o, has(o.controller) && "
      "o.controller == true && o.kind != 'CronJob')");
  job("creates a queued Job with a selector of its own, and takes its pods out of it", more, "CREATE",
      "has(object.spec.manualSelector) && object.spec.manualSelector == true");
  job("creates a Job for another controller", left, "CREATE",
      "has(object.spec.managedBy) && object.spec.managedBy != 'kubernetes.io/job-controller'");
  for (const char* operation : {"CREATE", "UPDATE"}) {
    job("gives a queued Job a finalizer, and deletes it", left, operation,
        (*operation == 'U' ? not_ending() + " && " : "") +
            "has(object.metadata.finalizers) && object.metadata.finalizers.exists(f, f != 'foregroundDeletion')");
    job("queues a Job that runs more pods beside each other than it has to complete",
        "it is charged for as many as it has to complete, which change while it runs", operation,
        not_kueue() +
            " && has(object.spec.completions) && has(object.spec.parallelism) && "
            "object.spec.parallelism > object.spec.completions");
    out_.back().way = "parallelism-above-completions";
    const std::string full = not_kueue() + " && has(object.metadata.annotations) && ";
    const std::string stuck = "Kueue's annotation does not fit beside them, without which it cannot suspend the Job";
    job("gives a queued Job many annotations", stuck, operation,
        full + fmt::format("object.metadata.annotations.size() > {}", kAnnotations));
    job("gives a queued Job a long annotation", stuck, operation,
        full + fmt::format(
                   "object.metadata.annotations.exists(k, k != '{}' && object.metadata.annotations[k].size() > {})",
                   kOfManifest, kCharacters));
    job("gives a queued Job a manifest that is too long", stuck, operation,
        full + fmt::format("'{0}' in object.metadata.annotations && object.metadata.annotations['{0}'].size() > {1}",
                           kOfManifest, kManifest));
  }
  if (value_or(cluster_.config.gates, "ReclaimablePods", true))
    job("queues a Job of several pods, one of which ends", "Kueue gives back the quota of pods that still run",
        "CREATE", "has(object.spec.parallelism) && object.spec.parallelism > 1");
  add(key, who, "writes the status of a queued Job", left, "batch", "jobs/status", "UPDATE",
      here + not_kueue() + " && " + not_job_controller());
  const char* leaves = "deletes a queued Job and leaves its pods";
  job(leaves, left, "DELETE",
      "has(request.options.propagationPolicy) && request.options.propagationPolicy == 'Orphan'");
  job(leaves, left, "DELETE", "has(request.options.orphanDependents) && request.options.orphanDependents == true");
  // Which is what the API server does unless it is told otherwise (pkg/registry/batch/job/strategy.go).
  job("deletes a queued Job and says nothing of its pods", left, "DELETE",
      "!has(request.options.propagationPolicy) && !has(request.options.orphanDependents)");
  const std::string ignored = "nobody reconciles the Workload that it was admitted by: it is never evicted";
  for (const char* kind : {"jobs", "pods"})
    for (const char* map : {"labels", "annotations"})
      written(who, here, not_kueue(),
              {kind, map, "kueue.x-k8s.io/prebuilt-workload-name", ignored, ignored, "prebuilt-workload"});
  const auto managed = [](const char* object) { return metadata_entry(object, "labels", "kueue.x-k8s.io/managed"); };
  // jobs/pod/pod_webhook.go validateCommon, which is asked about pods and not about their status
  for (const char* annotation : {"pod-group-total-count", "podset-required-topology", "podset-preferred-topology",
                                 "podset-unconstrained-topology", "podset-slice-required-topology"})
    add(key, who, fmt::format("writes kueue.x-k8s.io/{} among the annotations of a pod with its status", annotation),
        "Kueue's webhook refuses every write to it from then on, and its Job's controller cannot end it", "",
        "pods/status", "UPDATE",
        here + fmt::format("has(object.metadata.annotations) && 'kueue.x-k8s.io/{0}' in object.metadata.annotations && "
                           "!(has(oldObject.metadata.annotations) && 'kueue.x-k8s.io/{0}' in "
                           "oldObject.metadata.annotations)",
                           annotation));
  // jobs/pod/pod_controller.go Finished: a group that serves never is, others are once as many pods as the group is
  // said to have succeeded.
  for (const char* name : {"pod-group-serving", "pod-group-total-count"}) {
    const auto value = [&](const char* object) {
      return metadata_entry(object, "annotations", std::string("kueue.x-k8s.io/") + name);
    };
    for (const char* way : {"pods", "pods/status"})
      add(key, who, fmt::format("changes the annotation kueue.x-k8s.io/{} of a pod", name),
          "Kueue takes its group for finished and counts its quota as free, and the others run on", "", way, "UPDATE",
          fmt::format("{0}{1} && {2} != '' && {2} != {3}", here, not_kueue(), value("oldObject"), value("object")));
  }
  for (const char* way : {"pods", "pods/status"})
    add(key, who, "changes the label kueue.x-k8s.io/managed of a pod", more, "", way, "UPDATE",
        fmt::format("{}{} && {} != {}", here, not_kueue(), managed("object"), managed("oldObject")));
}

bool bounds(const ResourceQuota& quota, const JobLimit& limit) {
  const auto most = quota.hard.find(kCountOfJobs);
  return quota.ns == limit.ns && most != quota.hard.end() && most->second <= limit.most;
}

// Sources: apiserver pkg/admission/plugin/resourcequota/resource_access.go (the API server adds up in the status what
// it lets in, under its own name), pkg/controller/resourcequota (which counts anew), plugin/pkg/auth/authorizer/rbac
// (who may be either).
void DemandList::bounded_jobs(const std::string& who, const std::string& here, std::string_view quota) {
  const std::string_view key = "jobs-bounded";
  const std::string more = "the controllers work through more Jobs than the times were measured with";
  const std::string this_one = fmt::format("oldObject.metadata.name == {}", quoted(quota));
  add(key, who, "raises how many Jobs its namespace may hold", more, "", "resourcequotas", "UPDATE",
      here + stranger("") + this_one);
  add(key, who, "deletes the ResourceQuota that counts Jobs", more, "", "resourcequotas", "DELETE",
      here + stranger("") + not_user("kube-system", "namespace-controller") + " && " + this_one);
  add(key, who, "writes that its namespace holds fewer Jobs", more, "", "resourcequotas/status", "UPDATE",
      here + not_user("kube-system", "resourcequota-controller") +
          " && request.userInfo.username != 'system:apiserver' && " + this_one);
}

}  // namespace gpol
