#include "checker/families/strangers.h"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/families/given.h"
#include "checker/kueue/forest.h"
#include "checker/nodes/placement_model.h"
#include "checker/nodes/standing.h"
#include "compiler/cluster/kueue_version.h"
#include "compiler/source/lookup.h"

namespace gpol {
namespace {

// Kinds that Kueue admits (by group and kind: others have a Job, too), and by what name `integrations.frameworks` turns
// each on (pkg/controller/jobs). What a CronJob makes is a Job.
struct Framework {
  std::string_view group, kind, name;
  bool shipped = true;   // turned on in the Configuration that Kueue is shipped with
  bool of_pods = false;  // and only since ships_pod_frameworks()
};
constexpr Framework kFrameworks[] = {
    {"workload.codeflare.dev", "AppWrapper", "workload.codeflare.dev/appwrapper"},
    {"batch", "CronJob", "batch/job"},
    {"apps", "Deployment", "deployment", true, true},
    {"kubeflow.org", "JAXJob", "kubeflow.org/jaxjob", false},
    {"batch", "Job", "batch/job"},
    {"jobset.x-k8s.io", "JobSet", "jobset.x-k8s.io/jobset"},
    {"leaderworkerset.x-k8s.io", "LeaderWorkerSet", "leaderworkerset.x-k8s.io/leaderworkerset", true, true},
    {"kubeflow.org", "MPIJob", "kubeflow.org/mpijob"},
    {"kubeflow.org", "PaddleJob", "kubeflow.org/paddlejob", false},
    {"", "Pod", "pod", true, true},
    {"kubeflow.org", "PyTorchJob", "kubeflow.org/pytorchjob", false},
    {"ray.io", "RayCluster", "ray.io/raycluster"},
    {"ray.io", "RayJob", "ray.io/rayjob"},
    {"ray.io", "RayService", "ray.io/rayservice"},
    {"sparkoperator.k8s.io", "SparkApplication", "sparkoperator.k8s.io/sparkapplication", false},
    {"apps", "StatefulSet", "statefulset", true, true},
    {"kubeflow.org", "TFJob", "kubeflow.org/tfjob", false},
    {"trainer.kubeflow.org", "TrainJob", "trainer.kubeflow.org/trainjob"},
    {"kubeflow.org", "XGBoostJob", "kubeflow.org/xgboostjob", false},
};

// A DaemonSet, or a pod of one, or of the node itself (static): what they take is taken off the Nodes.
bool of_every_node(const PodFacts& pods) {
  return pods.kind == "DaemonSet" || pods.owner.find("/DaemonSet/") != std::string::npos ||
         pods.owner.starts_with("/Node/");
}

std::string_view vendor(std::string_view resource) { return resource.substr(0, resource.find('/')); }

class Strangers {
 public:
  // On the nodes of these flavors only.
  Strangers(const Cluster& cluster, const Intent& intent, std::set<std::uint32_t> flavors,
            std::span<const NodeFacts> nodes, bool configured)
      : cluster_(cluster), intent_(intent), nodes_(nodes), flavors_(std::move(flavors)) {
    if (configured) turned_on_ = frameworks_on(cluster_.config, true);
  }
  Strangers(const Proof& proof, std::span<const NodeFacts> nodes, bool configured)
      : Strangers(proof.cluster, proof.intent, {}, nodes, configured) {
    for (std::size_t q = 0; q < intent_.roles.size(); ++q)
      if (promised(intent_.roles[q]))
        for (const ResourceGroup& group : cluster_.queues[q].groups) stands(group);
    for (const OutsideReserve& tenant : intent_.outside)
      if (promised(tenant)) {
        flavors_.insert(tenant.flavor);
        for (std::size_t r = 0; r < tenant.reserve.size(); ++r)
          if (tenant.reserve[r] > 0) covers(cluster_.resources[r]);
      }
  }

  std::optional<Stranger> judge(const PodFacts& pods) const {
    if (pods.class_c && !nodes_.empty()) return std::nullopt;  // capacity counts it
    const auto reason = not_queued(pods);
    if (!reason || !may_stand(pods)) return std::nullopt;
    Stranger found{&pods, nullptr, {}, reason->why, reason->remedy};
    if (pods.class_c) found.remedy = "give the Nodes, too, so that its devices are taken off them";
    if (pods.unread && vendors_.empty()) return std::nullopt;
    found.known = !pods.unread;
    if (pods.unread && pods.unread->asks) {
      found.asks = &pods.unread->at;
      return found;
    }
    for (const auto& [resource, ask] : pods.asks)
      if ((resource.empty() && !vendors_.empty()) || vendors_.contains(vendor(resource))) {
        found.asks = &ask, found.resource = resource;
        return found;
      }
    return std::nullopt;
  }

  // Of pods that ask for no device: they are sent to the nodes of a flavor, or stand there where batch runs, and take
  // something else of which serving counts on.
  std::optional<Stranger> judge_room(const PodFacts& pods, const std::set<std::string>& batch) const {
    if (!pods.asks.empty() || pods.class_c || pods.unread || of_every_node(pods)) return std::nullopt;
    const bool sent = std::ranges::any_of(queued_, [&](std::uint32_t f) {
      const auto& labels = cluster_.flavors[f].node_labels;
      return !labels.empty() && nodes::selects(labels, pods.node_selector);
    });
    if (!sent && (pods.node.empty() || !batch.contains(pods.ns))) return std::nullopt;
    const auto reason = not_queued(pods);
    if (queued_.empty() || !reason || !may_stand(pods)) return std::nullopt;
    for (const auto& [resource, ask] : pods.needs)
      if (covered_.contains(resource)) return Stranger{&pods, &ask, resource, reason->why, reason->remedy};
    return std::nullopt;
  }

  bool takes_room(const PodFacts& pods) const { return not_queued(pods) && may_stand(pods); }

  struct Reason {
    std::string why, remedy;
  };
  // Nothing: Kueue lets its pods in, or keeps them waiting.
  std::optional<Reason> not_queued(const PodFacts& pods) const {
    if (managed(cluster_, pods.ns) == false)
      return Reason{fmt::format("Kueue does not manage the namespace `{}`", pods.ns),
                    "run it in a namespace that `managedJobsNamespaceSelector` lets in"};
    const std::string_view framework = framework_of(pods);
    const bool taken = cluster_.config.manage_jobs_without_queue_name ||
                       std::ranges::any_of(cluster_.local_queues, [&](const LocalQueue& l) {
                         return l.name == "default" && l.ns == pods.ns;  // jobframework/defaults.go
                       });
    // FindAncestorJobManagedByKueue of pkg/controller/jobframework/reconciler.go
    const auto version = parse_kueue_version(cluster_.config.version);
    const bool by_name = pods.forged == PodFacts::Forged::Uid && version && *version < KueueVersion{0, 19, 2};
    if ((pods.forged == PodFacts::Forged::Kind || by_name) && (pods.owner_queues || taken))
      return Reason{"names an owner that did not make it, with which Kueue takes it to be counted",
                    "take the owner out of its `ownerReferences`, and label it with `kueue.x-k8s.io/queue-name`"};
    if ((pods.queue_of_object && on(framework)) || (pods.queue_of_pods && on("pod"))) return std::nullopt;
    if (taken && (on(framework) || on("pod"))) return std::nullopt;
    if (!pods.queue_of_object && !pods.queue_of_pods && framework.empty())
      return Reason{
          "names no queue",
          "label its pods with `kueue.x-k8s.io/queue-name`, by its pod template or as its controller hands labels on"};
    if (!pods.queue_of_object && !pods.queue_of_pods)
      return framework == "batch/job" && pods.kind == "CronJob"
                 ? Reason{"its Jobs name no queue", "label its `jobTemplate` with `kueue.x-k8s.io/queue-name`"}
                 : Reason{"names no queue", "label it with `kueue.x-k8s.io/queue-name`"};
    if (framework.empty() && !pods.queue_of_pods)
      return Reason{"is of a kind that Kueue does not queue",
                    "label its pod template with `kueue.x-k8s.io/queue-name`"};
    const std::string_view off = pods.queue_of_object && !framework.empty() ? framework : "pod";
    return Reason{fmt::format("the frameworks of the Configuration are without `{}`", off),
                  fmt::format("add `{}` to `integrations.frameworks`", off)};
  }

 private:
  void stands(const ResourceGroup& group) {
    for (const FlavorQuotas& row : group.flavors) flavors_.insert(row.flavor), queued_.insert(row.flavor);
    for (const std::uint32_t r : group.covered) covers(cluster_.resources[r]), covered_.insert(cluster_.resources[r]);
  }

  // Slices, shares and whole devices of one vendor are cut from the same silicon, and what Kueue counts may be made of
  // other names (resources.transformations).
  void covers(std::string_view resource) {
    if (resource.find('/') != std::string_view::npos) vendors_.insert(vendor(resource));
    for (const Transformation& t : cluster_.config.transformations)
      if (t.outputs.contains(std::string(resource)) && t.input.find('/') != std::string::npos)
        vendors_.insert(vendor(t.input));
  }

  bool on(std::string_view framework) const {
    return !framework.empty() && (!turned_on_ || contains(*turned_on_, framework));
  }

  // On nodes of serving's flavors, or of a flavor of which no labels are known.
  bool may_stand(const PodFacts& pods) const {
    return std::ranges::any_of(flavors_, [&](std::uint32_t f) {
      const Flavor& flavor = cluster_.flavors[f];
      if (nodes_.empty())
        return nodes::agree(flavor.node_labels, pods.node_selector) && nodes::tolerates_all(pods, flavor.taints);
      return std::ranges::any_of(nodes_, [&](const NodeFacts& node) {
        return nodes::selects(flavor.node_labels, node.labels) && nodes::may_stand_on(pods, node);
      });
    });
  }

  const Cluster& cluster_;
  const Intent& intent_;
  std::span<const NodeFacts> nodes_;
  std::optional<std::vector<std::string>> turned_on_;  // absent: all, see frameworks_assumed()
  std::set<std::uint32_t> flavors_;
  std::set<std::uint32_t> queued_;      // of queues that serve; outside the queue see roommates()
  std::set<std::string_view> covered_;  // resources of theirs
  std::set<std::string_view> vendors_;  // of the devices that serving counts on
};

}  // namespace

std::string_view framework_of(const PodFacts& pods) {
  const auto known = std::ranges::find_if(
      kFrameworks, [&](const Framework& f) { return f.group == pods.group && f.kind == pods.kind; });
  return known == std::end(kFrameworks) ? std::string_view() : known->name;
}

std::vector<std::string> frameworks_on(const KueueConfig& config, bool configured) {
  std::vector<std::string> on = config.frameworks;
  if (!configured) {
    on.clear();
    for (const Framework& f : kFrameworks)
      if (f.shipped) on.emplace_back(f.name);
  }
  // ImplicitlyEnabledFrameworkNames of pkg/controller/jobs/*/*_controller.go.
  for (const char* one : {"deployment", "statefulset", "leaderworkerset.x-k8s.io/leaderworkerset"})
    if (contains(on, one)) on.emplace_back("pod");
  if (on.empty()) on = {"batch/job"};  // the default of an empty list
  return on;
}

std::string frameworks_assumed(const KueueConfig& config, std::span<const PodFacts> pods) {
  const bool ships_pods = ships_pod_frameworks(config.version);
  std::set<std::string_view> words;
  for (const PodFacts& one : pods)
    if (one.queue_of_object && !one.asks.empty())
      for (const Framework& f : kFrameworks)
        if ((!f.shipped || (f.of_pods && !ships_pods)) && f.group == one.group && f.kind == one.kind)
          words.insert(f.name);
  return words.empty() ? std::string() : fmt::format("`{}`", fmt::join(words, "`, `"));
}

bool manages_others(const Cluster& cluster, bool configured) {
  constexpr std::string_view kOwn[] = {"batch/job", "deployment", "pod", "statefulset"};
  const auto& on = cluster.config.frameworks;
  return !configured ||
         std::ranges::any_of(on, [&](const std::string& framework) { return !contains(kOwn, framework); });
}

std::vector<Stranger> strangers(const Proof& proof, std::span<const PodFacts> pods, std::span<const PodFacts> rooms,
                                std::span<const NodeFacts> nodes, bool configured) {
  const Strangers judge(proof, nodes, configured);
  std::vector<Stranger> found;
  for (const PodFacts& one : pods)
    if (auto stranger = judge.judge(one)) found.push_back(*std::move(stranger));
  const auto batch = namespaces_of_batch(proof.cluster, proof.intent);
  for (const PodFacts& one : rooms)
    if (auto stranger = judge.judge_room(one, batch)) found.push_back(*std::move(stranger));
  // What is known to break the proof needs no doubts beside it, and one is enough.
  std::set<std::string> told;
  const auto name_of = [](const Stranger& one) {
    return fmt::format("{}/{}/{}", one.pods->group, one.pods->kind, one.pods->name);
  };
  for (const Stranger& one : found)
    if (one.known) told.insert(name_of(one));
  std::erase_if(found, [&](const Stranger& one) { return !one.known && !told.insert(name_of(one)).second; });
  return found;
}

const PodFacts* roommate(const Cluster& cluster, const Intent& intent, std::uint32_t flavor,
                         std::span<const PodFacts> rooms, std::span<const NodeFacts> nodes, bool configured) {
  const Strangers judge(cluster, intent, {flavor}, nodes, configured);
  return find_where(rooms, [&](const PodFacts& one) {
    return (one.unread || !(of_every_node(one) || one.room.empty())) && judge.takes_room(one);
  });
}

std::vector<const PodFacts*> take_daemons(std::span<const PodFacts> rooms, const Cluster& cluster, const Intent& intent,
                                          bool configured, std::vector<NodeFacts>& nodes) {
  const Strangers judge(cluster, intent, {}, nodes, configured);
  std::vector<const PodFacts*> taken;
  for (const PodFacts& one : rooms) {
    if (!of_every_node(one) || one.unread || !judge.not_queued(one)) continue;
    bool any = false;
    for (NodeFacts& node : nodes) {
      if (!nodes::may_stand_on(one, node)) continue;
      auto room = one.room;
      room["pods"] = 1;
      for (const auto& [resource, amount] : room) {
        const auto has = node.allocatable.find(resource);
        if (has == node.allocatable.end() || amount == 0 || one.asks.contains(resource)) continue;
        has->second = amount > has->second ? 0 : has->second - amount;
        node.daemons[resource].insert(fmt::format("{} `{}`", one.kind, one.name));
        any = true;
      }
    }
    if (any) taken.push_back(&one);
  }
  return taken;
}

}  // namespace gpol
