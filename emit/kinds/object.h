// What all objects have in common: apiVersion, kind and metadata, with the marks by which gpol knows its own.
#pragma once

#include <map>
#include <string>

#include "emit/yaml.h"

namespace gpol::kinds {

// Where an object comes from: gpol.dev/revision and, unless empty, gpol.dev/source ("team.gpol:12").
struct Stamp {
  std::string revision;
  std::string source;
};

struct Identity {
  std::string api_version;
  std::string kind;
  std::string name;
  std::string ns = {};  // empty: cluster-scoped
};

inline constexpr const char* kKueueApi = "kueue.x-k8s.io/v1beta2";
inline constexpr const char* kSchedulingApi = "scheduling.k8s.io/v1";

// The head of a manifest; the caller adds `spec` or what the kind has instead. `labels` are joined by
// app.kubernetes.io/managed-by.
yaml::Map object(Identity identity, std::map<std::string, std::string> labels, const Stamp& stamp);

yaml::Map string_map(const std::map<std::string, std::string>& entries);

}  // namespace gpol::kinds
