#include "emit/kinds/object.h"

#include <utility>

namespace gpol::kinds {

yaml::Map string_map(const std::map<std::string, std::string>& entries) {
  yaml::Map map;
  map.reserve(entries.size());
  for (const auto& [key, value] : entries) map.emplace_back(key, value);
  return map;
}

yaml::Map object(Identity identity, std::map<std::string, std::string> labels, const Stamp& stamp) {
  labels.insert_or_assign("app.kubernetes.io/managed-by", "gpol");

  yaml::Map annotations;
  annotations.emplace_back("gpol.dev/revision", stamp.revision);
  if (!stamp.source.empty()) annotations.emplace_back("gpol.dev/source", stamp.source);

  yaml::Map metadata;
  metadata.emplace_back("name", std::move(identity.name));
  if (!identity.ns.empty()) metadata.emplace_back("namespace", std::move(identity.ns));
  metadata.emplace_back("labels", string_map(labels));
  metadata.emplace_back("annotations", std::move(annotations));

  yaml::Map map;
  map.reserve(4);
  map.emplace_back("apiVersion", std::move(identity.api_version));
  map.emplace_back("kind", std::move(identity.kind));
  map.emplace_back("metadata", std::move(metadata));
  return map;
}

}  // namespace gpol::kinds
