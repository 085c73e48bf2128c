// One reader per kind, and the table of them. In: a document's mapping. Out: what it means, added to the draft;
// everything in it that is not understood, as problems. What the API server and Kueue's webhooks refuse of Kueue's own
// kinds (schema/) was refused before, and is not looked for here. Fields and defaults: the v1beta2 CRDs of Kueue
// v0.19.2 (config/components/crd/bases), its webhooks (pkg/webhooks) and, for the Configuration, apis/config/v1beta2
// and pkg/config/validation.go.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checker/observe/draft.h"
#include "checker/observe/view.h"
#include "compiler/cluster/node_facts.h"
#include "compiler/source/lookup.h"

namespace gpol::manifest {

inline constexpr std::string_view kKueueApi = "kueue.x-k8s.io/v1beta2";
inline constexpr std::string_view kConfigApi = "config.kueue.x-k8s.io/v1beta2";
inline constexpr std::string_view kSchedulingApi = "scheduling.k8s.io/v1";
inline constexpr std::string_view kAdmissionApi = "admissionregistration.k8s.io/v1";
inline constexpr std::string_view kRbacApi = "rbac.authorization.k8s.io/v1";
inline constexpr std::string_view kGatewayApi = "gateway.envoyproxy.io/v1alpha1";
inline constexpr std::string_view kVolcanoApi = "scheduling.volcano.sh/v1beta1";
inline constexpr std::string_view kVolcanoJobApi = "batch.volcano.sh/v1alpha1";
inline constexpr std::string_view kKustomizeApi = "kustomize.config.k8s.io/v1beta1";

void read_resource_flavor(const View& object, Draft& draft);
void read_cohort(const View& object, Draft& draft);
void read_cluster_queue(const View& object, Draft& draft);
void read_local_queue(const View& object, Draft& draft);
void read_priority_class(const View& object, Draft& draft);
void read_pod_priority_class(const View& object, Draft& draft);
void read_namespace(const View& object, Draft& draft);
void read_resource_quota(const View& object, Draft& draft);
void read_cluster_role(const View& object, Draft& draft);
void read_cluster_role_binding(const View& object, Draft& draft);
void read_role(const View& object, Draft& draft);
void read_role_binding(const View& object, Draft& draft);
void read_admission_policy(const View& object, Draft& draft);
void read_admission_binding(const View& object, Draft& draft);
void read_configuration(const View& object, Draft& draft);
// A ConfigMap that `build` writes: Volcano's, else one of the two below.
void read_config_map(const View& object, Draft& draft);
// A ConfigMap that holds configurations of mig-parted, or of the device plugin.
void read_partition_config_map(const View& object, Draft& draft);
// A configuration of the device plugin, as its own file has it. `strict`: what the plugin would pass over is a problem.
PluginConfig read_plugin_config(const View& document, const std::string& name, bool strict);
// The configurations themselves, as their own file has them: `version` and `mig-configs`.
std::vector<MigConfig> read_mig_configs(const View& document);
// The GPU Operator's ClusterPolicy, as far as it names devices.
void read_operator_policy(const View& object, Draft& draft);
// A BackendTrafficPolicy of Envoy Gateway.
void read_traffic_policy(const View& object, Draft& draft);
void read_http_route(const View& object, Draft& draft);
// Of Volcano: a Queue; a ConfigMap with the scheduler's configuration.
void read_volcano_queue(const View& object, Draft& draft);
void read_volcano_config_map(const View& object, Draft& draft);
volcano::SchedulerConfig read_volcano_scheduler(const View& document);
// The switches that an entry of a tier may have.
std::span<const std::string_view> volcano_flags();
void read_network_policy(const View& object, Draft& draft);
// A Node as it is; what it has is added to the list.
void read_node(const View& object, std::vector<NodeFacts>& nodes);
// An owner of pods (or a Pod); it is added where it is labelled as serving and does not queue.
void read_workload_owner(const View& object, const std::string& api, const std::string& kind,
                         std::vector<OutsideFacts>& outside);
// A patch for nodes, named by its file: `nodes/live.yaml` is of the pool "live".
void read_node_patch(const View& object, const std::string& pool, Draft& draft);

// A kustomization, as far as it is understood: files or directories, and patches of ClusterQueues.
struct Kustomization {
  std::vector<std::string> resources;
  struct Patch {
    std::string queue, text;
    std::string field;  // where it stands, for problems
    int line = 0;       // of the text: where a block's first line is
  };
  std::vector<Patch> patches;
};
Kustomization read_kustomization(const View& object);

// Parts that several kinds have.
enum class Scope : std::uint8_t { Cluster, Namespaced };
struct Metadata {
  std::string name, ns;
  Span name_span = {};
  std::map<std::string, std::string> labels, annotations;  // those of gpol.dev/
};
// Nothing, with a problem, when the object cannot be named or is there twice. `keep_labels` may be null; it sees every
// label outside gpol.dev/ (and but the usual app.kubernetes.io/ ones), for kinds where those matter.
std::optional<Metadata> read_metadata(const View& object, Draft& draft, const std::string& kind, Scope scope,
                                      std::map<std::string, std::string>* other_labels = nullptr);

// An object that was read to its end, into its list; false: nothing that can be named.
template <class Object>
bool keep(const View& object, const std::optional<Metadata>& metadata, Object& read, std::vector<Object>& list) {
  object.finish();
  if (!metadata) return false;
  read.name = metadata->name;
  if constexpr (requires { read.ns; }) read.ns = metadata->ns;
  list.push_back(std::move(read));
  return true;
}

// `quotas` (may be null): where each stands, in order of groups, flavors, resources.
std::vector<ResourceGroup> read_resource_groups(const View& spec, Draft& draft, std::vector<Span>* quotas = nullptr);
// An amount of a resource, with a problem at `key` when it is none; for fields of int-or-string.
std::optional<std::int64_t> read_amount(const View& map, std::string_view key, const std::string& resource);

// A problem where the field says something else; `defaulted`: it may be absent, since the API server fills it in.
void must_be(const View& view, std::string_view key, std::string_view wanted, bool defaulted = false);
// The one item of a list; what else it holds is a problem.
template <class Read>
void only(const View& view, std::string_view key, Read read) {
  const auto items = view.required_list(key);
  if (!items) return;
  if (items->size() != 1) return view.problem(key, "does not hold exactly one");
  items->each_map([&](const View& item) {
    read(item);
    item.finish();
  });
}

// MutatingWebhookConfiguration: which namespaces Kueue's own webhooks see.
void read_webhooks(const View& object, Draft& draft);

inline constexpr std::size_t kMostItems = 1000;  // of a list that the API server does not bound

Taint taint_of(const View& view);
Toleration toleration_of(const View& view);  // but how long it tolerates
Selector read_selector(const View& map, std::string_view key);
Selector selector_of(const View& view);          // the selector itself, a mapping
std::string read_fair_weight(const View& spec);  // plain decimal; empty: unset
StopPolicy read_stop_policy(const View& spec);

// Whose mistakes are the input's: Kueue's own objects. A mistake in anything else is for others to find; of Hook's
// counts what is not modelled.
enum class Whose : std::uint8_t { Kueue, Config, Guard, Hook, Other };

// Every kind of object that is read into the cluster, once. What is no part of it among what people apply (Nodes, who
// has pods, what bounds pods) has readers of its own in existing.cpp.
struct KindRow {
  using Reader = void (*)(const View& object, Draft& draft);

  std::string_view api, kind;
  Scope scope;
  Whose whose;
  Reader read_back;     // what `build` wrote; null: it writes none
  Reader read_given;    // what people apply; null: it says nothing of the cluster
  bool beside = false;  // `build` writes it where no base applies it: an administrator does, or the controller reads it
};
inline constexpr KindRow kKinds[] = {
    {kKueueApi, "ClusterQueue", Scope::Cluster, Whose::Kueue, read_cluster_queue, read_cluster_queue},
    {kKueueApi, "LocalQueue", Scope::Namespaced, Whose::Kueue, read_local_queue, read_local_queue},
    {kKueueApi, "ResourceFlavor", Scope::Cluster, Whose::Kueue, read_resource_flavor, read_resource_flavor},
    {kKueueApi, "Cohort", Scope::Cluster, Whose::Kueue, read_cohort, read_cohort},
    {kKueueApi, "WorkloadPriorityClass", Scope::Cluster, Whose::Kueue, read_priority_class, read_priority_class},
    {kConfigApi, "Configuration", Scope::Cluster, Whose::Config, read_configuration, read_configuration, true},
    {kAdmissionApi, "ValidatingAdmissionPolicy", Scope::Cluster, Whose::Guard, read_admission_policy,
     read_admission_policy},
    {kAdmissionApi, "ValidatingAdmissionPolicyBinding", Scope::Cluster, Whose::Guard, read_admission_binding,
     read_admission_binding},
    {kAdmissionApi, "MutatingWebhookConfiguration", Scope::Cluster, Whose::Hook, nullptr, read_webhooks},
    {kSchedulingApi, "PriorityClass", Scope::Cluster, Whose::Other, read_pod_priority_class, read_pod_priority_class},
    {"v1", "Namespace", Scope::Cluster, Whose::Other, read_namespace, read_namespace},
    {"v1", "ConfigMap", Scope::Namespaced, Whose::Other, read_config_map, nullptr, true},
    {"nvidia.com/v1", "ClusterPolicy", Scope::Cluster, Whose::Other, read_operator_policy, nullptr, true},
    {kGatewayApi, "BackendTrafficPolicy", Scope::Namespaced, Whose::Other, read_traffic_policy, nullptr},
    {"gateway.networking.k8s.io/v1", "HTTPRoute", Scope::Namespaced, Whose::Other, read_http_route, nullptr},
    {"networking.k8s.io/v1", "NetworkPolicy", Scope::Namespaced, Whose::Other, read_network_policy, nullptr},
    {kVolcanoApi, "Queue", Scope::Cluster, Whose::Other, read_volcano_queue, nullptr},
    {"v1", "ResourceQuota", Scope::Namespaced, Whose::Other, read_resource_quota, nullptr},
    {kRbacApi, "ClusterRole", Scope::Cluster, Whose::Other, read_cluster_role, read_cluster_role, true},
    {kRbacApi, "ClusterRoleBinding", Scope::Cluster, Whose::Other, read_cluster_role_binding, read_cluster_role_binding,
     true},
    {kRbacApi, "Role", Scope::Namespaced, Whose::Other, nullptr, read_role},
    {kRbacApi, "RoleBinding", Scope::Namespaced, Whose::Other, nullptr, read_role_binding},
};

// Null: no row has it.
constexpr const KindRow* kind_row(std::string_view api, std::string_view kind) {
  return find_where(kKinds, [&](const KindRow& row) { return row.kind == kind && row.api == api; });
}

}  // namespace gpol::manifest
