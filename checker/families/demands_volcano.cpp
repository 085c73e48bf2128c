// What premises demand where the scheduler is Volcano. Sources (v1.15.1): the queue of a pod is that of its PodGroup,
// which its annotation names (pkg/controllers/podgroup/pg_controller_handler.go) or its Volcano Job
// (pkg/controllers/job/job_controller_util.go); a pod that runs is counted where its PodGroup is, whoever placed it
// (pkg/scheduler/cache/event_handlers.go); a PodGroup in a queue with children stops the scheduler
// (pkg/scheduler/plugins/capacity/capacity.go). Nothing here is shared with what plans the guards.
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/families/demand_words.h"
#include "checker/families/doors.h"

namespace gpol {

namespace {

constexpr std::string_view kPlaced = "placed-by-volcano", kQueues = "volcano-queues-unchanged";

std::string list_of(const std::set<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + quoted(name);
  return "[" + out + "]";
}

// A pod of the tenant's, told to Volcano, of the queue and on its nodes.
std::string at_home(const Cluster& cluster, const Intent& intent) {
  std::vector<std::string> ways{"false"};
  const auto& queues = cluster.volcano->queues;
  for (std::size_t q = 0; q < intent.volcano_roles.size(); ++q) {
    const volcano::QueueRole& role = intent.volcano_roles[q];
    if (role.namespaces.empty() || role.pool == kNone) continue;
    std::string way = fmt::format(
        "request.namespace in {} && has(object.spec.schedulerName) && "
        "object.spec.schedulerName == 'volcano'",
        list_of({role.namespaces.begin(), role.namespaces.end()}));
    const std::string by_pod = metadata_entry("object", "annotations", "scheduling.volcano.sh/queue-name"),
                      by_job = metadata_entry("object", "annotations", "volcano.sh/queue-name");
    way += fmt::format(" && ({0} == {2} || {1} == {2}) && {0} in ['', {2}] && {1} in ['', {2}]", by_pod, by_job,
                       quoted(queues[q].name));
    for (const auto& [key, value] : cluster.flavors[role.pool].node_labels)
      way += fmt::format(
          " && has(object.spec.nodeSelector) && {0} in object.spec.nodeSelector && "
          "object.spec.nodeSelector[{0}] == {1}",
          quoted(key), quoted(value));
    ways.push_back("(" + way + ")");
  }
  return fmt::format("({})", fmt::join(ways, " || "));
}

std::string any_container(const std::string& asks) {
  return fmt::format(
      "(object.spec.containers.exists(c, {0}) || (has(object.spec.initContainers) && "
      "object.spec.initContainers.exists(c, {0})))",
      asks);
}

}  // namespace

void DemandList::volcano(const std::string& who, const std::string& here, const std::string& anywhere) {
  placed_by_volcano(who, here, anywhere);
  volcano_queues();
  if (!who.empty()) repels_nobody(who, here);
  Doors serving;
  std::map<std::string, std::string> by;
  for (const volcano::QueueRole& role : intent_.volcano_roles)
    for (const std::string& ns : role.namespaces)
      if (role.kind == volcano::QueueRole::Kind::Serving)
        by.emplace(ns, ns), serving.names.insert(ns), serving.any = true;
  if (serving.any) takes_no_ports(serving.who(), serving.here(by));
}

void DemandList::placed_by_volcano(const std::string& who, const std::string& here, const std::string& anywhere) {
  const std::string home = at_home(cluster_, intent_);
  const std::string beside = "it stands on devices that a reserve counts on, and its tenant's queue is not charged";
  const std::string by_hand = "no taint and no selector keeps it off that node";
  const std::string uncounted = "its queue holds more than anybody compared with its limit";
  const std::string by_name = any_container(asks_gpu("c", "false"));
  const std::string named = "has(object.spec.nodeName) && object.spec.nodeName != ''";
  add(kPlaced, "any user", "creates a pod that asks for a GPU outside of its tenant's queue and pool", beside, "",
      "pods", "CREATE", anywhere + fmt::format("{} && !{}", by_name, home));
  add(kPlaced, "any user", "creates a pod that asks for a GPU, with the name of a node in it", by_hand, "", "pods",
      "CREATE", anywhere + fmt::format("{} && {} && {}", kNotKubelet, by_name, named));
  if (here.empty() && who.empty()) return;
  add(kPlaced, who, "creates a pod that asks for a device of the vendor outside of its queue and pool", beside, "",
      "pods", "CREATE", here + fmt::format("{} && !{}", any_container(asks_gpu("c", "true")), home));
  add(kPlaced, who, "creates a pod that claims a device", "Volcano charges no queue for it", "", "pods", "CREATE",
      here + "has(object.spec.resourceClaims)");
  add(kPlaced, who, "creates a pod with the name of a node in it", by_hand, "", "pods", "CREATE",
      here + std::string(kNotKubelet) + " && " + named);
  std::set<std::string> keys;
  for (const NodePool& pool : cluster_.node_pools)
    for (const Taint& taint : pool.taints) keys.insert(taint.key);
  const auto tolerates = [](const char* object, const std::string& key) {
    return fmt::format("has({0}.spec.tolerations) && {0}.spec.tolerations.exists(t, {1})", object,
                       key.empty() ? "!has(t.key) || t.key == ''" : "has(t.key) && t.key == " + quoted(key));
  };
  std::set<std::string> ways = keys;
  if (!keys.empty()) ways.emplace("");
  const std::string daemons = not_user("kube-system", "daemon-set-controller");
  std::string before;
  for (const std::string& key : ways)
    before += fmt::format("{}({})", before.empty() ? "" : " || ", tolerates("oldObject", key));
  for (const std::string& key : ways) {
    add(kPlaced, who, "creates a pod that tolerates the taint of GPU nodes outside of its queue and pool", beside, "",
        "pods", "CREATE",
        here + fmt::format("{} && {} && {} && !{}", daemons, kNotKubelet, tolerates("object", key), home));
    add(kPlaced, who, "lets a pod that waits for a node tolerate the taint of GPU nodes", beside, "", "pods", "UPDATE",
        here + fmt::format("{} && {} && {} && !({}) && !{}", daemons, kNotKubelet, tolerates("object", key), before,
                           home));
    add(kPlaced, who, "raises the cpu of a running pod of GPU nodes", uncounted, "", "pods/resize", "UPDATE",
        here + tolerates("object", key));
  }
  for (const char* resource : {"pods/binding", "bindings"})
    add(kPlaced, who, "binds a pod to a node", by_hand, "", resource, "CREATE",
        here + "request.userInfo.username != 'system:kube-scheduler' && " +
            not_user("volcano-system", "volcano-scheduler"));
  for (const char* operation : {"CREATE", "UPDATE"})
    add(kPlaced, who, "counts a pod of another scheduler in a PodGroup", uncounted, "", "pods", operation,
        here + fmt::format("{} != '' && !(has(object.spec.schedulerName) && object.spec.schedulerName == 'volcano')",
                           metadata_entry("object", "annotations", "scheduling.k8s.io/group-name")));
}

void DemandList::volcano_queues() {
  std::set<std::string> names;
  for (const volcano::Queue& queue : cluster_.volcano->queues) names.insert(queue.name);
  const std::string ours = list_of(names), others = stranger("");
  // Volcano's controllers mark a queue as closed by the one above it.
  const std::string changers = others + not_user("volcano-system", "volcano-controllers") + " && ";
  const std::string breaks = "the limits are not those that were proven";
  for (const char* operation : {"CREATE", "UPDATE", "DELETE"})
    for (const char* object : {"object", "oldObject"}) {
      const bool made = std::string_view(operation) == "CREATE", deleted = std::string_view(operation) == "DELETE",
                 changed = !made && !deleted;
      if ((made && std::string_view(object) == "oldObject") || (deleted && std::string_view(object) == "object"))
        continue;
      add(kQueues, "any user", fmt::format("sends {} of one of these Queues", operation), breaks,
          "scheduling.volcano.sh", "queues", operation,
          (changed ? changers : others) + fmt::format("{}.metadata.name in {}", object, ours));
      add(kQueues, "any user", fmt::format("sends {} of a Queue below one of these", operation), breaks,
          "scheduling.volcano.sh", "queues", operation,
          (changed ? changers : others) +
              fmt::format("has({0}.spec) && has({0}.spec.parent) && {0}.spec.parent in {1}", object, ours));
    }
  for (const char* operation : {"CREATE", "UPDATE"})
    add(kQueues, "any user", "closes one of these Queues, or opens it", "its pods are not placed again when they end",
        "bus.volcano.sh", "commands", operation,
        others + fmt::format("has(object.target) && object.target.kind == 'Queue' && object.target.name in {}", ours));
  // By namespace the queues of its tenant.
  std::map<std::string, std::set<std::string>> own;
  for (std::size_t q = 0; q < intent_.volcano_roles.size(); ++q)
    for (const std::string& ns : intent_.volcano_roles[q].namespaces) own[ns].insert(cluster_.volcano->queues[q].name);
  std::set<std::string> closed = names, tenants;
  closed.insert(volcano::kRootQueue);
  const std::string queue = "(has(object.spec) && has(object.spec.queue) ? object.spec.queue : 'default')";
  const std::string taken = "its pods are counted where they do not stand, or the scheduler places nobody";
  for (const char* operation : {"CREATE", "UPDATE"}) {
    for (const auto& [ns, queues] : own) {
      tenants.insert(ns);
      add(kQueues, "a user of " + ns, fmt::format("sends {} of a PodGroup in another queue", operation), taken,
          "scheduling.volcano.sh", "podgroups", operation,
          fmt::format("request.namespace == {} && !({} in {})", quoted(ns), queue, list_of(queues)));
    }
    add(kQueues, "any user", fmt::format("sends {} of a PodGroup in one of these queues, or in root", operation), taken,
        "scheduling.volcano.sh", "podgroups", operation,
        fmt::format("{}{} in {}",
                    tenants.empty() ? "" : fmt::format("!(request.namespace in {}) && ", list_of(tenants)), queue,
                    list_of(closed)));
  }
}

}  // namespace gpol
