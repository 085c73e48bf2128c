// Pods that others run: what a pod template (or a Pod), of whatever kind of object, says of devices, of where its pods
// may stand and of whether they queue. Observed; who of them breaks a proof is judged elsewhere (families/strangers.h).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compiler/cluster/cluster.h"
#include "compiler/source/span.h"
#include "compiler/source/special_members.h"

namespace gpol {

struct PodFacts {
  struct Ask {
    std::string field;  // "spec.template.spec.containers[0].resources.limits[nvidia.com/gpu]"
    Span span;
  };
  // What labels say to Kueue.
  struct Labels {
    std::string queue;     // the LocalQueue
    std::string priority;  // the WorkloadPriorityClass
    Ask names_priority;    // where it is named
  };
  // What something that was not read says of them: an object that is named, or a text that is filled in.
  struct Unread {
    std::string why, remedy;           // "takes its pods from ServingRuntime `a`, which is not among the manifests"
    Ask at;                            // what names it
    bool asks = true, ranks = true;    // it may ask for anything, and name a PriorityClass; else only selects nodes
    std::vector<std::string> sayable;  // "GROUP/KIND/NS/NAME" of those that may say it, the first that is there does
    bool patched = false;              // node selectors of the object are laid over what it says
  };
  // Of a required node affinity (k8s.io/component-helpers scheduling/corev1/nodeaffinity).
  struct NodeRequirement {
    std::string key, op;  // In, NotIn, Exists, DoesNotExist, Gt, Lt
    std::vector<std::string> values;
    bool of_name = false;  // matchFields: the node's name; else a label
  };
  std::string group;           // of its API: "batch"; empty: the core
  std::string kind, ns, name;  // of the object; name: "ns/name"
  std::string path;            // of the template
  std::string owner;           // its controller, "KIND/ns/name"; empty: it has none
  std::string owner_uid;       // as it names it
  // Why its controller, which is among the manifests, cannot have made it: it makes none such, or has another uid.
  enum class Forged : std::uint8_t { No, Kind, Uid } forged = Forged::No;
  bool owner_queues = false;         // where it is forged
  std::map<std::string, Ask> asks;   // by resource: what asks for more than none of it; cpu, memory and the like apart
                                     // Empty: it queues or names a PriorityClass, and asks for no device.
  std::map<std::string, Ask> needs;  // the same of every resource
  std::map<std::string, std::string> node_selector;
  // Each term that a node must meet one of; a term without requirements is met by none. Absent: any node will do.
  std::optional<std::vector<std::vector<NodeRequirement>>> node_terms;
  std::vector<Toleration> tolerations;
  std::string runtime_class;   // that brings an overhead; empty: none, or they say their own
  bool repels = false;         // by a required anti-affinity, pods of other namespaces from its nodes
  std::string constrained;     // what else chooses their nodes, and no formula knows: "their ..."; empty: nothing
  std::string priority_class;  // of kube-scheduler; empty: the cluster's default
  Ask names_class;             // where it is named
  std::string job_class;       // of a job of kubeflow.org: what Kueue takes before that of its pods; empty: none
  Ask names_job_class;
  bool queue_of_object = false, queue_of_pods = false;  // which of them carries the label of a queue
  Labels of_object, of_pods;
  std::optional<std::int64_t> priority;  // of a Workload, its own; it asks for nothing here
  bool class_c = false;  // it serves outside the queue and is promised nothing: its devices are taken off the Nodes
  std::map<std::string, std::int64_t> room;  // what its containers request of cpu, memory and the like: no less
  std::optional<Unread> unread;              // where it asks: nothing else of them is known
  std::string whose;  // the other object whose template this is: "ServingRuntime `a`"; empty: its own
  Ask names_whose;
  std::string node;             // of a Pod that stands on one; empty: kube-scheduler chooses
  std::int64_t grace_s = 30;    // terminationGracePeriodSeconds; 30 is the API server's default
  std::string pod_group;        // of a Pod: kueue.x-k8s.io/pod-group-name; those of one are one Workload
  std::int64_t group_pods = 0;  // kueue.x-k8s.io/pod-group-total-count: how many those are
  bool ends = false;            // of a Pod that no controller made: nothing starts it again once it is done
  bool generated = false;       // the API server makes its name: each is another object
  bool idle = false;            // no replicas: it runs none unless something scales it
  // Pods of this template in one Workload of Kueue, and the fewest with which that is admitted (partial admission).
  std::int64_t count = 1, fewest = 1;
  // Workloads that its object makes (a Deployment's pods, the groups of a LeaderWorkerSet are one each): as it is
  // written, and the most with the maximum of its autoscaler.
  std::int64_t workloads = 1, most_workloads = 1;
  Ask elastic;   // where the annotation kueue.x-k8s.io/elastic-job says true; unknown: nowhere
  Ask negative;  // where a container asks for less than nothing; unknown: nowhere
  Ask beyond;    // where a Job's parallelism is above its completions; unknown: nowhere
  Span span;     // of its name

  GPOL_SPECIAL_MEMBERS(PodFacts);
};

// What may refuse or change the pods of a namespace: a ResourceQuota, a LimitRange.
struct PodLimits {
  std::string kind, ns, name;                     // name: "ns/name"; ns may be empty
  std::map<std::string, PodFacts::Ask> defaults;  // of a LimitRange: resources of which containers have a default
  std::set<std::string> of_nothing;               // those of them whose default is 0
  // Of a ResourceQuota: the least that it lets all pods have, by resource, in base units.
  std::map<std::string, std::pair<std::int64_t, PodFacts::Ask>> hard;
  bool scoped = false;  // it counts some pods only
  // Where that is by their PriorityClass alone: of one of these, any, or none of these (scopeSelector).
  std::string class_op;  // In, NotIn, Exists, DoesNotExist; empty: by something else, or by nothing
  std::set<std::string> classes;
};

// An object that is not of pods and goes round quota in one of the ways of families/quota_ways.h.
struct QuotaWayUse {
  std::string key, kind, name;
  PodFacts::Ask at;
};

// What a dump says that a queue holds now.
struct HeldFacts {
  std::string queue, flavor, resource;
  std::int64_t amount = 0;   // base units
  bool of_workload = false;  // of one of its Workloads; else of its own status
  std::string ns;            // of that Workload
  Span at;
};

}  // namespace gpol
