// Deployment, StatefulSet and other owners of pods that are labelled as serving and do not queue: apps/v1, and what
// k8s.io/api core/v1 PodSpec says of requests (a limit without a request is one) and of where its pods may stand.
#include <algorithm>

#include "checker/observe/fields.h"
#include "checker/observe/kinds/kinds.h"
#include "checker/observe/pod_room.h"
#include "compiler/source/lookup.h"

namespace gpol::manifest {
namespace {

PodRoom::Amounts amounts_of(const View& map, const char* key) {
  PodRoom::Amounts amounts;
  if (const auto list = map.map(key))
    for (const Entry& entry : list->node().entries)
      if (const auto amount = read_amount(*list, entry.key, entry.key)) amounts.emplace(entry.key, *amount);
  return amounts;
}

PodRoom::Amounts requests_of(const View& container) {
  const auto resources = container.map("resources");
  if (!resources) return {};
  PodRoom::Amounts amounts = amounts_of(*resources, "requests");
  amounts.merge(amounts_of(*resources, "limits"));
  return amounts;
}

PodRoom::Amounts needs_of(const View& pod) {
  PodRoom room;
  pod.each_map("containers", [&](const View& container) { room.container(requests_of(container)); });
  pod.each_map("initContainers", [&](const View& container) {
    room.init_container(requests_of(container), container.text("restartPolicy") == "Always");
  });
  if (const auto own = pod.map("resources")) room.of_pod(amounts_of(*own, "requests"), amounts_of(*own, "limits"));
  room.overhead(amounts_of(pod, "overhead"));
  PodRoom::Amounts total = room.total();
  total["pods"] = 1;
  return total;
}

// What of a pod keeps it off nodes, or takes it off them, that no formula knows; empty: nothing.
std::string not_modelled(const View& pod) {
  constexpr std::string_view required = "requiredDuringSchedulingIgnoredDuringExecution";
  if (const auto affinity = pod.map("affinity")) {
    if (affinity->has("nodeAffinity")) return "its node affinity is not modelled";
    for (const char* key : {"podAffinity", "podAntiAffinity"})
      if (const auto of_pods = affinity->map(key); of_pods && of_pods->has(required))
        return "its affinity to other pods is not modelled";
  }
  if (pod.has("nodeName")) return "it names its node";
  if (pod.has("resourceClaims")) return "its resource claims are not modelled";
  if (pod.has("schedulingGates")) return "its scheduling gates are not modelled";
  if (pod.boolean("hostNetwork").value_or(false)) return "it takes ports of its node";
  if (pod.text("schedulerName").value_or("default-scheduler") != "default-scheduler")
    return "another scheduler chooses its node";
  std::string why;
  pod.each_map("topologySpreadConstraints", [&](const View& item) {
    if (item.text("whenUnsatisfiable").value_or("DoNotSchedule") != "ScheduleAnyway")
      why = "how its pods are spread is not modelled";
  });
  pod.each_map("tolerations", [&](const View& item) {
    const auto key = item.text("key").value_or("");  // those two every pod is given
    if (item.has("tolerationSeconds") && key != "node.kubernetes.io/not-ready" &&
        key != "node.kubernetes.io/unreachable")
      why = "it tolerates a taint for a while only";
  });
  for (const char* list : {"containers", "initContainers"})
    pod.each_map(list, [&](const View& container) {
      container.each_map("ports", [&](const View& port) {
        if (port.integer("hostPort").value_or(0) > 0) why = "it takes ports of its node";
      });
    });
  return why;
}

}  // namespace

void read_workload_owner(const View& object, const std::string& api, const std::string& kind,
                         std::vector<OutsideFacts>& outside) {
  const auto metadata = object.map("metadata");
  if (!metadata || api.starts_with("scheduling.volcano.sh/")) return;  // a Queue of Volcano owns no pods
  const auto labels = metadata->text_map("labels");
  const auto label = [&](const char* key) { return value_or(labels, key, std::string()); };
  if (label("gpol.dev/role") != "serving" || !label("kueue.x-k8s.io/queue-name").empty()) return;
  OutsideFacts facts;
  facts.group = group_of(api), facts.kind = kind;
  facts.name = metadata->text("namespace").value_or("default") + "/" + metadata->required_text("name");
  facts.ns = metadata->text("namespace").value_or("default");
  facts.isolation = label("gpol.dev/class");
  facts.span = metadata->span_of("name");
  metadata->each_map("ownerReferences", [&](const View& item) {
    if (item.boolean("controller").value_or(false))
      facts.owner = group_of(item.text("apiVersion").value_or("")) + "/" + item.text("kind").value_or("") + "/" +
                    facts.ns + "/" + item.text("name").value_or("");
  });
  const bool modelled =
      kind == "Pod" ? facts.group.empty()
                    : facts.group == "apps" && (kind == "Deployment" || kind == "StatefulSet" || kind == "ReplicaSet");
  if (!modelled) {
    facts.unknown =
        "a " + kind + (facts.group.find('.') == std::string::npos ? "" : " of " + facts.group) + " is not modelled";
    facts.each["pods"] = 1;
    return outside.push_back(std::move(facts));
  }
  const auto spec = object.map("spec");
  if (!spec) {
    facts.unknown = "it has no spec";
    facts.each["pods"] = 1;
    return outside.push_back(std::move(facts));
  }
  facts.replicas = kind == "Pod" ? 1 : std::max<std::int64_t>(0, spec->integer("replicas").value_or(1));
  const auto pod_template = kind == "Pod" ? std::nullopt : spec->map("template");
  const auto inner = pod_template ? pod_template->map("spec") : std::nullopt;
  const View* pod = kind == "Pod" ? &*spec : inner ? &*inner : nullptr;
  if (pod == nullptr) {
    facts.unknown = "it has no pod template";
  } else {
    facts.each = needs_of(*pod);
    facts.runtime_class = pod->text("runtimeClassName").value_or("");
    facts.node_selector = pod->text_map("nodeSelector");
    pod->each_map("tolerations", [&](const View& item) { facts.tolerations.push_back(toleration_of(item)); });
    if (facts.replicas == 0) facts.unknown = "it has no replicas";
    if (std::string why = not_modelled(*pod); !why.empty()) facts.unknown = std::move(why);
    const auto about = pod_template ? pod_template->map("metadata") : std::nullopt;
    if (about && about->text_map("labels").contains("kueue.x-k8s.io/queue-name"))
      facts.unknown = "its pods are labelled with a queue";
  }
  outside.push_back(std::move(facts));
}

}  // namespace gpol::manifest
