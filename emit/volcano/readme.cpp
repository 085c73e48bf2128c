// Sources (Volcano v1.15.1): pkg/scheduler/scheduler.go (the configuration is read again when its file changes),
// pkg/webhooks/admission/queues/validate (no Queue is deleted that has children), pkg/scheduler/cache (pods of a
// PodGroup whose Queue is gone are counted nowhere), pkg/controllers/podgroup (the PodGroup of a pod).
#include "emit/volcano/readme.h"

#include <fmt/format.h>

namespace gpol::volcano {

std::string configuration_text() {
  return "The scheduler's configuration, for whoever runs Volcano: "
         "`scheduler/volcano-scheduler-configmap.yaml` is a proposal, since it is one for all queues of the cluster; "
         "its "
         "comments say what it changes for others. What is there now:\n\n"
         "    kubectl -n volcano-system get configmap volcano-scheduler-configmap -o yaml\n\n"
         "The Queue `root` must have no `capability` (one that names cpu alone lets nobody have a GPU):\n\n"
         "    kubectl get queues.scheduling.volcano.sh root -o jsonpath='{.spec}'\n\n"
         "The proof needs the plugin `capacity` with `enableHierarchy: true`, and neither `proportion` nor "
         "`overcommit` "
         "nor the action `enqueue`. The scheduler reads the ConfigMap again by itself, within a minute or two:\n\n"
         "    kubectl apply --server-side --force-conflicts -f scheduler/volcano-scheduler-configmap.yaml\n\n";
}

std::string pods_text(const Planned& planned) {
  const Cluster& cluster = planned.cluster;
  std::string out =
      "## What the pods of a tenant carry\n\n"
      "Volcano gives a pod neither a queue nor a pool. In the template of a Deployment, StatefulSet or Job (a Volcano "
      "Job names its "
      "queue "
      "in `spec.queue` instead of the annotation), for each queue:\n\n";
  for (std::size_t q = 0; q < planned.intent.volcano_roles.size(); ++q) {
    const QueueRole& role = planned.intent.volcano_roles[q];
    if (role.kind == QueueRole::Kind::Inner || role.pool == kNone) continue;
    const Flavor& pool = cluster.flavors[role.pool];
    out += fmt::format(
        "```yaml\n# tenant {}, pool {}\nmetadata:\n  annotations:\n    scheduling.volcano.sh/queue-name: {}\nspec:\n"
        "  schedulerName: volcano\n  nodeSelector:\n",
        role.tenant, pool.name, cluster.volcano->queues[q].name);
    for (const auto& [key, value] : pool.node_labels) out += fmt::format("    {}: {}\n", key, value);
    out += "  tolerations:\n";
    for (const Toleration& t : pool.tolerations)
      out += fmt::format("  - {{key: {}, operator: {}, value: {}, effect: {}}}\n", t.key, t.op, t.value, t.effect);
    out += "```\n\n";
  }
  return out +
         "The queue `default`, which Volcano makes itself, has no `capability`. No proof needs one: what stands on the "
         "nodes of the pools is of tenants' queues (and daemons, and what whoever runs the cluster puts there). "
         "Whoever wants to bound `default` "
         "all "
         "the same lists first who is in which queue:\n\n"
         "    kubectl get podgroups.scheduling.volcano.sh -A "
         "-o custom-columns=NAMESPACE:.metadata.namespace,NAME:.metadata.name,QUEUE:.spec.queue\n\n"
         "and then lets it have no GPU, say; what runs there stays, and what comes later waits:\n\n"
         "    kubectl patch queues.scheduling.volcano.sh default --type merge "
         "-p '{\"spec\":{\"capability\":{\"nvidia.com/gpu\":\"0\"}}}'\n\n";
}

std::string back_text() {
  return "The same policy gives the same bytes: revert the commit of this directory, or build the policy of before, "
         "and "
         "apply as above. Then delete what only the newer build had (below). The scheduler's configuration goes back "
         "with its ConfigMap; labels and taints of nodes stay until somebody takes them off. Running pods are not "
         "evicted by a change of a Queue.\n\n"
         "In an emergency all guards are off with one command, until they are applied again; so long nothing is "
         "proven:\n\n"
         "    kubectl delete validatingadmissionpolicybindings -l app.kubernetes.io/managed-by=gpol\n";
}

std::string delete_text() {
  return "Applying deletes nothing. What an older build had and this one has not stays in the cluster until somebody "
         "deletes it, and a guard or Queue that stays goes on working: `git diff` of this directory shows what went. A "
         "pipeline that prunes deletes it by itself, but for Namespaces and Queues: these carry Argo CD's "
         "`Prune=false` "
         "and Flux's `prune: disabled`.\n\n"
         "**A Queue is deleted once no pod of it runs**, not before: pods that run on keep their GPUs, and no queue is "
         "charged for them. What is in it:\n\n"
         "    kubectl get podgroups.scheduling.volcano.sh -A "
         "-o custom-columns=NAMESPACE:.metadata.namespace,NAME:.metadata.name,QUEUE:.spec.queue\n\n"
         "By hand, in the name of one of the `writers` (`kubectl --as=WRITER`; guards refuse everybody else): first "
         "the "
         "Queues without children, then those above them, bindings of guards, guards. **A Namespace that went is not "
         "to "
         "be deleted but by its owner**: everything in it goes with it. What gpol wrote carries the label "
         "`app.kubernetes.io/managed-by: gpol`:\n\n"
         "    kubectl get queues.scheduling.volcano.sh,validatingadmissionpolicies,validatingadmissionpolicybindings "
         "-l app.kubernetes.io/managed-by=gpol\n";
}

}  // namespace gpol::volcano
