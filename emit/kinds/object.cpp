#include "emit/kinds/object.h"

#include <utility>

namespace gpol::kinds {

yaml::Map string_map(const std::map<std::string, std::string>& entries) {
  yaml::Map map;
  map.reserve(entries.size());
  for (const auto& [key, value] : entries) map.emplace_back(key, value);
  return map;
}

yaml::List string_list(const std::vector<std::string>& entries) { return {entries.begin(), entries.end()}; }

yaml::Map with(yaml::Map map, const char* key, yaml::Value value) {
  map.emplace_back(key, std::move(value));
  return map;
}

void add_unless_empty(yaml::Map& map, const char* key, const std::string& value) {
  if (!value.empty()) map.emplace_back(key, value);
}
void add_unless_empty(yaml::Map& map, const char* key, yaml::List list) {
  if (!list.empty()) map.emplace_back(key, std::move(list));
}

yaml::Map label_selector(const Selector& selector) {
  yaml::Map map;
  if (!selector.match_labels.empty()) map.emplace_back("matchLabels", string_map(selector.match_labels));
  yaml::List expressions;
  for (const Selector::Expression& expression : selector.expressions) {
    yaml::Map entry{{"key", expression.key}, {"operator", expression.op}};
    add_unless_empty(entry, "values", string_list(expression.values));  // Exists and DoesNotExist must not carry them
    expressions.emplace_back(std::move(entry));
  }
  add_unless_empty(map, "matchExpressions", std::move(expressions));
  return map;
}

yaml::List taint_list(const std::vector<Taint>& taints) {
  yaml::List list;
  for (const Taint& taint : taints) {
    yaml::Map entry{{"key", taint.key}};
    add_unless_empty(entry, "value", taint.value);
    list.emplace_back(with(std::move(entry), "effect", taint.effect));
  }
  return list;
}

yaml::Map object(Identity identity, std::map<std::string, std::string> labels) {
  labels.insert_or_assign("app.kubernetes.io/managed-by", "gpol");

  yaml::Map metadata{{"name", std::move(identity.name)}};
  if (!identity.ns.empty()) metadata.emplace_back("namespace", std::move(identity.ns));
  metadata.emplace_back("labels", string_map(labels));
  // What holds quota, and a namespace with all that runs in it. A ClusterQueue that is deleted while workloads run
  // stays by its finalizer, and Kueue evicts none of them any more (pkg/cache/scheduler, Terminating): what batch holds
  // then does not come back. Nothing that runs depends on the other kinds.
  if (identity.kept) {
    identity.annotations.emplace("argocd.argoproj.io/sync-options", "Prune=false");
    identity.annotations.emplace("kustomize.toolkit.fluxcd.io/prune", "disabled");
  }
  if (!identity.annotations.empty()) metadata.emplace_back("annotations", string_map(identity.annotations));

  return {{"apiVersion", std::move(identity.api_version)},
          {"kind", std::move(identity.kind)},
          {"metadata", std::move(metadata)}};
}

}  // namespace gpol::kinds
