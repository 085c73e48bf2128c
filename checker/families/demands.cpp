// Sources: what Kueue gates and suspends, pkg/controller/jobs/pod/pod_webhook.go and jobs/job/job_webhook.go; of
// priorities kueue.md 4.1; the ways round admission, kueue.md 5. Nothing here is shared with what plans the guards.
#include "checker/families/demands.h"

#include <algorithm>
#include <functional>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/families/demand_words.h"
#include "checker/families/doors.h"
#include "checker/families/replicas.h"
#include "checker/guards/namespaces.h"
#include "compiler/cluster/taints.h"

namespace gpol {
namespace {

class List : private DemandList {
 public:
  List(const Cluster& cluster, const Intent& intent) : DemandList(cluster, intent) {}

  Demands all() {
    std::set<std::string> names;
    for (const Queue& queue : cluster_.queues) {
      Doors doors;
      doors.add(queue.namespaces);
      names.insert(doors.names.begin(), doors.names.end());
    }
    by_ = represented(cluster_, names);
    std::set<std::string> left_out;
    for (const auto& [name, by] : by_)
      if (name != by) left_out.insert(name);
    find_places();
    if (cluster_.volcano) return volcano(tenants_.any ? tenants_.who() : "", here_, anywhere_), ended({});

    admission_only();
    Doors queued;
    for (const Queue& queue : cluster_.queues) queued.add(queue.namespaces);
    objects_unchanged(queued.any, queued.all ? anywhere_ : queued.here(by_), by_);
    // All queues of batch at once, and those of one shape: a large cluster has thousands.
    Doors batch;
    std::map<std::pair<std::uint32_t, PodShape>, Doors> shapes;
    std::map<std::int64_t, Doors> graces;  // in seconds, of those that have one (batch_times.h)
    for (std::size_t q = 0; q < intent_.roles.size(); ++q) {
      if (intent_.roles[q].kind != QueueRole::Kind::Batch) continue;
      batch.add(cluster_.queues[q].namespaces);
      for (const auto& shape : intent_.roles[q].pod_shapes) shapes[shape].add(cluster_.queues[q].namespaces);
      const auto& grace = intent_.roles[q].grace ? intent_.roles[q].grace : intent_.batch.grace;
      if (grace) graces[grace->value / 1000].add(cluster_.queues[q].namespaces);
    }
    for (const auto& [seconds, doors] : graces) leaves_within(doors.who(), doors.here(by_), seconds);
    if (batch.any) {
      leaves(batch.who(), batch.here(by_));
      keeps_to_its_containers(batch.who(), batch.here(by_));
      priorities(batch.who(), batch.here(by_));
    }
    Doors serving;
    for (std::size_t q = 0; q < intent_.roles.size(); ++q)
      if (intent_.roles[q].kind == QueueRole::Kind::Serving) serving.add(cluster_.queues[q].namespaces);
    Doors served = serving;  // and those that serve outside the queue
    for (const OutsideReserve& tenant : intent_.outside) {
      served.names.insert(tenant.namespaces.begin(), tenant.namespaces.end());
      served.any = true;
    }
    if (served.any) takes_no_ports(served.who(), served.here(by_));
    if (tenants_.any) repels_nobody(tenants_.who(), here_);
    if (serving.any) serving_priorities(serving.who(), serving.here(by_), batch.any);
    std::set<std::int64_t> preempting;
    for (const OutsideReserve& tenant : intent_.outside) {
      if (!tenant.preempts_at) continue;
      preempts(tenant);
      preempting.insert(*tenant.preempts_at);
    }
    keeps_priority_classes(preempting);
    if (!preempting.empty() && batch.any) stays_marked(batch.who(), batch.here(by_));
    for (const auto& [key, doors] : shapes)
      shape(doors.who(), doors.here(by_), cluster_.flavors[key.first], key.second);
    job_limits();
    replicas();
    return ended(std::move(left_out));
  }

 private:
  Demands ended(std::set<std::string> left_out) {
    for (Demand& demand : out_) demand.in_listed = demand.bad.starts_with("request.namespace in [");
    return {std::move(out_), std::move(left_out)};
  }

  // A guard may look at what is a tenant's, and at what asks for a device, but nowhere where the cluster is run from.
  void find_places() {
    for (const Queue& queue : cluster_.queues) tenants_.add(queue.namespaces);
    for (const OutsideReserve& tenant : intent_.outside) {
      tenants_.names.insert(tenant.namespaces.begin(), tenant.namespaces.end());
      tenants_.any = true;
    }
    for (const volcano::QueueRole& role : intent_.volcano_roles)
      for (const std::string& ns : role.namespaces) by_.emplace(ns, ns), tenants_.names.insert(ns), tenants_.any = true;
    std::vector<std::string> exempt;
    for (const std::string& ns : intent_.exempt)
      if (!tenants_.names.contains(ns)) exempt.push_back(quoted(ns));
    if (!exempt.empty()) anywhere_ = fmt::format("!(request.namespace in [{}]) && ", fmt::join(exempt, ", "));
    here_ = tenants_.all ? anywhere_ : tenants_.here(by_);
  }

  // All namespaces at once whose quotas have one name.
  void job_limits() {
    std::map<std::string_view, Doors> quotas;
    for (const JobLimit& limit : intent_.job_limits)
      for (const ResourceQuota& quota : cluster_.resource_quotas) {
        if (!bounds(quota, limit)) continue;
        quotas[quota.name].names.insert(limit.ns);
        quotas[quota.name].any = true;
        break;
      }
    for (const auto& [quota, doors] : quotas) bounded_jobs(doors.who(), doors.here(by_), quota);
  }

  // Of the same size at once, too.
  void replicas() {
    std::map<PodShape, Doors> sizes;
    const auto shared = beside_other_serving(cluster_, intent_);
    for (std::size_t q = 0; q < intent_.roles.size(); ++q)
      if (const auto devices = devices_in(cluster_, intent_.roles[q].replica); shared[q] && devices)
        sizes[*devices].add(cluster_.queues[q].namespaces);
    for (const auto& [devices, doors] : sizes) replica(doors.who(), doors.here(by_), devices);
    Doors sharing;
    for (std::size_t q = 0; q < intent_.roles.size(); ++q)
      if (shared[q]) sharing.add(cluster_.queues[q].namespaces);
    if (sharing.any) holds_what_it_runs(sharing.who(), sharing.here(by_));
    std::map<std::int64_t, Doors> graces;
    const auto ends = serving_ends(cluster_, intent_);
    for (std::size_t q = 0; q < intent_.roles.size(); ++q)
      if (const auto& grace = intent_.roles[q].grace; grace && !ends[q].beside.empty())
        graces[grace->value / 1000].add(cluster_.queues[q].namespaces);
    for (const auto& [cap, doors] : graces)
      grace_at_most("admission-only", doors.who(), doors.here(by_), cap,
                    "its devices are held for longer than others count on, though its quota is free");
  }

  // Ways to tolerate a taint of the node pools: by its key, and by none. `X` stands for the pod's spec.
  std::vector<std::string> tolerations() const {
    std::set<std::string> keys;
    for (const NodePool& pool : cluster_.node_pools)
      for (const Taint& taint : pool.taints) keys.insert(taint.key);
    std::vector<std::string> ways;
    for (const auto& key : keys)
      ways.push_back(
          fmt::format("has(X.tolerations) && X.tolerations.exists(t, has(t.key) && t.key == {})", quoted(key)));
    if (!keys.empty()) ways.emplace_back("has(X.tolerations) && X.tolerations.exists(t, !has(t.key) || t.key == '')");
    return ways;
  }
  std::string any_toleration(const std::string& spec) const {
    std::vector<std::string> any;
    for (const auto& way : tolerations()) any.push_back("(" + in(way, spec) + ")");
    return fmt::format("{}", fmt::join(any, " || "));
  }

  // A pool that serving stands on, and that no taint keeps other pods off; empty: there is none.
  std::string open_pool() const {
    for (const PoolCapacity& capacity : intent_.capacities) {
      if (!capacity.has_serving || capacity.nodes >= cluster_.node_pools.size()) continue;
      const NodePool& pool = cluster_.node_pools[capacity.nodes];
      if (std::ranges::none_of(pool.taints, keeps_off)) return pool.name;
    }
    return {};
  }

  // Not a tenant outside the queue, in a namespace of its and on nodes of a pool that it reserves.
  std::string not_in_its_place(const std::string& spec) const {
    std::string out;
    for (const OutsideReserve& outside : intent_.outside) {
      std::vector<std::string> names, labels;
      for (const auto& ns : outside.namespaces) names.push_back(quoted(ns));
      for (const auto& [key, value] : cluster_.flavors[outside.flavor].node_labels)
        labels.push_back(
            fmt::format("{1} in {0}.nodeSelector && {0}.nodeSelector[{1}] == {2}", spec, quoted(key), quoted(value)));
      if (labels.empty()) continue;
      out += fmt::format(" && !(request.namespace in [{}] && has({}.nodeSelector) && {})", fmt::join(names, ", "), spec,
                         fmt::join(labels, " && "));
    }
    return out;
  }

  // Sources: pkg/controller/job/job_controller.go and controller_ref_manager.go (who counts as a pod of a Job), Kueue's
  // jobframework/reconciler.go (a Job with a deletion timestamp is finished; one below another managed Job is left
  // alone), jobs/pod/pod_webhook.go (the label of a managed pod), jobs/statefulset/statefulset_webhook.go.
  void stays_managed(
      const std::function<void(const std::string&, const std::function<void(const std::string&)>&)>& each_way) {
    const std::string_view key = "admission-only";
    const std::string more = "its Job makes another one beside it, or Kueue does not evict it";
    const std::string left = "Kueue counts its quota as free, and its pods run on";
    const auto label = [](const char* object, const std::string& name) {
      return fmt::format("(has({0}.metadata.labels) && '{1}' in {0}.metadata.labels ? {0}.metadata.labels['{1}'] : '')",
                         object, name);
    };
    const std::string other_owner =
        "(has(object.metadata.ownerReferences) ? object.metadata.ownerReferences : []) != "
        "(has(oldObject.metadata.ownerReferences) ? oldObject.metadata.ownerReferences : [])";
    each_way("object.spec", [&](const std::string& uses) {
      std::string stranger = not_kueue() + " && " + not_job_controller() + " && " + not_garbage_collector();
      for (const char* owner : {"replicaset-controller", "statefulset-controller", "daemon-set-controller"})
        stranger += " && " + not_user("kube-system", owner);
      add(key, tenants_.who(), "takes a pod of GPU nodes from its owner, or gives it another", more, "", "pods",
          "UPDATE", here_ + fmt::format("{} && {} && {}", stranger, uses, other_owner));
      const std::string name = "batch.kubernetes.io/controller-uid";
      add(key, tenants_.who(), fmt::format("changes the label {} of a pod of GPU nodes", name), more, "", "pods",
          "UPDATE",
          here_ + fmt::format("{} && {} && {} != {}", stranger, uses, label("object", name), label("oldObject", name)));
    });
    // The Job controller takes a pod for finished by its phase, and Kueue then counts less. Kubelets write it, and the
    // collector of pods on lost nodes.
    each_way("object.spec", [&](const std::string& uses) {
      add(key, tenants_.who(), "writes that a pod of GPU nodes has ended", left, "", "pods/status", "UPDATE",
          here_ + fmt::format("{} && !('system:nodes' in request.userInfo.groups) && {} && has(object.status.phase) && "
                              "object.status.phase in ['Succeeded', 'Failed'] && "
                              "!(has(oldObject.status.phase) && oldObject.status.phase == object.status.phase)",
                              not_user("kube-system", "pod-garbage-collector"), uses));
    });
    // kube-scheduler counts what a container is said to hold where that is more than it asks for
    // (component-helpers/resource PodRequests); of whole pods likewise.
    each_way("object.spec", [&](const std::string& uses) {
      for (const char* field : {"containerStatuses", "initContainerStatuses", "resources", "allocatedResources"})
        add(key, tenants_.who(), fmt::format("writes {} into the status of a pod of GPU nodes", field),
            "its node looks full, and no quota is charged for it", "", "pods/status", "UPDATE",
            here_ + fmt::format("!('system:nodes' in request.userInfo.groups) && {0} && has(object.status.{1}) && "
                                "object.status.{1}.size() > 0 && "
                                "!(has(oldObject.status.{1}) && oldObject.status.{1} == object.status.{1})",
                                uses, field));
    });
    Doors doors;
    for (const Queue& queue : cluster_.queues) doors.add(queue.namespaces);
    const std::string by_uid = "batch.kubernetes.io/controller-uid";
    if (doors.any)  // owners are kept by the API server (pkg/registry/core/pod/strategy.go podStatusStrategy)
      add(key, doors.who(), fmt::format("changes the label {} of a pod with its status", by_uid), more, "",
          "pods/status", "UPDATE",
          doors.here(by_) + fmt::format("{} != {}", label("object", by_uid), label("oldObject", by_uid)));
    if (doors.any && may_queue_statefulsets(cluster_, intent_)) {
      add(key, doors.who(), "scales a StatefulSet up by its subresource",
          "Kueue's webhook is not asked, and the pods above the admitted number start", "apps", "statefulsets/scale",
          "UPDATE",
          doors.here(by_) +
              "has(object.spec.replicas) && (!has(oldObject.spec.replicas) || "
              "object.spec.replicas > oldObject.spec.replicas)");
      // pkg/registry/apps/statefulset/strategy.go statefulSetStatusStrategy keeps the spec alone.
      add(key, doors.who(), "writes the status of a StatefulSet, and what Kueue finds it by",
          "it changes its queue or its class, and nobody looks at it", "apps", "statefulsets/status", "UPDATE",
          doors.here(by_) + not_user("kube-system", "statefulset-controller"));
    }
  }

  void admission_only() {
    asks_elsewhere();
    if (tenants_.any) of_tenants();
  }

  // Ways to ask for a device by its name. `of_tenant`: where a tenant asks.
  static std::vector<std::string> asks_by_name(const std::string& spec, const std::string& of_tenant) {
    const std::string asks = asks_gpu("c", of_tenant);
    return {fmt::format("{}.containers.exists(c, {})", spec, asks),
            fmt::format("(has({0}.initContainers) && {0}.initContainers.exists(c, {1}))", spec, asks)};
  }

  // Whoever does, in whatever namespace: tenants, too, who are asked about more names.
  void asks_elsewhere() {
    constexpr std::size_t kLong = 4096;  // of the list of their namespaces, which all of the expressions would hold
    if (!tenants_.any) return asks_in(anywhere_, "false");
    if (tenants_.all) return asks_in(anywhere_, "true");
    if (here_.size() < kLong) return asks_in(anywhere_, here_.substr(0, here_.size() - std::string(" && ").size()));
    asks_in(anywhere_, "false");
    asks_in(here_, "true");
  }

  void asks_in(const std::string& where, const std::string& of_tenant) {
    const std::string_view key = "admission-only";
    const std::string beside = "it runs beside the quotas, on devices that a reserve counts on";
    const std::string by_hand = "no taint and no selector keeps it off that node";
    const std::string job_elsewhere = not_in_its_place("object.spec.template.spec");
    const std::string pod_elsewhere = not_in_its_place("object.spec");
    const auto say = [&](const char* does, const std::string& breaks, const char* group, const char* resource,
                         const char* operation, const std::string& bad) {
      add(key, "any user", does, breaks, group, resource, operation, where + bad);
    };
    for (const std::string& pod : asks_by_name("object.spec", of_tenant)) {
      say("creates a pod that asks for a GPU and does not wait for Kueue", beside, "", "pods", "CREATE",
          fmt::format("{} && {} && !({})", not_job_controller(), pod, waits("object")) + pod_elsewhere);
      for (const std::string& tolerates : tolerations())
        say("creates a pod that asks for a GPU and tolerates the taint of GPU nodes", beside, "", "pods", "CREATE",
            fmt::format("{} && {} && {} && {}", daemon_or_job(), kNotKubelet, pod, in(tolerates, "object.spec")) +
                pod_elsewhere);
      say("creates a pod that asks for a GPU, with the name of a node in it", by_hand, "", "pods", "CREATE",
          fmt::format("{} && {} && has(object.spec.nodeName) && object.spec.nodeName != ''", kNotKubelet, pod));
      say("takes Kueue's gate off a pod that asks for a GPU", beside, "", "pods", "UPDATE",
          fmt::format("{} && {} && {} && !({})", not_kueue(), pod, waits("oldObject"), waits("object")));
    }
    for (const std::string& job : asks_by_name("object.spec.template.spec", of_tenant)) {
      say("creates a Job that asks for GPUs and is not suspended", beside, "batch", "jobs", "CREATE",
          fmt::format("{} && !(has(object.spec.suspend) && object.spec.suspend == true)", job) + job_elsewhere);
      say("creates a Job that asks for GPUs and whose pods name their node", by_hand, "batch", "jobs", "CREATE",
          job + " && has(object.spec.template.spec.nodeName) && object.spec.template.spec.nodeName != ''");
      say("starts a Job that asks for GPUs and waits for Kueue", beside, "batch", "jobs", "UPDATE",
          fmt::format("{} && {} && has(oldObject.spec.suspend) && oldObject.spec.suspend == true && "
                      "!(has(object.spec.suspend) && object.spec.suspend == true)",
                      not_kueue(), job));
    }
  }

  void of_tenants() {
    const std::string pod_elsewhere = not_in_its_place("object.spec"),
                      job_elsewhere = not_in_its_place("object.spec.template.spec");
    const std::string_view key = "admission-only";
    const std::string who = tenants_.who();
    const std::string on_nodes = "it takes cpu and memory of nodes that a reserve counts on";
    const std::string beside = "it runs beside the quotas, on devices that a reserve counts on";
    const auto each_way_there = [&](const std::string& spec, auto with) {
      for (const std::string& asks : asks_by_name(spec, "true")) with(asks);
      with(fmt::format("has({}.resourceClaims)", spec));
      // What Kueue starts without a GPU has the flavor's toleration from it, and stands on the nodes all the same.
      for (const std::string& tolerates : tolerations()) with("(" + in(tolerates, spec) + ")");
    };
    add(key, who, "creates a pod that claims a device and does not wait for Kueue", beside, "", "pods", "CREATE",
        here_ + fmt::format("{} && has(object.spec.resourceClaims) && !({})", not_job_controller(), waits("object")) +
            pod_elsewhere);
    each_way_there("object.spec", [&](const std::string& uses) {
      add(key, who, "raises the cpu of a running pod of GPU nodes", "it holds more than it was admitted with", "",
          "pods/resize", "UPDATE", here_ + uses);
    });
    if (const std::string open = open_pool(); !open.empty())
      add(key, who, "creates a pod that no taint keeps off the nodes of " + open, on_nodes, "", "pods", "CREATE",
          here_ + fmt::format("{} && {}", daemon_or_job(), kNotKubelet) + pod_elsewhere);
    // Also one that waits: Kueue takes the gate off pods of a StatefulSet that is being updated, admitted or not
    // (pkg/util/statefulset shouldUngatePod). What it admits gets the toleration from it.
    for (const std::string& tolerates : tolerations()) {
      add(key, who, "creates a pod that tolerates the taint of GPU nodes", on_nodes, "", "pods", "CREATE",
          here_ + fmt::format("{} && {} && {}", daemon_or_job(), kNotKubelet, in(tolerates, "object.spec")) +
              pod_elsewhere);
      add(key, who, "lets a pod that waits for a node tolerate the taint of GPU nodes", on_nodes, "", "pods", "UPDATE",
          here_ +
              fmt::format("{} && {} && {} && {} && !({})", daemon_or_job(), kNotKubelet, not_kueue(),
                          in(tolerates, "object.spec"), any_toleration("oldObject.spec")) +
              pod_elsewhere);
    }
    // Of a template by whatever it stands on the nodes, but the name of a device, which is asked about everywhere.
    each_way_there("object.spec.template.spec", [&](const std::string& uses) {
      add(key, who, "creates a Job for GPU nodes that is not suspended", on_nodes, "batch", "jobs", "CREATE",
          here_ + uses + " && !(has(object.spec.suspend) && object.spec.suspend == true)" + job_elsewhere);
      add(key, who, "starts a Job for GPU nodes that waits for Kueue", on_nodes, "batch", "jobs", "UPDATE",
          here_ + fmt::format("{} && {} && has(oldObject.spec.suspend) && oldObject.spec.suspend == true && "
                              "!(has(object.spec.suspend) && object.spec.suspend == true)",
                              not_kueue(), uses));
      add(key, who, "raises the parallelism of a running Job", beside, "batch", "jobs", "UPDATE",
          here_ + fmt::format("{} && {} && !(has(oldObject.spec.suspend) && oldObject.spec.suspend == true) && "
                              "object.spec.parallelism > oldObject.spec.parallelism",
                              not_kueue(), uses));
    });
    const std::string by_hand = "no taint and no selector keeps it off that node";
    add(key, who, "creates a pod with the name of a node in it", by_hand, "", "pods", "CREATE",
        here_ + std::string(kNotKubelet) + " && has(object.spec.nodeName) && object.spec.nodeName != ''");
    add(key, who, "creates a Job whose pods name their node", by_hand, "batch", "jobs", "CREATE",
        here_ + "has(object.spec.template.spec.nodeName) && object.spec.template.spec.nodeName != ''");
    for (const char* resource : {"pods/binding", "bindings"})
      add(key, who, "binds a pod to a node", by_hand, "", resource, "CREATE",
          here_ + "request.userInfo.username != 'system:kube-scheduler'");
    add(key, who, "takes Kueue's gate off a pod that waits", beside, "", "pods", "UPDATE",
        here_ + fmt::format("{} && {} && !({})", not_kueue(), waits("oldObject"), waits("object")));
    stays_managed(each_way_there);
    Doors doors;
    for (const Queue& queue : cluster_.queues) doors.add(queue.namespaces);
    counted_as_it_runs(doors.any, doors.who(), doors.here(by_));
    if (doors.any) jobs_as_counted(doors.who(), doors.here(by_));
    other_names();
  }

  // The same devices under other names (DRA extended resources): that which kube-scheduler knows every DeviceClass by,
  // which may be requested without a limit (k8s.io/api resource/v1 ResourceDeviceClassPrefix; pkg/scheduler/util
  // IsDRAExtendedResourceName). A template alone runs nothing, and kube-scheduler looks at the pod's requests, which
  // limits become by default.
  void other_names() {
    for (const char* list : {"containers", "initContainers"})
      for (const char* field : {"limits", "requests"})
        add("admission-only", tenants_.who(), "creates a pod that asks for a device by the name of its DeviceClass",
            "no quota counts it, and no guard sees that the pod has a GPU", "", "pods", "CREATE",
            here_ + fmt::format("has(object.spec.{0}) && object.spec.{0}.exists(c, has(c.resources) && "
                                "has(c.resources.{1}) && c.resources.{1}.exists(name, "
                                "name.startsWith('deviceclass.resource.kubernetes.io/')))",
                                list, field));
  }

  std::map<std::string, std::string> by_;  // of namespaces, which stands for it
  Doors tenants_;                          // the namespaces of all tenants
  std::string here_, anywhere_;            // "request.namespace in [...] && " of them, and of all but the exempt ones
};

}  // namespace

Demands demands(const Cluster& cluster, const Intent& intent) { return List(cluster, intent).all(); }

}  // namespace gpol
