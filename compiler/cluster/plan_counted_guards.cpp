// Guards that what Kueue counts of a Job or a pod is what runs of it, and that it can end it: all of them in the
// namespaces where it queues, whether a device is asked for or not. What waits has no toleration yet, and the quota of
// cpu, memory and pods is lent as well.
#include <fmt/format.h>

#include "compiler/cluster/guard_parts.h"

namespace gpol {

namespace {

using namespace guards;

constexpr const char* kPrebuilt = "kueue.x-k8s.io/prebuilt-workload-name";  // a label, and an annotation
// What `kubectl apply` keeps of a Job is its manifest.
constexpr const char* kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";
constexpr int kAnnotations = 32, kAnnotation = 1024, kLongest = 24'576;

// As it was, and none at first.
std::string kept(const std::string& now, const std::string& before) {
  return fmt::format("{} == (request.operation == 'UPDATE' ? {} : '')", now, before);
}

std::string kept_prebuilt() {
  return fmt::format("{} || ({} && {})", user_is(kKueue),
                     kept(label("object", kPrebuilt), label("oldObject", kPrebuilt)),
                     kept(annotation("object", kPrebuilt), annotation("oldObject", kPrebuilt)));
}

// Each of Kueue's annotations that one has, the other has as well.
std::string kept_notes(const char* now, const char* before) {
  return fmt::format(
      "!has({0}.metadata.annotations) || {0}.metadata.annotations.all(k, !k.startsWith('kueue.x-k8s.io/') || "
      "(has({1}.metadata.annotations) && k in {1}.metadata.annotations && "
      "{1}.metadata.annotations[k] == {0}.metadata.annotations[k]))",
      now, before);
}

void plan_jobs(const std::vector<std::string>& namespaces, Span span, Planned& out) {
  // Kueue takes a Job that is being deleted for finished (reconciler.go loadJob), and no longer stops one that has
  // another managed Job for its owner; its pods run on unless its deletion takes them along.
  add(Guard("gpol-jobs-keep-pods", rule("batch", {"jobs"}, {"CREATE", "UPDATE"}), namespaces)
          .demand(fmt::format("request.operation != 'UPDATE' || {} || {}", kSameOwners, user_is(kGarbageCollector)),
                  "a queued Job keeps its owner")
          // What it is below may get an owner of its own later, as a ReplicaSet does that a Deployment adopts. Kueue
          // looks no further up than a CronJob (jobframework/integrationmanager.go isKnownOwner).
          .demand("request.operation != 'CREATE' || !has(object.metadata.ownerReferences) || "
                  "object.metadata.ownerReferences.all(o, !has(o.controller) || !o.controller || o.kind == 'CronJob')",
                  "a queued Job has no controller but a CronJob")
          .demand(fmt::format("!has(object.metadata.finalizers) || "
                              "object.metadata.finalizers.all(f, f == 'foregroundDeletion') || {}",
                              ends_it()),
                  "a queued Job carries no finalizer of its own")
          .demand(fmt::format("!has(object.spec.manualSelector) || !object.spec.manualSelector || {}", ends_it()),
                  "a queued Job finds its pods by the selector that it is given"),
      span, out);
  add(Guard("gpol-jobs-run-as-counted", rule("batch", {"jobs"}, {"CREATE", "UPDATE"}), namespaces)
          // Kueue counts the smaller of the two when it looks (jobs/job/job_controller.go podsCount), and the other may
          // become smaller or larger while it runs.
          .demand(fmt::format("!has(object.spec.completions) || !has(object.spec.parallelism) || "
                              "object.spec.parallelism <= object.spec.completions || {}",
                              user_is(kKueue)),
                  "a queued Job runs no more pods beside each other than it has to complete: parallelism is at most "
                  "completions")
          // A Workload that another name was written over is reconciled by nobody, and its Job never stopped
          // (jobframework/reconciler.go ensureOneWorkload).
          .demand(kept_prebuilt(), fmt::format("{} is written by Kueue alone", kPrebuilt))
          // To stop a Job Kueue adds an annotation (jobs/job/job_controller.go Stop), and the API server takes 262,144
          // bytes of them in all (apimachinery pkg/api/validation ValidateAnnotations).
          .demand(fmt::format("{0} || !has({1}) || ({1}.size() <= {2} && {1}.all(k, {1}[k].size() <= "
                              "(k == '{3}' ? {4} : {5})))",
                              user_is(kKueue), "object.metadata.annotations", kAnnotations, kLastApplied, kLongest,
                              kAnnotation),
                  fmt::format("a queued Job has {} annotations at most, of {} characters each ({}: of {})",
                              kAnnotations, kAnnotation, kLastApplied, kLongest))
          // Another controller would write its status, and its pods.
          .demand(
              fmt::format("!has(object.spec.managedBy) || object.spec.managedBy == 'kubernetes.io/job-controller' || "
                          "{}",
                          ends_it()),
              "a queued Job is managed by the Job controller"),
      span, out);
  // By its status Kueue knows whether a Job still has pods, and whether it has ended (pkg/controller/jobs/job
  // IsActive, Finished). Kueue itself takes the start time out of it.
  add(Guard("gpol-jobs-keep-status", rule("batch", {"jobs/status"}, {"UPDATE"}), namespaces)
          .demand(fmt::format("{} || {}", user_is(kJobController), user_is(kKueue)),
                  "the status of a queued Job is written by its controller"),
      span, out);
  add(Guard("gpol-jobs-take-pods-along", rule("batch", {"jobs"}, {"DELETE"}), namespaces)
          // Without a word of them they stay (pkg/registry/batch/job/strategy.go DefaultGarbageCollectionPolicy).
          .demand("(has(request.options.propagationPolicy) && "
                  "request.options.propagationPolicy in ['Background', 'Foreground'] && "
                  "(!has(request.options.orphanDependents) || !request.options.orphanDependents)) || "
                  "(!has(request.options.propagationPolicy) && has(request.options.orphanDependents) && "
                  "!request.options.orphanDependents)",
                  "a queued Job is deleted with its pods: say propagationPolicy Background or Foreground"),
      span, out);
}

void plan_pods(const std::vector<std::string>& namespaces, Span span, Planned& out) {
  add(Guard("gpol-pods-run-as-counted", rule("", {"pods"}, {"CREATE", "UPDATE"}), namespaces)
          .demand(kept_prebuilt(), fmt::format("{} is written by Kueue alone", kPrebuilt))
          // Kueue leaves alone, and never ends, what has lost it (jobs/pod/pod_controller.go Skip).
          .demand(fmt::format("request.operation != 'UPDATE' || {} || {}", user_is(kKueue), same_label(kManagedLabel)),
                  fmt::format("a pod keeps its label {}", kManagedLabel))
          // Without them it takes the Workload of a StatefulSet for finished while its pods run
          // (jobs/pod/pod_controller.go Finished).
          .demand(fmt::format("request.operation != 'UPDATE' || {} || {}", user_is(kKueue),
                              kept_notes("oldObject", "object")),
                  "a pod keeps the annotations kueue.x-k8s.io/... that it has"),
      span, out);
  // Who may write a pod's status writes its labels, annotations and finalizers along (pkg/registry/core/pod/strategy.go
  // podStatusStrategy), which the guards on pods are not asked about.
  Guard status("gpol-pods-status-changes-nothing-else");
  status.about(rule("", {"pods/status"}, {"UPDATE"})).in(namespaces);
  const std::string said = "what a pod is found and counted by is not written with its status";
  for (const char* key : {kJobLabel, kManagedLabel, kGroup, kPrebuilt, kPriorityLabel})
    status.demand(same_label(key), said);
  // Kueue's webhook is not asked about a status either, and then refuses every write to a pod whose annotations say
  // what it does not accept (jobs/pod/pod_webhook.go validateCommon): also that by which the Job controller lets the
  // pod end.
  status.demand(kept_notes("object", "oldObject"), said).demand(kept_notes("oldObject", "object"), said);
  status.demand(
      "(has(object.metadata.finalizers) ? object.metadata.finalizers : []) == "
      "(has(oldObject.metadata.finalizers) ? oldObject.metadata.finalizers : [])",
      "no finalizer is written with a pod's status");
  add(std::move(status), span, out);
}

}  // namespace

void plan_counted_guards(const Policy& policy, const std::vector<std::string>& namespaces, Planned& out) {
  plan_jobs(namespaces, policy.cluster_span, out);
  plan_pods(namespaces, policy.cluster_span, out);
}

}  // namespace gpol
