// The closed list of premises, and how it is told. What each of them rests on is judged in premises.cpp.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "checker/families/premises.h"

namespace gpol {
namespace {

constexpr std::array<Premise, 18> kPremises = {{
    {"admission-only", "no pod uses a GPU, or stands on the nodes of a pool, that Kueue did not admit; daemons apart",
     "a guard on pods and Jobs", "let its guards deny", Family::Bypass, Rests::Always},
    {"objects-unchanged", "nobody but the pipeline writes the objects that gpol emits, and no other queue joins them",
     "a guard on Kueue's objects, once `writers` are named,",
     "name the `writers` of the cluster, so that a guard keeps everybody else out", Family::Bypass, Rests::Always},
    {"controller-as-emitted",
     "Kueue runs in the stated version with the emitted Configuration, nobody weakens the guards, and nothing is left "
     "from before them that they would refuse",
     "the pipeline", "", Family::Bypass, Rests::Always},
    {"own-namespaces", "only the tenant's namespaces can use its queue",
     "namespaceSelector by kubernetes.io/metadata.name", "leave its `namespaceSelector` at `own`", Family::Bypass,
     Rests::Always},
    {"nodes-as-declared",
     "the nodes are at least those declared, labelled so, attach as many volumes as their pods ask for, run short of "
     "no local disk, memory or process ids, and give no container a device that its pod did not ask for; daemons take "
     "no more than their share of them, and never more than the tolerated number is lost",
     "a check of the nodes against the declaration", "", Family::Capacity, Rests::OnNodes},
    {"batch-leaves",
     "batch pods carry at most the declared grace, no finalizers, and are of the listed job kinds only, and Kueue can "
     "stop "
     "what they belong to",
     "a guard on batch pods", "let its guards deny", Family::Bypass, Rests::OnEviction},
    {"pods-do-not-preempt",
     "kube-scheduler evicts no pod of serving queues, and none for batch: all their pods have priority 0",
     "a guard on the pods of tenants", "let its guards deny", Family::Priority, Rests::OnQueued},
    {"outside-preempts",
     "pods of a tenant that preempts have the priority of its class, and may preempt, and nobody but the control plane "
     "writes why a batch pod is disrupted",
     "a guard on its pods, and one on the status of batch's", "let its guards deny", Family::Priority,
     Rests::OnPreemption},
    {"scheduler-as-upstream", "kube-scheduler runs with its own plugins, and its preemption is not switched off",
     "the pipeline", "", Family::Priority, Rests::OnPreemption},
    {"batch-stays",
     "while a tenant that preempts waits, nobody but kube-scheduler takes batch pods from its nodes, or evicts one "
     "that "
     "ends there already: no user, no Job for its own `backoffLimit`, `podFailurePolicy` or deadline, no other "
     "controller, not Kueue",
     "nothing in Kubernetes", "", Family::Priority, Rests::OnPreemption},
    {"pods-repel-no-others",
     "no pod keeps pods of other namespaces off nodes by a required anti-affinity, nor by a node nominated for it, and "
     "none that serves asks for a port of its node",
     "a guard on pods", "let its guards deny", Family::Placement, Rests::OnNodes},
    {"batch-runs-on",
     "while a serving pod of the queue waits for a node, running pods there of batch and of other tenants are ended "
     "for "
     "serving alone: by no user, no update, no time limit and no other batch queue, which free their quota before "
     "their "
     "node",
     "nothing in Kubernetes", "", Family::Fragmentation, Rests::OnBeside},
    {"shapes-kept",
     "batch pods, and the replicas of serving tenants that share a pool, ask for as many GPUs as declared",
     "a guard on pods", "let its guards deny", Family::Fragmentation, Rests::OnShapes},
    {"requests-as-declared",
     "replicas of serving tenants that share a pool ask for the declared cpu and memory, or for the share that goes "
     "with their GPUs",
     "nothing that gpol emits", "", Family::Fragmentation, Rests::OnShared},
    {"priorities-pinned",
     "batch workloads use no priority class but their own, which is below every serving one and below none at all",
     "a guard on the priority-class label", "let its guards deny", Family::Priority, Rests::OnPriorities},
    {"serving-within-reserve", "a serving tenant that may borrow asks for no more than its own reserve",
     "`borrow at most 0`, which is the safe pattern,", "say `borrow at most 0` of the tenant", Family::Bypass,
     Rests::OnServingWithin},
    {"jobs-bounded", "a namespace of batch holds at most as many Jobs as its tenant's `at most ... jobs` says",
     "a ResourceQuota, and once `writers` are named a guard on it,",
     "name the `writers` of the cluster, so that a guard keeps everybody else from its ResourceQuota", Family::Slo,
     Rests::OnJobs},
    {"times-hold",
     "no step takes longer than its declared time constant, with as many Jobs and pods as there can be, which end "
     "and are begun anew all the time, and none fails "
     "for good because a Job or pod that queues is nearly as large as etcd takes, or a pod there has thousands of "
     "labels or annotations",
     "measurement", "", Family::Slo, Rests::OnTimes},
}};

std::string_view asked_by(Rests rests) {
  switch (rests) {
    case Rests::Always:
      return "every proof for a serving tenant";
    case Rests::OnBeside:
      return "a deadline (class B) on nodes that batch, or another tenant that serves, may use, too";
    case Rests::OnQueued:
      return "every proof for a serving tenant that queues, or preempts";
    case Rests::OnNodes:
      return "every proof that looks at nodes";
    case Rests::OnTimes:
      return "a deadline (class B), or a loan's `back within`";
    case Rests::OnJobs:
      return "the same, where a tenant of batch says `at most ... jobs`";
    case Rests::OnEviction:
      return "a reserve that batch must leave";
    case Rests::OnPriorities:
      return "a deadline beside batch that lends quota of its own";
    case Rests::OnShapes:
      return "a `shape` of batch, and serving tenants that share a pool";
    case Rests::OnShared:
      return "serving tenants whose replicas find room on one node, or wait for victims together";
    case Rests::OnPreemption:
      return "a tenant that is `outside the queue, preempts batch`";
    case Rests::OnServingWithin:
      return "a reserve that is lent where another serving tenant may borrow";
  }
  return "";
}

}  // namespace

std::span<const Premise> premises() { return kPremises; }

std::string premise_list() {
  std::string out = "| key | what is taken for granted | asked by | enforced by |\n|---|---|---|---|\n";
  for (const Premise& premise : kPremises)
    out += fmt::format("| `{}` | {} | {} | {} |\n", premise.key, premise.text, asked_by(premise.rests),
                       premise.enforce.empty() ? "nobody: `trust` it" : premise.enforceable_by);
  return out;
}

std::string premise_page(std::string_view key) {
  const auto found =
      std::find_if(kPremises.begin(), kPremises.end(), [&](const Premise& premise) { return premise.key == key; });
  if (found == kPremises.end()) return {};
  const std::string how =
      found->enforce.empty() ? "gpol has nothing that enforces it"
                             : fmt::format("enforced by: {}; if it is open: {}", found->enforceable_by, found->enforce);
  return fmt::format(
      "premise {}\n\n"
      "  taken for granted: {}\n"
      "  asked by: {}\n"
      "  {}\n\n"
      "A policy accepts it by a line with a reason and an owner:\n\n"
      "  trust {} because \"...\" by @owner\n\n"
      "`gpol explain premises` lists all premises, `gpol explain GP1301` says what an open one means.\n",
      found->key, found->text, asked_by(found->rests), how, found->key);
}

}  // namespace gpol
