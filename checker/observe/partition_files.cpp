#include "checker/observe/partition_files.h"

#include <fmt/format.h>

#include "checker/observe/documents.h"
#include "checker/observe/embedded.h"
#include "checker/observe/fields.h"
#include "checker/observe/kinds/kinds.h"

namespace gpol::manifest {

namespace {

// `object`: "ConfigMap `gpu-operator/mig`", or "file `mig.yaml`".
void take(const Node& root, const std::string& object, const Place& place, MigConfigMap map, GivenCuts& cuts) {
  Problems problems;
  problems.enter(place);
  map.configs = read_mig_configs(View(root, problems));
  for (const NotUnderstood& problem : problems.take()) {
    GivenLayout refused;
    refused.object = object;
    refused.refused = fmt::format("{} {}", problem.field.empty() ? "the file" : problem.field, problem.what);
    refused.fix = "write it as mig-parted reads it: `devices`, `mig-enabled`, and `mig-devices` where that is true";
    refused.span = problem.span;
    cuts.layouts.push_back(std::move(refused));
  }
  for (const MigConfig& config : map.configs)
    for (const MigConfig::Entry& entry : config.entries) {
      if (!entry.enabled || entry.slices.empty()) continue;
      GivenLayout layout;
      layout.object = object;
      layout.config = config.name;
      layout.filters = entry.filters;
      for (const auto& [profile, count] : entry.slices) layout.slices.push_back({profile, count});
      layout.span = entry.span;
      cuts.layouts.push_back(std::move(layout));
    }
  cuts.maps.push_back(std::move(map));
}

}  // namespace

bool read_mig_file(const Node& root, const Place& place, GivenCuts& cuts) {
  if (root.kind != Node::Kind::Map || field(root, "mig-configs") == nullptr || field(root, "kind") != nullptr)
    return false;
  take(root, fmt::format("file `{}`", place.file), place, {"", place.file, {}}, cuts);
  return true;
}

bool read_mig_values(const Node& config_map, std::string_view bytes, const Place& place, GivenCuts& cuts) {
  const Node *metadata = field(config_map, "metadata"), *data = field(config_map, "data");
  if (data == nullptr || data->kind != Node::Kind::Map) return false;
  const std::string name = metadata == nullptr ? "" : text_at(*metadata, "name"),
                    ns = metadata == nullptr ? "" : text_at(*metadata, "namespace");
  bool any = false;
  for (const Entry& entry : data->entries) {
    const Node& value = entry.value;
    if (value.text.find("mig-configs:") == std::string::npos) continue;
    Tree tree = parse_document(value.text, Reading::Kubernetes);
    if (!tree.root || field(*tree.root, "mig-configs") == nullptr) continue;
    any = true;
    const Span span = place.span(value);
    if (const auto origins = span.end <= bytes.size()
                                 ? origins_of(bytes.substr(span.begin, span.end - span.begin), value.text)
                                 : std::nullopt)
      move_to(*origins, value.begin, value.line, *tree.root);
    const std::string object = fmt::format("ConfigMap `{}{}`", ns.empty() ? "" : ns + "/", name);
    if (entry.key != kMigConfigKey) {
      GivenLayout other;
      other.object = object;
      other.refused = fmt::format("MIG Manager reads the key `{}` alone, and this is `{}`", kMigConfigKey, entry.key);
      other.fix = fmt::format("name the key `{}`", kMigConfigKey);
      other.span = span;
      cuts.layouts.push_back(std::move(other));
    }
    take(*tree.root, object, place, {ns, name, {}}, cuts);
  }
  return any;
}

}  // namespace gpol::manifest
