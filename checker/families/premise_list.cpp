// The closed list of premises, and how it is told: one row each. They are judged in premises.cpp (policies) and
// given.cpp (manifests).
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "checker/families/premises.h"

namespace gpol {
namespace {

// What `verify --strict` says to do about a premise that nothing among the manifests keeps, and no guard of `build`.
constexpr std::string_view kSomebody = "{by} would enforce it ({page}); or leave out --strict";
constexpr std::string_view kNothingCan = "{by} can enforce it ({page}): leave out --strict to trust it";
constexpr std::string_view kPipeline =
    "no object can: it is for whoever applies the manifests ({page}); leave out --strict to trust it";

constexpr std::array<Premise, 29> kPremises = {{
    {.key = "admission-only",
     .text = "no pod asks for a GPU, and no pod of a tenant stands on the nodes of a pool, that Kueue did not admit; "
             "daemons and exempt namespaces apart",
     .enforceable_by = "a guard on pods and Jobs",
     .enforce = kLetGuardsDeny,
     .ground = &ground::kAlways,
     .scheduler = Premise::Of::Kueue},
    {.key = "objects-unchanged",
     .text = "nobody but the pipeline writes the objects that gpol emits, and no other queue uses their cohorts or "
             "flavors",
     .text_of_manifests = "nobody but the pipeline writes these objects, and no other queue joins them",
     .enforceable_by = "a guard on Kueue's objects, once `writers` are named,",
     .enforce = "name the `writers` of the cluster, so that a guard keeps everybody else out",
     .ground = &ground::kAlways,
     .scheduler = Premise::Of::Kueue},
    {.key = "placed-by-volcano",
     .text = "no pod asks for a GPU, and no pod of a tenant stands on the nodes of a pool, that Volcano did not place "
             "for the queue which the tenant has there; daemons and exempt namespaces apart",
     .enforceable_by = "a guard on pods",
     .enforce = kLetGuardsDeny,
     .ground = &ground::kOnVolcano,
     .scheduler = Premise::Of::Volcano},
    {.key = "volcano-queues-unchanged",
     .text = "nobody but the pipeline writes the Queues that gpol emits, gives them children or closes them; in each "
             "stand PodGroups of its own tenant alone, and none in `root`",
     .enforceable_by = "a guard on Queues and PodGroups, once `writers` are named,",
     .enforce = "name the `writers` of the cluster, so that a guard keeps everybody else out",
     .ground = &ground::kOnVolcano,
     .scheduler = Premise::Of::Volcano},
    {.key = "volcano-as-emitted",
     .text =
         "Volcano runs in the stated version, as `volcano-scheduler` and `volcano-controllers` in `volcano-system`, "
         "with the emitted configuration of its scheduler, for all nodes; the Queue `root` bounds nothing "
         "(`capability`); no Queue of another team lacks its parent, stands below itself or more than five levels "
         "below `root`, and no PodGroup stands in a Queue that has children; nobody weakens the guards, and nothing "
         "is left from before them that they would refuse",
     .enforceable_by = "the pipeline",
     .remedy_of_manifests = kPipeline,
     .ground = &ground::kOnVolcano,
     .scheduler = Premise::Of::Volcano},
    {.key = "others-keep-off",
     .text =
         "exempt namespaces, and pods and Jobs elsewhere that are no tenant's and, as they are written, name no "
         "nvidia.com/gpu or mig device, send nothing to the nodes of a pool but daemons, and keep no pod off them; no "
         "queue of another team sends pods there; no "
         "PriorityClass is the default of pods but one of value 0, no RuntimeClass gives pods of tenants tolerations "
         "or an overhead, and no DeviceClass gives these devices another name",
     .enforceable_by = "whoever runs the cluster",
     .remedy_of_manifests = kNothingCan,
     .ground = &ground::kAlways,
     .taken = "whoever runs the cluster"},
    {.key = "guards-not-yet-denying",
     .text = "the guards deny: until the line `guard all audit` or `guard all warn` is taken out they tell what they "
             "would refuse, and refuse nothing",
     .enforceable_by = "`guard all deny`",
     .enforce = "take out the line `guard all`",
     .remedy_of_manifests = kPipeline,
     .ground = &ground::kOnRollOut,
     .taken = "the line `guard all` of the policy"},
    {.key = "controller-as-emitted",
     .text = "Kueue runs in the stated version with the emitted Configuration, nobody weakens the guards, and nothing "
             "is left from before them that they would refuse",
     .text_of_manifests = "Kueue runs in version {version} with the stated Configuration, defaults where none is "
                          "stated, and nobody weakens the guards",
     .enforceable_by = "the pipeline",
     .remedy_of_manifests = kPipeline,
     .ground = &ground::kAlways,
     .scheduler = Premise::Of::Kueue},
    {.key = "own-namespaces",
     .text = "only the tenant's namespaces can use its queue",
     .text_of_manifests = "only the namespaces that are meant can use a serving queue",
     .enforceable_by = "namespaceSelector by kubernetes.io/metadata.name",
     .enforce = "leave its `namespaceSelector` at `own`",
     .ground = &ground::kAlways,
     .scheduler = Premise::Of::Kueue},
    {.key = "nodes-as-declared",
     .text = "the nodes are at least those declared, labelled so, attach as many volumes as their pods ask for, run "
             "short of no local disk, memory or process ids, and give no container a device that its pod did not ask "
             "for; daemons take no more than their share of them, and never more than the tolerated number is lost",
     .enforceable_by = "a check of the nodes against the declaration",
     .remedy_of_manifests = kSomebody,
     .family = Family::Capacity,
     .ground = &ground::kOnNodes},
    {.key = "batch-leaves",
     .text = "batch pods carry at most the declared grace, no finalizers, and are of the listed job kinds only, and "
             "Kueue can stop what they belong to",
     .text_of_manifests = "what is evicted leaves: its pods end and free their quota",
     .enforceable_by = "a guard on batch pods",
     .enforce = kLetGuardsDeny,
     .ground = &ground::kOnEviction,
     .scheduler = Premise::Of::Kueue},
    {.key = "pods-do-not-preempt",
     .text = "kube-scheduler evicts no pod of serving queues, and none for batch: all their pods have priority 0",
     .text_of_manifests = "kube-scheduler evicts no pod of serving queues, and none for batch: what was not read of "
                          "their pods has priority 0",
     .enforceable_by = "a guard on the pods of tenants",
     .enforce = kLetGuardsDeny,
     .family = Family::Priority,
     .ground = &ground::kOnQueued,
     .scheduler = Premise::Of::Kueue},
    {.key = "outside-preempts",
     .text = "pods of a tenant that preempts have the priority of its class, and may preempt, and nobody but the "
             "control plane writes why a batch pod is disrupted",
     .enforceable_by = "a guard on its pods, and one on the status of batch's",
     .enforce = kLetGuardsDeny,
     .family = Family::Priority,
     .ground = &ground::kOnPreemption,
     .scheduler = Premise::Of::Kueue},
    {.key = "scheduler-as-upstream",
     .text = "kube-scheduler runs with its own plugins, and its preemption is not switched off",
     .enforceable_by = "the pipeline",
     .remedy_of_manifests = kPipeline,
     .family = Family::Priority,
     .ground = &ground::kOnPreemption},
    {.key = "batch-stays",
     .text = "while a tenant that preempts waits, nobody but kube-scheduler takes batch pods from its nodes, or evicts "
             "one that ends there already: no user, no Job for its own `backoffLimit`, `podFailurePolicy` or deadline, "
             "no other controller, not Kueue",
     .enforceable_by = "nothing in Kubernetes",
     .remedy_of_manifests = kNothingCan,
     .family = Family::Priority,
     .ground = &ground::kOnPreemption,
     .scheduler = Premise::Of::Kueue},
    {.key = "pods-repel-no-others",
     .text = "no pod of a tenant keeps pods of other namespaces off nodes by a required anti-affinity, nor by a node "
             "nominated for it, and none that serves asks for a port of its node",
     .enforceable_by = "a guard on pods",
     .enforce = kLetGuardsDeny,
     .family = Family::Placement,
     .ground = &ground::kOnNodes},
    {.key = "batch-runs-on",
     .text = "while a serving pod of the queue waits for a node, running pods there of batch and of other tenants are "
             "ended for serving alone: by no user, no update, no time limit and no other batch queue, which free their "
             "quota before their node",
     .enforceable_by = "nothing in Kubernetes",
     .remedy_of_manifests = kNothingCan,
     .family = Family::Fragmentation,
     .ground = &ground::kOnBeside,
     .scheduler = Premise::Of::Kueue},
    {.key = "shapes-kept",
     .text = "batch pods, and the replicas of serving tenants that share a pool, ask for as many GPUs as declared",
     .enforceable_by = "a guard on pods",
     .enforce = kLetGuardsDeny,
     .family = Family::Fragmentation,
     .ground = &ground::kOnShapes},
    {.key = "requests-as-declared",
     .text = "replicas of serving tenants that share a pool ask for the declared cpu and memory, or for the share that "
             "goes with their GPUs",
     .enforceable_by = "nothing that gpol emits",
     .remedy_of_manifests = kNothingCan,
     .family = Family::Fragmentation,
     .ground = &ground::kOnShared},
    {.key = "requests-within-share",
     .text =
         "each pod on nodes whose GPUs are cut asks for a slice at least, and batch there for no more cpu and memory "
         "than the part of the node that goes with its slices",
     .enforceable_by = "nothing that gpol emits",
     .remedy_of_manifests = kNothingCan,
     .family = Family::Fragmentation,
     .ground = &ground::kOnSlices},
    {.key = "mig-starts-carried-over",
     .text = "slices of these GPUs may begin where those of the A100 do: nobody is known to have listed the "
             "starts of this one (`nvidia-smi mig -lgipp` does)",
     .enforceable_by = "a look at one such GPU",
     .remedy_of_manifests = kSomebody,
     .family = Family::Partition,
     .ground = &ground::kOnCarriedStarts,
     .taken = "the catalogue of GPU models"},
    {.key = "priorities-pinned",
     .text =
         "batch workloads use no priority class but their own, which is below every serving one and below none at all",
     .enforceable_by = "a guard on the priority-class label",
     .enforce = kLetGuardsDeny,
     .family = Family::Priority,
     .ground = &ground::kOnPriorities,
     .scheduler = Premise::Of::Kueue},
    {.key = "serving-within-reserve",
     .text = "a serving tenant that may borrow asks for no more than its own reserve",
     .enforceable_by = "`borrow at most 0`, which is the safe pattern,",
     .enforce = "say `borrow at most 0` of the tenant",
     .ground = &ground::kOnServingWithin},
    {.key = "requests-balanced",
     .text =
         "the service behind a limit runs at all times as many replicas as its reserve holds, or as its `replicas` "
         "say, less those that an update takes away (`unavailable`), each of which does what is stated; the gateway's "
         "balancer finds one with a free stream while there "
         "is one, each proxy counts its limits exactly, and what waits at a proxy is taken whenever one of its streams "
         "ends; and a replica ends its work on what the gateway or the client has given up",
     .enforceable_by = "nothing that gpol emits",
     .remedy_of_manifests = kNothingCan,
     .family = Family::Gateway,
     .ground = &ground::kOnEdge},
    {.key = "routes-as-declared",
     .text =
         "each HTTPRoute that a limit names has one rule, one match, at most one hostname and one listener, neither "
         "retries, timeouts nor mirrors, and one backend that leads to the service of its tenant (others, by their "
         "weights, lead elsewhere); who asks through it has requests of the `class` that its limit names; no further "
         "HTTPRoute leads to that service, and where it does not say who reaches its pods (`from`), nobody does in "
         "another way; and the gateway never runs more proxies than the limit says",
     .enforceable_by = "whoever runs the gateway",
     .remedy_of_manifests = kNothingCan,
     .family = Family::Gateway,
     .ground = &ground::kOnEdge},
    {.key = "rate-limit-service",
     .text = "the gateway has a rate-limit service that counts every request of the route in one counter, and refuses "
             "what it cannot count (`failClosed`)",
     .enforceable_by = "whoever runs the gateway",
     .remedy_of_manifests = kNothingCan,
     .family = Family::Gateway,
     .ground = &ground::kOnSharedCount},
    {.key = "network-policies-enforced",
     .text =
         "the cluster's network enforces NetworkPolicies, the pods of a service that says who reaches them have the "
         "labels that it states, and no others do, no other NetworkPolicy lets anybody in to the pods of a "
         "service that says who reaches them, nobody on their nodes' own network opens connections to them, and no "
         "other pod in a namespace that `from` names has the label that it names",
     .enforceable_by = "whoever runs the cluster",
     .remedy_of_manifests = kNothingCan,
     .family = Family::Gateway,
     .ground = &ground::kOnCallers},
    {.key = "jobs-bounded",
     .text = "a namespace of batch holds at most as many Jobs as its tenant's `at most ... jobs` says",
     .enforceable_by = "a ResourceQuota, and once `writers` are named a guard on it,",
     .enforce = "name the `writers` of the cluster, so that a guard keeps everybody else from its ResourceQuota",
     .family = Family::Slo,
     .ground = &ground::kOnJobs},
    {.key = "times-hold",
     .text = "no step takes longer than its declared time constant, with as many Jobs and pods as there can be, which "
             "end and are begun anew all the time, and none fails for good because a Job or pod that queues is nearly "
             "as large as etcd takes, or a pod there has thousands of labels or annotations",
     .enforceable_by = "measurement",
     .remedy_of_manifests = kSomebody,
     .family = Family::Slo,
     .ground = &ground::kOnTimes},
}};

}  // namespace

std::span<const Premise> premises() { return kPremises; }

std::string premise_list() {
  std::string out = "| key | what is taken for granted | asked by | enforced by |\n|---|---|---|---|\n";
  for (const Premise& premise : kPremises)
    out += fmt::format("| `{}` | {} | {} | {} |\n", premise.key, premise.text, premise.ground->asked_by,
                       !premise.taken.empty()    ? "nobody: it is trusted without a line"
                       : premise.enforce.empty() ? "nobody: `trust` it"
                                                 : premise.enforceable_by);
  return out;
}

std::string premise_page(std::string_view key) {
  const auto found = std::ranges::find(kPremises, key, &Premise::key);
  if (found == kPremises.end()) return {};
  const std::string how =
      found->enforce.empty() ? "gpol has nothing that enforces it"
                             : fmt::format("enforced by: {}; if it is open: {}", found->enforceable_by, found->enforce);
  const std::string accepted =
      found->taken.empty() ? fmt::format(
                                 "A policy accepts it by a line with a reason and an owner:\n\n"
                                 "  trust {} because \"...\" by @owner\n\n",
                                 found->key)
                           : fmt::format("A policy needs no line for it: it is trusted to {}.\n\n", found->taken);
  return fmt::format(
      "premise {}\n\n"
      "  taken for granted: {}\n"
      "  asked by: {}\n"
      "  {}\n\n"
      "{}"
      "`gpol explain premises` lists all premises, `gpol explain GP1301` says what an open one means.\n",
      found->key, found->text, found->ground->asked_by, how, accepted);
}

}  // namespace gpol
