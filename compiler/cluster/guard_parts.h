// What the guards of a plan are made of: rules, CEL about pods and users, and the guard itself. Shared by the files
// that plan guards (plan_*guards.cpp) and used by nobody else.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/cluster/plan_parts.h"

namespace gpol::guards {

inline constexpr const char* kJobController = "system:serviceaccount:kube-system:job-controller";
inline constexpr const char* kReplicaSetController = "system:serviceaccount:kube-system:replicaset-controller";
inline constexpr const char* kStatefulSetController = "system:serviceaccount:kube-system:statefulset-controller";
inline constexpr const char* kKueue = "system:serviceaccount:kueue-system:kueue-controller-manager";
inline constexpr const char* kVolcanoScheduler = "system:serviceaccount:volcano-system:volcano-scheduler";
inline constexpr const char* kVolcanoControllers = "system:serviceaccount:volcano-system:volcano-controllers";
inline constexpr const char* kGarbageCollector = "system:serviceaccount:kube-system:generic-garbage-collector";
inline constexpr const char* kNamespaceController = "system:serviceaccount:kube-system:namespace-controller";
inline constexpr const char* kDaemonController = "system:serviceaccount:kube-system:daemon-set-controller";
inline constexpr const char* kPodCollector = "system:serviceaccount:kube-system:pod-garbage-collector";
inline constexpr const char* kQuotaController = "system:serviceaccount:kube-system:resourcequota-controller";
inline constexpr const char* kApiServer = "system:apiserver";  // the API server itself, which counts what it lets in
inline constexpr const char* kGroup = "kueue.x-k8s.io/pod-group-name";  // a label, and an annotation
inline constexpr const char* kParent = "kueue.x-k8s.io/pod-suspending-parent";
inline constexpr const char* kQueueGate = "kueue.x-k8s.io/admission";
inline constexpr const char* kQueueLabel = "kueue.x-k8s.io/queue-name";
inline constexpr const char* kManagedLabel = "kueue.x-k8s.io/managed";
inline constexpr const char* kPriorityLabel = "kueue.x-k8s.io/priority-class";
inline constexpr const char* kJobLabel = "batch.kubernetes.io/controller-uid";

using Rule = MatchResources::Rule;

Rule rule(std::string group, std::vector<std::string> resources, std::vector<std::string> operations);
std::string user_is(std::string_view name);

// Some container of a pod's spec asks for a device of the pools by the name that the device plugin gives it. Limits
// suffice: the API server refuses a request of an extended resource without its limit (pkg/apis/core/validation
// ValidateContainerResourceRequirements).
std::string asks_by_name(const std::string& spec);
// The same, or by any name of the vendor (a DeviceClass may give these devices one), or by a claim: of what is claimed
// a pod says nothing, and no claim counts as a quota here. Only tenants are asked about these: other teams' are of
// network cards and the like.
std::string asks_gpu(const std::string& spec);

// The taint of some pool's nodes holds for it no longer: a toleration without a key is for every taint.
std::string tolerates(const Policy& policy, const std::string& spec);

// Either of the two. What Kueue starts without a GPU gets the flavor's toleration from it: it stands on the nodes, too.
std::string uses(const Policy& policy, const std::string& spec);

// `a in ['x', 'y']` of CEL, and `a == 'x'` where there is one.
std::string is_one_of(std::string_view what, const std::set<std::string>& values);

// A pod's spec selects the nodes of one of these pools (by index) of tenants outside the queue.
std::string selects_some(const Policy& policy, const std::string& spec, const std::set<std::uint32_t>& pools);

// Set by hand it passes by kube-scheduler, taints and all.
std::string names_node(const std::string& spec);
std::string gated(const std::string& object);
std::string suspended(const std::string& object);
std::string label(std::string_view object, std::string_view key);
std::string annotation(std::string_view object, std::string_view key);
std::string same_label(std::string_view key);
// An update by which the label stays as it was: what was there before the guard, or before its figures were others, is
// not held up. What runs already can end, and Kueue can stop it.
std::string keeps_label(std::string_view key);
// An update by Kueue or the Job controller, who stop and end what is there and give it nothing that a guard is about.
std::string ends_it();
std::string one_of(const std::vector<Writer>& writers);

// Kueue walks up the owners of a pod and of a Job, and leaves to its owner what has a managed one.
inline constexpr const char* kSameOwners =
    "(has(object.metadata.ownerReferences) ? object.metadata.ownerReferences : []) == "
    "(has(oldObject.metadata.ownerReferences) ? oldObject.metadata.ownerReferences : [])";

struct Guard {
  AdmissionPolicy policy;

  explicit Guard(std::string name) { policy.name = std::move(name); }
  Guard(std::string name, Rule rule, const std::vector<std::string>& namespaces) : Guard(std::move(name)) {
    about(std::move(rule)).in(namespaces);
  }
  Guard& about(Rule rule) { return policy.match.rules.push_back(std::move(rule)), *this; }
  Guard& in(const std::vector<std::string>& namespaces) {
    policy.match.namespaces.expressions.push_back({"kubernetes.io/metadata.name", "In", namespaces});
    return *this;
  }
  Guard& but(const std::set<std::string>& namespaces) {
    policy.match.namespaces.expressions.push_back(
        {"kubernetes.io/metadata.name", "NotIn", {namespaces.begin(), namespaces.end()}});
    return *this;
  }
  Guard& let(std::string name, std::string expression) {
    policy.variables.push_back({std::move(name), std::move(expression)});
    return *this;
  }
  Guard& demand(std::string expression, std::string message) {
    policy.validations.push_back({std::move(expression), std::move(message)});
    return *this;
  }
};

void add(Guard guard, Span span, Planned& out);

// Whom guards may look at: pods and Jobs in tenants' namespaces, and those elsewhere that ask for a device, but not in
// the namespaces of whoever runs the cluster.
struct Places {
  std::vector<std::string> tenants;
  std::set<std::string> exempt;
  Span span;
};
// That Kueue admits what asks for a device or stands on the nodes of a pool (plan_queued_guards.cpp).
void plan_queued(const Policy& policy, const Places& places, Planned& out);
// That no pod of a tenant takes a device by another name, or keeps others off nodes (plan_guards.cpp).
void plan_kept_nodes(const Places& places, Planned& out);
// That no pod that serves asks for a port of its node (plan_tenant_guards.cpp).
void plan_ports(const Policy& policy, Planned& out);
// That guards do what the lines `guard ...` say.
void roll_out(const Policy& policy, Planned& out);
// That nobody but the writers changes what is emitted, or joins it (plan_writer_guards.cpp).
void plan_queue_writers(const Policy& policy, Planned& out);

}  // namespace gpol::guards

namespace gpol {

// The devices of a pod: so many of a row of the policy's resources.
using Devices = std::pair<Resource, std::int64_t>;
Devices devices_of(const Policy& policy, const Resources& amounts);
// `8`; of slices `2-mig-3g.40gb`: what guards of this shape are named by.
std::string in_name(const Policy& policy, const Devices& devices);
// Exactly so many devices of one kind in one container of a pod, and none before it starts; where `when` holds.
guards::Guard& demand_devices(guards::Guard& guard, const std::string& spec, const Policy& policy,
                              const Devices& devices, const std::string& what);
// One guard for all tenants that have the same shape on a pool.
void plan_shapes(const Policy& policy, Planned& out);

}  // namespace gpol
