// What all objects have in common: apiVersion, kind and metadata, with the mark by which gpol knows its own.
#pragma once

#include <map>
#include <string>

#include "compiler/cluster/cluster.h"
#include "emit/yaml.h"

namespace gpol::kinds {

struct Identity {
  std::string api_version;
  std::string kind;
  std::string name;
  std::string ns = {};  // empty: cluster-scoped
  bool kept = false;    // pipelines do not prune it when it has gone from the manifests
  std::map<std::string, std::string> annotations = {};
};

inline constexpr const char* kKueueApi = "kueue.x-k8s.io/v1beta2";
inline constexpr const char* kSchedulingApi = "scheduling.k8s.io/v1";

// The head of a manifest; the caller adds `spec` or what the kind has instead. `labels` are joined by
// app.kubernetes.io/managed-by.
yaml::Map object(Identity identity, std::map<std::string, std::string> labels = {});

// A map with one entry more: what a kind has beside the head, mostly its `spec`.
yaml::Map with(yaml::Map map, const char* key, yaml::Value value);

yaml::Map string_map(const std::map<std::string, std::string>& entries);
yaml::List string_list(const std::vector<std::string>& entries);
void add_unless_empty(yaml::Map& map, const char* key, const std::string& value);  // empty: an absent field
void add_unless_empty(yaml::Map& map, const char* key, yaml::List list);

// A metav1.LabelSelector. Only for selectors that are present: an absent one is an absent field.
yaml::Map label_selector(const Selector& selector);
yaml::List taint_list(const std::vector<Taint>& taints);

}  // namespace gpol::kinds
