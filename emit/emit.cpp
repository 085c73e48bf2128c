#include "emit/emit.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "compiler/cluster/retired.h"
#include "compiler/source/lookup.h"
#include "emit/clauses.h"
#include "emit/kinds/kinds.h"
#include "emit/kustomize.h"
#include "emit/layout.h"
#include "emit/order.h"
#include "emit/reasons.h"
#include "emit/volcano/volcano.h"

namespace gpol {

namespace {

Span at(const std::vector<Span>& spans, std::size_t index) { return index < spans.size() ? spans[index] : Span{}; }

// The comments above an object: the clauses that it comes from, each once.
class From {
 public:
  explicit From(const EmitInput& input) : clauses_(input.sources), cluster_(input.planned.origins.cluster) {}

  std::vector<std::string> comments(const std::vector<Span>& spans) {
    std::vector<std::string> all;
    for (const Span span : spans) {
      std::string clause = clauses_.of(span);
      if (clause.empty()) continue;
      clause.insert(0, "from: ");
      if (!contains(all, clause)) all.push_back(std::move(clause));
    }
    return all;
  }

  // `tenant`: who left the policy, and whose object an earlier build had; empty: the policy has it.
  Document document(yaml::Value object, const std::vector<Span>& spans, const std::string& tenant) {
    if (!tenant.empty())
      return {std::move(object),
              {fmt::format("from: an earlier build: tenant {0} left the policy; its work may run until `--retired {0}`",
                           tenant)}};
    Document document{std::move(object), comments(spans)};
    if (document.comments.empty()) document.comments = comments({cluster_});
    return document;
  }

 private:
  Clauses clauses_;
  Span cluster_;
};

// Files of one folder, each begun by its first object.
class Files {
 public:
  Files(Folder folder, From& from) : folder_(folder), from_(from) {}

  void add(std::string_view name, yaml::Value object, const std::vector<Span>& spans, const std::string& tenant = {}) {
    if (names_.empty() || names_.back() != name) {
      names_.emplace_back(name);
      artefacts_.push_back({path_in(folder_, name), {}});
    }
    artefacts_.back().documents.push_back(from_.document(std::move(object), spans, tenant));
  }
  void add(std::string_view name, yaml::Value object, Span span, const std::string& tenant = {}) {
    add(name, std::move(object), std::vector{span}, tenant);
  }

  const std::vector<std::string>& names() const { return names_; }
  std::vector<Artefact> take() && { return std::move(artefacts_); }

 private:
  Folder folder_;
  From& from_;
  std::vector<std::string> names_;
  std::vector<Artefact> artefacts_;
};

// Pointers to the entries, sorted by a key of theirs.
constexpr auto kByName = [](const auto& object) -> const std::string& { return object.name; };
template <class T, class Key = decltype(kByName)>
std::vector<const T*> sorted(const std::vector<T>& entries, Key key = kByName) {
  std::vector<const T*> list;
  list.reserve(entries.size());
  for (const T& entry : entries) list.push_back(&entry);
  std::ranges::sort(list, [&](const T* a, const T* b) { return key(*a) < key(*b); });
  return list;
}

// Of a name; nothing where it is not in the map.
template <class Value, class Key>
Value find(const std::map<Key, Value>& map, const std::string& name) {
  return value_or(map, name, {});
}

// Where the tenant of each queue, and through its local queues of each namespace, was written.
struct TenantSpans {
  std::map<std::string_view, Span> queue, ns;
  std::map<std::string, std::string> kept_queue, kept_ns;  // of tenants that left the policy: whose it was

  std::string left_queue(const std::string& name) const { return find(kept_queue, name); }
  std::string left_ns(const std::string& name) const { return find(kept_ns, name); }
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
  for (const volcano::QueueRole& role : planned.intent.volcano_roles)
    for (const std::string& ns : role.namespaces) spans.ns.emplace(ns, role.name_span);
  spans.kept_queue = kept_queues(planned.cluster);
  for (const Namespace& ns : planned.cluster.namespaces)
    for (const auto& [queue, tenant] : spans.kept_queue)
      if (const auto label = ns.labels.find("gpol.dev/tenant"); label != ns.labels.end() && label->second == tenant)
        spans.kept_ns.emplace(ns.name, tenant);
  return spans;
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

// What it owns, and what the policy says of it in Kueue's own words; a queue that owns nothing is its tenant's.
std::vector<Span> queue_spans(const Planned& planned, std::size_t queue) {
  const Origins& origins = planned.origins;
  std::vector<Span> spans;
  if (queue < origins.quotas.size()) spans = origins.quotas[queue];
  if (spans.empty()) spans.push_back(at(origins.queue, queue));
  const std::string prefix = fmt::format("ClusterQueue/{} ", planned.cluster.queues[queue].name);
  for (auto field = origins.field.lower_bound(prefix); field != origins.field.end(); ++field) {
    if (!field->first.starts_with(prefix)) break;
    spans.push_back(field->second);
  }
  return spans;
}

void add_names(const Planned& planned, const TenantSpans& tenants, Files& base) {
  const Cluster& cluster = planned.cluster;
  const Origins& origins = planned.origins;
  for (const Namespace* ns : sorted(cluster.namespaces))
    base.add("namespaces.yaml", kinds::namespace_object(*ns), find(tenants.ns, ns->name), tenants.left_ns(ns->name));
  for (const Flavor* flavor : sorted(cluster.flavors))
    if (!cluster.volcano)
      base.add("flavors.yaml", kinds::resource_flavor(*flavor), flavor_span(planned.intent, cluster, *flavor));
  for (const WorkloadPriorityClass* priority : sorted(cluster.priority_classes)) {
    const auto index = static_cast<std::size_t>(priority - cluster.priority_classes.data());
    base.add("priorities.yaml", kinds::workload_priority_class(*priority), at(origins.priority_class, index));
  }
  for (const PriorityClass* priority : sorted(cluster.pod_priority_classes)) {
    const auto same = std::ranges::find(cluster.priority_classes, priority->name, &WorkloadPriorityClass::name);
    const auto index = static_cast<std::size_t>(same - cluster.priority_classes.begin());  // of one latency class
    base.add("priorities.yaml", kinds::priority_class(*priority), at(origins.priority_class, index));
  }
  for (const ResourceQuota* quota : sorted(cluster.resource_quotas, [](const ResourceQuota& q) { return q.ns; }))
    base.add("job-quotas.yaml", kinds::resource_quota(*quota), job_limit_span(planned.intent, quota->ns),
             tenants.left_ns(quota->ns));
}

void add_limits(const Planned& planned, Files& base) {
  const auto by_name = [](const auto& object) { return std::tie(object.ns, object.name); };
  // Of the parts of a gateway those that are meant.
  const auto spans_of = [&](auto parts, const auto& meant) {
    std::vector<Span> spans;
    for (const PlannedEdge& edge : planned.intent.edges)
      for (const auto& part : edge.*parts)
        if (meant(part)) spans.push_back(part.span);
    return spans;
  };
  const auto of_route = [&](const std::string& route) {
    return spans_of(&PlannedEdge::limits, [&](const PlannedLimit& limit) { return limit.route == route; });
  };
  for (const TrafficPolicy* policy : sorted(planned.cluster.traffic_policies, by_name))
    base.add("gateway-limits.yaml", kinds::backend_traffic_policy(*policy), of_route(policy->ns + "/" + policy->route));
  for (const HttpRoute* route : sorted(planned.cluster.http_routes, by_name))
    base.add("gateway-routes.yaml", kinds::http_route(*route), of_route(route->ns + "/" + route->name));
  for (const IngressPolicy* policy : sorted(planned.cluster.ingress_policies, by_name))
    base.add("service-callers.yaml", kinds::network_policy(*policy),
             spans_of(&PlannedEdge::callers,
                      [&](const PlannedEdge::Caller& caller) { return "gpol-" + caller.service == policy->name; }));
}

// Each with its bindings behind it.
void add_guards(const Planned& planned, Files& base) {
  const Cluster& cluster = planned.cluster;
  std::multimap<std::string_view, const AdmissionBinding*> bindings;
  for (const AdmissionBinding* binding : sorted(cluster.admission_bindings)) bindings.emplace(binding->policy, binding);
  for (const AdmissionPolicy* policy : sorted(cluster.admission_policies)) {
    const Span span = at(planned.origins.guard, static_cast<std::size_t>(policy - cluster.admission_policies.data()));
    base.add("guards.yaml", kinds::admission_policy(*policy), span);
    const auto [first, last] = bindings.equal_range(policy->name);
    for (auto binding = first; binding != last; ++binding)
      base.add("guards.yaml", kinds::admission_binding(*binding->second), span);
  }
}

void add_queues(const Planned& planned, const TenantSpans& tenants, Files& base) {
  const Cluster& cluster = planned.cluster;
  constexpr std::string_view kFile = "queues.yaml";
  for (const std::size_t i : cohort_order(cluster))
    base.add(kFile, kinds::cohort(cluster, cluster.cohorts[i]), at(planned.origins.cohort, i));
  for (const std::size_t i : queue_order(cluster, planned.intent))
    base.add(kFile, kinds::cluster_queue(cluster, cluster.queues[i]), queue_spans(planned, i),
             tenants.left_queue(cluster.queues[i].name));
  const auto full_name = [](const LocalQueue& queue) { return std::tie(queue.ns, queue.name); };
  for (const LocalQueue* queue : sorted(cluster.local_queues, full_name))
    base.add(kFile, kinds::local_queue(*queue), find(tenants.queue, queue->cluster_queue),
             tenants.left_queue(queue->cluster_queue));
}

// In the order of the plan, which the webhook takes.
void add_volcano_queues(const Planned& planned, Files& base) {
  const auto& queues = planned.cluster.volcano->queues;
  for (std::size_t q = 0; q < queues.size(); ++q) {
    const volcano::QueueRole& role = planned.intent.volcano_roles[q];
    base.add("queues.yaml", kinds::volcano_queue(queues[q]),
             role.reserve_span.known() ? role.reserve_span : role.name_span);
  }
}

std::vector<Span> allow_spans(const Intent& intent, std::size_t mode) {
  std::vector<Span> spans;
  for (const PlannedAllow& allow : intent.allows)
    if (contains(allow.modes, mode)) spans.push_back(allow.span);
  return spans;
}

}  // namespace

std::vector<Artefact> emit(const EmitInput& input) {
  const Planned& planned = input.planned;
  const Cluster& cluster = planned.cluster;
  From from(input);

  Files base(Folder::Base, from);
  const TenantSpans tenants = tenant_spans(planned);
  add_names(planned, tenants, base);
  add_limits(planned, base);
  add_guards(planned, base);  // before the queues: what is let in is guarded from the first moment
  if (cluster.volcano)
    add_volcano_queues(planned, base);
  else
    add_queues(planned, tenants, base);

  std::vector<Artefact> artefacts;
  artefacts.push_back(root_kustomization(input.revision));
  artefacts.push_back(base_kustomization(base.names()));
  std::ranges::move(std::move(base).take(), std::back_inserter(artefacts));

  QueueIndex queues;
  for (std::size_t i = 0; i < cluster.queues.size(); ++i) queues.emplace(cluster.queues[i].name, i);
  for (std::size_t m = 0; m < cluster.modes.size() && !cluster.volcano; ++m)
    artefacts.push_back(overlay(cluster, queues, cluster.modes[m], from.comments(allow_spans(planned.intent, m))));

  // No part of any kustomization: the controller reads this file when it starts.
  if (cluster.volcano) {
    artefacts.push_back({path_in(Folder::Scheduler, "volcano-scheduler-configmap.yaml"), {}});
    artefacts.back().documents.push_back(
        {kinds::volcano_scheduler(cluster.volcano->scheduler), kinds::scheduler_words()});
  } else {
    artefacts.push_back({path_in(Folder::Controller, "controller_manager_config.yaml"), {}});
    artefacts.back().documents.push_back({kinds::kueue_configuration(cluster.config), merging_words(cluster.config)});
  }
  // Nor are these: nodes have names that no policy knows. People and pipelines use nodes/POOL.sh (node_setup.h).
  for (const NodePool& pool : cluster.node_pools) {
    const std::string file = path_component(pool.name);
    artefacts.push_back({path_in(Folder::Nodes, file + ".yaml"), {}});
    artefacts.back().documents.push_back(
        {kinds::node_patch(pool),
         {fmt::format("What the nodes of pool {} carry. Not for `kubectl patch`, which would take their other taints "
                      "away: run {}.sh.",
                      pool.name, file)}});
  }
  // Nor these: they are the GPU Operator's, and for whoever runs it (partition_setup.h).
  Files partition(Folder::Partition, from);
  std::vector<Span> cuts;
  for (const CutPool& pool : planned.intent.cut_pools)
    if (pool.managed) cuts.push_back(pool.span);
  for (const MigConfigMap& map : cluster.mig_config_maps)
    partition.add("mig-parted.yaml", kinds::mig_config_map(map), cuts);
  for (const SharedPool& pool : planned.intent.shared_pools)
    if (pool.managed) cuts.push_back(pool.span);
  for (const PluginConfigMap& map : cluster.plugin_config_maps)
    partition.add("device-plugin.yaml", kinds::plugin_config_map(map), cuts);
  for (const OperatorPolicy& policy : cluster.operator_policies)
    partition.add("cluster-policy.yaml", kinds::operator_policy(policy), cuts);
  std::ranges::move(std::move(partition).take(), std::back_inserter(artefacts));
  // Nor these: who applies the base need not be allowed to grant. `kubectl apply -f rbac`, as an administrator.
  Files rbac(Folder::Rbac, from);
  std::vector<Span> writers;
  for (const Writer& writer : planned.intent.writers) writers.push_back(writer.span);
  const auto spans = [&](const std::string& role) { return role == "gpol-writer" ? writers : std::vector<Span>{}; };
  for (const ClusterRole& role : cluster.roles) rbac.add("roles.yaml", kinds::cluster_role(role), spans(role.name));
  for (const ClusterRoleBinding& binding : cluster.role_bindings)
    rbac.add("roles.yaml", kinds::cluster_role_binding(binding), spans(binding.role));
  std::ranges::move(std::move(rbac).take(), std::back_inserter(artefacts));
  return artefacts;
}

}  // namespace gpol
