// What Kueue's validating webhook says to a new Workload (pkg/webhooks/workload_webhook.go), with the default feature
// gates of v0.19.2. Its status is dropped before the webhook sees it, so the rules on it are of updates.
#include <set>

#include "checker/observe/schema/shared_rules.h"
#include "checker/observe/schema/syntax.h"
#include "compiler/source/split.h"

namespace gpol::manifest::schema {
namespace {

constexpr std::string_view kElasticJob = "kueue.x-k8s.io/elastic-job";
constexpr std::string_view kGatedBy = "kueue.x-k8s.io/admission-gated-by";

void resource_lists(const Look& resources, const Report& report) {
  for (const auto key : {"requests", "limits"}) {
    const Look list = resources.get(key);
    for (const Entry& entry : list.entries()) {
      const Look amount = list.entry(entry);
      if (entry.value.kind == Node::Kind::Null || !check_quantity(amount, report)) continue;
      if (entry.key == "pods") report(amount, "`pods` is kept for Kueue's own use");
      if (is_negative(amount)) report(amount, "must not be negative");
    }
  }
}

void pod_resources(const Look& pod, const Report& report) {
  for (const auto path : {"initContainers[].resources", "containers[].resources", "resources"})
    each(pod, path, [&](const Look& resources) { resource_lists(resources, report); });
}

void one_min_count(const Look& spec, const Report& report) {
  bool seen = false;
  each(spec, "podSets[].minCount", [&](const Look& least) {
    if (seen) report(least, "may be given for one pod set only");
    seen = true;
  });
}

void no_min_count_of_elastic(const Look& object, const Report& report) {
  const Look metadata = object.get("metadata"), annotations = metadata.get("annotations");
  if (annotations.get(kElasticJob).text() != "true") return;
  each(object, "spec.podSets[].minCount",
       [&](const Look& least) { report(least, "cannot be given for an elastic job"); });
}

void slice_size(const Look& request, const Report& report) {
  const Look topology = request.get("podSetSliceRequiredTopology"), size = request.get("podSetSliceSize");
  const auto value = size.integer();
  if (topology.present() && !size.present()) report(size, "must be given where podSetSliceRequiredTopology is");
  if (topology.present() && value && *value <= 0) report(size, "must be greater than 0");
  if (!topology.present() && size.present()) report(size, "may be given only where podSetSliceRequiredTopology is");
}

void admission_gates(const Look& annotations, const Report& report) {
  const Look gated = annotations.get(kGatedBy);
  if (trimmed(gated.text()).empty()) return;
  std::set<std::string_view> seen;
  for (const std::string_view one : split(gated.text(), ',')) {
    const auto gate = trimmed(one);
    if (gate.empty())
      report(gated, "holds an empty name of a gate");
    else if (!seen.insert(gate).second)
      report(gated, "names the gate " + shown(gate) + " twice");
    else if (gate.size() > 63 || !is_domain_prefixed_path(gate))
      report(gated, shown(gate) + " is not the name of a gate: a DNS name, `/`, a path, at most 63 characters");
  }
}

constexpr Rule kRules[] = {
    {"webhook:pod-labels", "Workload", "spec.podSets[].template.metadata.labels", check_labels},
    {"webhook:pod-annotations", "Workload", "spec.podSets[].template.metadata.annotations", check_annotations},
    {"webhook:pod-resources", "Workload", "spec.podSets[].template.spec", pod_resources},
    {"webhook:slice-size", "Workload", "spec.podSets[].topologyRequest", slice_size},
    {"webhook:one-min-count", "Workload", "spec", one_min_count},
    {"webhook:elastic-min-count", "Workload", "", no_min_count_of_elastic},
    {"webhook:admission-gates", "Workload", "metadata.annotations", admission_gates},
};

}  // namespace

std::span<const Rule> workload_rules() { return kRules; }

}  // namespace gpol::manifest::schema
