// The rules that stand in the CRDs themselves (x-kubernetes-validations), one function each, as far as a create
// evaluates them: those that compare with the stored object are of updates. Where CEL asks for a field that is absent
// it fails, and the object is refused; so absent is never equal to what a rule demands.
#include <set>

#include "checker/observe/schema/findings.h"

namespace gpol::manifest::schema {
namespace {

void borrowing_limit_needs_cohort(const Look& spec, const Report& report) {
  if (spec.get("cohortName").present() || spec.get("cohort").present()) return;
  each(spec, "resourceGroups[].flavors[].resources[].borrowingLimit", [&](const Look& limit) {
    report(limit, "needs a cohort: a queue outside every cohort has nobody to borrow from");
  });
}

void preference_needs_next_flavor(const Look& fungibility, const Report& report) {
  const Look preference = fungibility.get("preference");
  const Look borrow = fungibility.get("whenCanBorrow"), preempt = fungibility.get("whenCanPreempt");
  if (!preference.present()) return;
  if (borrow.text("MayStopSearch") == "TryNextFlavor" && preempt.text("TryNextFlavor") == "TryNextFlavor") return;
  report(preference, "needs whenCanBorrow and whenCanPreempt to be `TryNextFlavor`");
}

void borrow_within_cohort_needs_reclaim(const Look& preemption, const Report& report) {
  const Look reclaim = preemption.get("reclaimWithinCohort"), borrow = preemption.get("borrowWithinCohort");
  if (const Look policy = borrow.get("policy"); reclaim.text("Never") == "Never" && policy.text("Never") != "Never")
    report(policy, "needs reclaimWithinCohort to be another than `Never`");
}

void as_many_resources_as_covered(const Look& group, const Report& report) {
  const Look covered = group.get("coveredResources");
  if (!covered.is(Json::List)) return;
  each(group, "flavors[].resources", [&](const Look& resources) {
    if (resources.is(Json::List) && resources.size() != covered.size())
      report(resources, "has " + std::to_string(resources.size()) + " resources, and coveredResources has " +
                            std::to_string(covered.size()));
  });
}

void topology_needs_node_label(const Look& spec, const Report& report) {
  if (!spec.get("topologyName").present()) return;
  const Look labels = spec.get("nodeLabels");
  for (const Entry& label : labels.entries())
    if (label.value.kind != Node::Kind::Null) return;
  report(labels, "must name at least one label where topologyName is set");
}

// CRDs have the rules of taints, tolerations and levels at the list.
template <auto rule>
void of_each(const Look& list, const Report& report) {
  for (const Look one : list.items()) rule(one, report);
}

// Of a taint, and of a toleration.
void known_effect(const Look& one, const Report& report) {
  const Look effect = one.get("effect");
  if (effect.is(Json::Text) && !is_among("NoSchedule PreferNoSchedule NoExecute", effect.text()))
    report(effect, shown(effect.text()) + " is none of `NoSchedule`, `PreferNoSchedule`, `NoExecute`");
}

void toleration_without_key(const Look& toleration, const Report& report) {
  const Look op = toleration.get("operator");
  if (toleration.is(Json::Map) && !toleration.get("key").present() && op.text() != "Exists")
    report(op, "must be `Exists` where no key is given");
}

void toleration_seconds(const Look& toleration, const Report& report) {
  const Look seconds = toleration.get("tolerationSeconds"), effect = toleration.get("effect");
  if (seconds.present() && effect.text() != "NoExecute") report(seconds, "needs effect to be `NoExecute`");
}

void toleration_operator(const Look& toleration, const Report& report) {
  if (const Look op = toleration.get("operator"); op.is(Json::Text) && !is_among("Equal Exists", op.text()))
    report(op, shown(op.text()) + " is none of `Equal`, `Exists`");
}

void toleration_value(const Look& toleration, const Report& report) {
  const Look op = toleration.get("operator"), value = toleration.get("value");
  if (op.text() == "Exists" && value.present()) report(value, "must be absent where operator is `Exists`");
}

void levels_unique(const Look& levels, const Report& report) {
  std::set<std::string_view> seen;
  for (const Look level : levels.items())
    if (const Look label = level.get("nodeLabel"); label.is(Json::Text) && !seen.insert(label.text()).second)
      report(label, shown(label.text()) + " is the label of another level");
}

void hostname_lowest_level(const Look& levels, const Report& report) {
  constexpr std::string_view hostname = "kubernetes.io/hostname";
  for (std::size_t i = 0; i + 1 < levels.size(); ++i) {
    const Look level = levels.at(i), label = level.get("nodeLabel");
    const Look last = levels.at(levels.size() - 1), last_label = last.get("nodeLabel");
    if (label.text() == hostname && last_label.text() != hostname)
      report(label, "`kubernetes.io/hostname` can only be the lowest level, which is the last");
  }
}

void class_needs_priority(const Look& spec, const Report& report) {
  const Look ref = spec.get("priorityClassRef"), name = spec.get("priorityClassName");  // the second is v1beta1's
  if (const Look priority = spec.get("priority"); (ref.present() || name.present()) && !priority.present())
    report(priority, "must be given where a priority class is named");
}

void min_count_within_count(const Look& pod_set, const Report& report) {
  const Look least = pod_set.get("minCount"), count = pod_set.get("count");
  const auto low = least.integer(), high = count.present() ? count.integer() : std::optional<std::int64_t>(1);
  if (low && high && *low > *high) report(least, "must be at most count, which is " + std::to_string(*high));
}

void pod_priority_class(const Look& ref, const Report& report) {
  const Look kind = ref.get("kind");
  if (ref.get("group").text() == "scheduling.k8s.io" && kind.text() != "PriorityClass")
    report(kind, "must be `PriorityClass` in the group scheduling.k8s.io");
}

void workload_priority_class(const Look& ref, const Report& report) {
  const Look kind = ref.get("kind");
  if (ref.get("group").text() == "kueue.x-k8s.io" && kind.text() != "WorkloadPriorityClass")
    report(kind, "must be `WorkloadPriorityClass` in the group kueue.x-k8s.io");
}

constexpr Rule kRules[] = {
    {"cel:borrowing-limit-needs-cohort", "ClusterQueue", "spec", borrowing_limit_needs_cohort},
    {"cel:preference-needs-next-flavor", "ClusterQueue", "spec.flavorFungibility", preference_needs_next_flavor},
    {"cel:borrow-within-cohort-needs-reclaim", "ClusterQueue", "spec.preemption", borrow_within_cohort_needs_reclaim},
    {"cel:as-many-resources-as-covered", "ClusterQueue Cohort", "spec.resourceGroups[]", as_many_resources_as_covered},
    {"cel:topology-needs-node-label", "ResourceFlavor", "spec", topology_needs_node_label},
    {"cel:taint-effect", "ResourceFlavor", "spec.nodeTaints", of_each<known_effect>},
    {"cel:toleration-without-key", "ResourceFlavor", "spec.tolerations", of_each<toleration_without_key>},
    {"cel:toleration-seconds", "ResourceFlavor", "spec.tolerations", of_each<toleration_seconds>},
    {"cel:toleration-operator", "ResourceFlavor", "spec.tolerations", of_each<toleration_operator>},
    {"cel:toleration-value", "ResourceFlavor", "spec.tolerations", of_each<toleration_value>},
    {"cel:toleration-effect", "ResourceFlavor", "spec.tolerations", of_each<known_effect>},
    {"cel:levels-unique", "Topology", "spec.levels", levels_unique},
    {"cel:hostname-lowest-level", "Topology", "spec.levels", hostname_lowest_level},
    {"cel:class-needs-priority", "Workload", "spec", class_needs_priority},
    {"cel:min-count-within-count", "Workload", "spec.podSets[]", min_count_within_count},
    {"cel:pod-priority-class", "Workload", "spec.priorityClassRef", pod_priority_class},
    {"cel:workload-priority-class", "Workload", "spec.priorityClassRef", workload_priority_class},
};

}  // namespace

std::span<const Rule> cel_rules() { return kRules; }

}  // namespace gpol::manifest::schema
