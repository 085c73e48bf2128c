#include "checker/observe/pod_limits.h"

#include "checker/observe/fields.h"
#include "checker/observe/quantity.h"

namespace gpol::manifest {
namespace {

// "requests.nvidia.com/gpu" limits nvidia.com/gpu; `pods` and `count/pods` limit pods (pkg/quota/v1/evaluator/core).
std::string limited(std::string_view key) {
  for (const std::string_view prefix : {"requests.", "limits.", "count/"})
    if (key.starts_with(prefix)) return std::string(key.substr(prefix.size()));
  return std::string(key);
}

// Of containers alone: of those of pods and volumes there is no default. A `min` is a default request where neither a
// default nor a `max` says one (SetDefaults_LimitRangeItem of pkg/apis/core/v1/defaults.go); a `max` is one that no
// container has more than.
void read_defaults(const Node& spec, const Place& place, PodLimits& limits) {
  const Node* list = field(spec, "limits");
  if (list == nullptr) return;
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    if (text_at(&list->items[i], "type") != "Container") continue;
    const Node* max = field(list->items[i], "max");
    for (const std::string_view key : {"defaultRequest", "default", "min"})
      if (const Node* amounts = field(list->items[i], key))
        for (const Entry& entry : amounts->entries) {
          if (key == "min" && max != nullptr && field(*max, entry.key) != nullptr) continue;
          std::string where = "spec.limits[" + std::to_string(i) + "]." + std::string(key);
          append_key(where, entry.key);
          limits.defaults.try_emplace(entry.key, PodFacts::Ask{std::move(where), place.span(entry.value)});
          const Amount amount = amount_of(entry.value.text, entry.key);
          if (amount.status != Amount::Status::Ok || amount.value == 0) limits.of_nothing.insert(entry.key);
        }
  }
}

// In these are pods that run on and ask for a device (pkg/quota/v1/evaluator/core/pods.go podMatchesScopeFunc).
bool always(const std::string& scope) { return scope == "NotTerminating" || scope == "NotBestEffort"; }

// One scope beside those, that of a PriorityClass: `scopes: [PriorityClass]` is one that exists.
void read_scope(const Node& spec, PodLimits& limits) {
  std::size_t others = 0;
  const auto take = [&](const std::string& scope, const std::string& op) {
    if (always(scope)) return false;
    limits.scoped = true, ++others;
    limits.class_op = scope == "PriorityClass" && others == 1 ? op : "";
    return true;
  };
  if (const Node* scopes = field(spec, "scopes"))
    for (const Node& one : scopes->items) take(one.text, "Exists");
  if (const Node* all = at(field(spec, "scopeSelector"), "matchExpressions"))
    for (const Node& one : all->items) {
      const Node* values = field(one, "values");
      if (!take(text_at(&one, "scopeName"), text_at(&one, "operator")) || values == nullptr) continue;
      for (const Node& value : values->items) limits.classes.insert(value.text);
    }
}

void read_quota(const Node& spec, const Place& place, PodLimits& limits) {
  read_scope(spec, limits);
  const Node* hard = field(spec, "hard");
  if (hard == nullptr) return;
  for (const Entry& entry : hard->entries) {
    const std::string resource = limited(entry.key);
    // Of extended resources nothing else is counted (isExtendedResourceNameForQuota).
    if (resource.find('/') != std::string::npos && !entry.key.starts_with("requests.")) continue;
    const Amount amount = amount_of(entry.value.text, resource);
    if (amount.status != Amount::Status::Ok) continue;
    std::string where = "spec.hard";
    append_key(where, entry.key);
    const auto [at, fresh] = limits.hard.try_emplace(resource, amount.value, PodFacts::Ask{});
    if (!fresh && at->second.first <= amount.value) continue;
    at->second = {amount.value, {std::move(where), place.span(entry.value)}};
  }
}

}  // namespace

bool find_pod_limits(const Node& object, const Place& place, std::vector<PodLimits>& limits) {
  const std::string kind = text_at(&object, "kind");
  if (text_at(&object, "apiVersion") != "v1" || (kind != "ResourceQuota" && kind != "LimitRange")) return false;
  const Node* metadata = field(object, "metadata");
  PodLimits found;
  found.kind = kind, found.ns = text_at(metadata, "namespace");
  found.name = (found.ns.empty() ? "" : found.ns + "/") + text_at(metadata, "name");
  if (const Node* spec = field(object, "spec"))
    kind == "LimitRange" ? read_defaults(*spec, place, found) : read_quota(*spec, place, found);
  limits.push_back(std::move(found));
  return true;
}

}  // namespace gpol::manifest
