#include "emit/emit.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "emit/kinds/kinds.h"
#include "emit/kustomize.h"
#include "emit/layout.h"
#include "emit/order.h"

namespace gpol {

namespace {

// "dir/team.gpol:12", or nothing when nobody wrote it.
// As the file lies beside the policy, the first of the texts: the same wherever that stands and however it was typed;
// "gpol/classes:8" for the library.
std::string source(const SourceSet& sources, Span span) {
  if (!span.known() || span.file >= sources.size()) return {};
  const std::filesystem::path root = std::filesystem::path(sources.path(0)).lexically_normal().parent_path();
  std::filesystem::path path = std::filesystem::path(sources.path(span.file)).lexically_normal();
  if (!root.empty() && !sources.built_in(span.file)) path = path.lexically_proximate(root);
  return fmt::format("{}:{}", path.string(), sources.position(span.file, span.begin).line);
}

Span at(const std::vector<Span>& spans, std::size_t index) { return index < spans.size() ? spans[index] : Span{}; }

// The base, file by file in order of application.
class Base {
 public:
  explicit Base(const EmitInput& input) : input_(input) {}

  kinds::Stamp stamp(Span span) const { return {input_.revision, source(input_.sources, span)}; }

  void add(int number, std::string_view kind, std::string_view name, yaml::Value object) {
    file_names_.push_back(fmt::format("{:02}-{}-{}.yaml", number, kind, path_component(name)));
    artefacts_.push_back({path_in(Folder::Base, file_names_.back()), {}});
    artefacts_.back().documents.push_back(std::move(object));
  }

  std::vector<Artefact> finish() && {
    std::vector<Artefact> artefacts;
    artefacts.reserve(artefacts_.size() + 1);
    artefacts.push_back(base_kustomization(file_names_));
    std::move(artefacts_.begin(), artefacts_.end(), std::back_inserter(artefacts));
    return artefacts;
  }

 private:
  const EmitInput& input_;
  std::vector<std::string> file_names_;
  std::vector<Artefact> artefacts_;
};

// Pointers to the entries, sorted by a key of theirs.
template <class T, class Key>
std::vector<const T*> sorted(const std::vector<T>& entries, Key key) {
  std::vector<const T*> list;
  list.reserve(entries.size());
  for (const T& entry : entries) list.push_back(&entry);
  std::sort(list.begin(), list.end(), [&](const T* a, const T* b) { return key(*a) < key(*b); });
  return list;
}

// Where the tenant of each queue, and through its local queues of each namespace, was written.
struct TenantSpans {
  std::map<std::string_view, Span> queue, ns;
};

TenantSpans tenant_spans(const Planned& planned) {
  TenantSpans spans;
  for (std::size_t i = 0; i < planned.cluster.queues.size(); ++i)
    spans.queue.emplace(planned.cluster.queues[i].name, at(planned.origins.queue, i));
  for (const OutsideReserve& tenant : planned.intent.outside)
    for (const std::string& ns : tenant.namespaces) spans.ns.emplace(ns, tenant.name_span);
  for (const LocalQueue& local : planned.cluster.local_queues)
    if (const auto found = spans.queue.find(local.cluster_queue); found != spans.queue.end())
      spans.ns.emplace(local.ns, found->second);
  return spans;
}

Span find(const std::map<std::string_view, Span>& spans, std::string_view name) {
  const auto found = spans.find(name);
  return found == spans.end() ? Span{} : found->second;
}

Span flavor_span(const Intent& intent, const Cluster& cluster, const Flavor& flavor) {
  for (const PoolCapacity& capacity : intent.capacities)
    if (capacity.flavor < cluster.flavors.size() && &cluster.flavors[capacity.flavor] == &flavor) return capacity.span;
  return {};
}

Span job_limit_span(const Intent& intent, std::string_view ns) {
  for (const JobLimit& limit : intent.job_limits)
    if (limit.ns == ns) return limit.span;
  return {};
}

std::vector<Artefact> base(const EmitInput& input) {
  const Cluster& cluster = input.planned.cluster;
  const Origins& origins = input.planned.origins;
  const TenantSpans tenants = tenant_spans(input.planned);
  auto name_of = [](const auto& object) -> const std::string& { return object.name; };
  Base base(input);

  for (const Namespace* ns : sorted(cluster.namespaces, name_of))
    base.add(10, "namespace", ns->name, kinds::namespace_object(*ns, base.stamp(find(tenants.ns, ns->name))));
  for (const Flavor* flavor : sorted(cluster.flavors, name_of))
    base.add(20, "resourceflavor", flavor->name,
             kinds::resource_flavor(*flavor, base.stamp(flavor_span(input.planned.intent, cluster, *flavor))));
  for (const WorkloadPriorityClass* priority : sorted(cluster.priority_classes, name_of)) {
    const auto index = static_cast<std::size_t>(priority - cluster.priority_classes.data());
    base.add(30, "workloadpriorityclass", priority->name,
             kinds::workload_priority_class(*priority, base.stamp(at(origins.priority_class, index))));
  }
  for (const PriorityClass* priority : sorted(cluster.pod_priority_classes, name_of)) {
    const auto same = std::find_if(cluster.priority_classes.begin(), cluster.priority_classes.end(),
                                   [&](const WorkloadPriorityClass& other) { return other.name == priority->name; });
    const auto index = static_cast<std::size_t>(same - cluster.priority_classes.begin());  // of one latency class
    base.add(31, "priorityclass", priority->name,
             kinds::priority_class(*priority, base.stamp(at(origins.priority_class, index))));
  }
  for (const ResourceQuota* quota : sorted(cluster.resource_quotas, [](const ResourceQuota& q) { return q.ns; }))
    base.add(33, "resourcequota", fmt::format("{}.{}", quota->ns, quota->name),
             kinds::resource_quota(*quota, base.stamp(job_limit_span(input.planned.intent, quota->ns))));
  // Before the queues: what is let in is guarded from the first moment.
  for (const AdmissionPolicy* policy : sorted(cluster.admission_policies, name_of)) {
    const auto index = static_cast<std::size_t>(policy - cluster.admission_policies.data());
    base.add(35, "validatingadmissionpolicy", policy->name,
             kinds::admission_policy(*policy, base.stamp(at(origins.guard, index))));
  }
  for (const AdmissionBinding* binding : sorted(cluster.admission_bindings, name_of)) {
    const auto& policies = cluster.admission_policies;  // not each of them is bound
    const auto policy = std::find_if(policies.begin(), policies.end(),
                                     [&](const AdmissionPolicy& p) { return p.name == binding->policy; });
    base.add(36, "validatingadmissionpolicybinding", binding->name,
             kinds::admission_binding(
                 *binding, base.stamp(at(origins.guard, static_cast<std::size_t>(policy - policies.begin())))));
  }
  for (const std::size_t i : cohort_order(cluster))
    base.add(40, "cohort", cluster.cohorts[i].name,
             kinds::cohort(cluster, cluster.cohorts[i], base.stamp(at(origins.cohort, i))));
  for (const std::size_t i : queue_order(cluster, input.planned.intent))
    base.add(50, "clusterqueue", cluster.queues[i].name,
             kinds::cluster_queue(cluster, cluster.queues[i], base.stamp(at(origins.queue, i))));
  auto full_name = [](const LocalQueue& queue) { return std::tie(queue.ns, queue.name); };
  for (const LocalQueue* queue : sorted(cluster.local_queues, full_name))
    // A namespace has no dot, so that no two local queues get one file.
    base.add(60, "localqueue", fmt::format("{}.{}", queue->ns, queue->name),
             kinds::local_queue(*queue, base.stamp(find(tenants.queue, queue->cluster_queue))));
  return std::move(base).finish();
}

}  // namespace

std::vector<Artefact> emit(const EmitInput& input) {
  const Cluster& cluster = input.planned.cluster;
  std::vector<Artefact> artefacts = base(input);

  QueueIndex queues;
  for (std::size_t i = 0; i < cluster.queues.size(); ++i) queues.emplace(cluster.queues[i].name, i);
  for (const Mode& mode : cluster.modes) {
    std::vector<Artefact> files = overlay(cluster, queues, mode);
    std::move(files.begin(), files.end(), std::back_inserter(artefacts));
  }

  // No part of any kustomization: the controller reads this file when it starts.
  artefacts.push_back({path_in(Folder::Controller, "controller_manager_config.yaml"), {}});
  artefacts.back().documents.push_back(kinds::kueue_configuration(cluster.config));
  // Nor are these: nodes have names that no policy knows. People and pipelines use nodes/POOL.sh (node_setup.h).
  for (const NodePool& pool : cluster.node_pools) {
    artefacts.push_back({path_in(Folder::Nodes, path_component(pool.name) + ".yaml"), {}});
    artefacts.back().documents.push_back(kinds::node_patch(pool));
    artefacts.back().head = fmt::format(
        "# What the nodes of pool {} carry. Not for `kubectl patch`, which would take their other taints away: run "
        "{}.sh.\n",
        pool.name, path_component(pool.name));
  }
  // Nor these: who applies the base need not be allowed to grant. `kubectl apply -f rbac`, as an administrator.
  const kinds::Stamp stamp{input.revision, {}};
  const auto beside = [&](const std::string& kind, const std::string& name, yaml::Value object) {
    artefacts.push_back({path_in(Folder::Rbac, fmt::format("{}-{}.yaml", kind, path_component(name))), {}});
    artefacts.back().documents.push_back(std::move(object));
  };
  for (const ClusterRole& role : cluster.roles) beside("clusterrole", role.name, kinds::cluster_role(role, stamp));
  for (const ClusterRoleBinding& binding : cluster.role_bindings)
    beside("clusterrolebinding", binding.name, kinds::cluster_role_binding(binding, stamp));
  return artefacts;
}

}  // namespace gpol
