#include "checker/observe/device_values.h"

#include <fmt/format.h>

#include <algorithm>

#include "checker/observe/documents.h"
#include "checker/observe/dumps.h"
#include "checker/observe/embedded.h"
#include "checker/observe/fields.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol::manifest {
namespace {

constexpr int kDeepest = 16;

// As `helm --set` does: the name `a.b.c` is a path. What is longer than any that is looked for says nothing here.
void put(const std::string& name, const Node& value, Node& values) {
  if (std::ranges::count(name, '.') >= kDeepest) return;
  Node* at = &values;
  std::string key;
  for (std::size_t i = 0; i <= name.size(); ++i) {
    if (i + 1 < name.size() && name[i] == '\\') {
      key += name[++i];
    } else if (i < name.size() && name[i] != '.') {
      key += name[i];
    } else {
      at->kind = Node::Kind::Map;
      auto next = std::ranges::find(at->entries, key, &Entry::key);
      if (next == at->entries.end()) next = at->entries.insert(next, Entry{key, {}});
      at = &next->value;
      key.clear();
    }
  }
  *at = value;
}

// What `helm.parameters` of an Application and `set` of a HelmChart say, as values.
Node values_by_name(const Node& node) {
  Node values;
  if (const Node* parameters = field(node, "parameters"))
    for (const Node& one : parameters->items)
      if (const Node* value = at(&one, "value")) put(text_at(one, "name"), *value, values);
  if (const Node* set = field(node, "set"))
    for (const Entry& one : set->entries) put(one.key, one.value, values);
  return values;
}

class Values {
 public:
  Values(std::string_view bytes, const Place& place, GivenCuts& cuts) : bytes_(bytes), place_(place), cuts_(cuts) {}

  void look(const Node& node, int depth = 0) {
    if (depth > kDeepest) return;
    if (node.kind == Node::Kind::Text && node.text.find("config") != std::string::npos &&
        (node.text.find("devicePlugin") != std::string::npos || node.text.find("migManager") != std::string::npos ||
         node.text.find("map:") != std::string::npos)) {
      Tree tree = parse_document(node.text, Reading::Kubernetes);
      if (!tree.root || tree.root->kind != Node::Kind::Map) return;
      stand_at(node, *tree.root);
      return look(*tree.root, depth + 1);
    }
    if (node.kind == Node::Kind::Map) {
      of_operator(node);
      const Node* config = field(node, "config");
      if (const Node* map = at(config, "map"); map != nullptr && !map->entries.empty()) {
        const std::size_t before = cuts_.plugins.size();
        config_map(text_at(*config, "name"), *map, text_at(*config, "default"), true);
        for (std::size_t i = before; i < cuts_.plugins.size(); ++i) cuts_.plugins[i].of_chart = true;
      }
      if (Node values = values_by_name(node); !values.entries.empty()) {
        stand_at(node, values);
        look(values, depth + 1);
      }
    }
    for (const Node& item : node.items) look(item, depth + 1);
    for (const Entry& entry : node.entries) look(entry.value, depth + 1);
  }

 private:
  void of_operator(const Node& values) {
    for (const auto& [part, plugin] : {std::pair{"devicePlugin", true}, std::pair{"migManager", false}}) {
      const Node* config = at(field(values, part), "config");
      const Node* data = at(config, "data");
      const std::string name = text_at(config, "name"), by_default = text_at(config, "default");
      if (data != nullptr && !data->entries.empty())
        config_map(name, *data, by_default, plugin);
      else if (plugin && !name.empty())  // MIG Manager has one of its own
        policy(name, by_default, *config, plugin);
    }
  }

  void config_map(std::string name, const Node& data, const std::string& by_default, bool plugin) {
    if (name.empty()) name = place_.file;
    const Node object = config_map_of(name, data);
    const std::size_t before = plugin ? cuts_.plugins.size() : cuts_.maps.size();
    read_about_devices(object, bytes_, place_, cuts_);
    if ((plugin ? cuts_.plugins.size() : cuts_.maps.size()) > before && !by_default.empty())
      policy(name, by_default, data, plugin);
  }

  void policy(const std::string& name, const std::string& by_default, const Node& at, bool plugin) {
    OperatorPolicy policy;
    policy.name = place_.file;
    policy.span = place_.span(at);
    (plugin ? policy.plugin_config : policy.mig_config) = name;
    (plugin ? policy.plugin_default : policy.mig_default) = by_default;
    cuts_.operators.push_back(std::move(policy));
  }

  std::string_view bytes_;
  const Place& place_;
  GivenCuts& cuts_;
};

bool holds_values(std::string_view kind) {
  return contains({"HelmRelease", "HelmChart", "HelmChartConfig", "Application", "ApplicationSet"}, kind);
}

bool is_chart(const Node* release, std::string_view key) {
  const std::string chart = text_at(release, key);
  return chart == "kueue" || chart == "gpu-operator" || chart == "nvidia-device-plugin";
}

}  // namespace

bool may_hold_values(std::string_view kind) {
  return kind.empty() || kind == "ConfigMap" || kind == "Secret" || holds_values(kind);
}

void read_device_values(const Node& root, std::string_view bytes, const Place& place, GivenCuts& cuts) {
  const auto has = [&](std::string_view word) { return bytes.find(word) != std::string_view::npos; };
  // What a kustomization put together may hold values of another file.
  if (!holds_values(text_at(root, "kind")) &&
      (!has("config") || (!has("devicePlugin") && !has("migManager") && !has("sharing") && !has("migStrategy"))))
    return;
  Values(bytes, place, cuts).look(root);
}

std::string values_elsewhere(const Node& object) {
  const std::string kind = text_at(object, "kind");
  const Node* spec = field(object, "spec");
  std::string from, chart, version;
  if (kind == "HelmRelease") {
    const Node* of = at(at(spec, "chart"), "spec");
    if (!is_chart(of, "chart")) return {};
    chart = text_at(of, "chart");
    version = text_at(of, "version");
    if (const Node* list = at(spec, "valuesFrom"))
      for (const Node& one : list->items)
        add_to_list(from, fmt::format("{} `{}`", text_at(one, "kind"), text_at(one, "name")));
  } else if (kind == "Application") {
    std::vector<const Node*> sources;
    if (const Node* one = at(spec, "source")) sources.push_back(one);
    if (const Node* list = at(spec, "sources"))
      for (const Node& one : list->items) sources.push_back(&one);
    for (const Node* source : sources) {
      if (!is_chart(source, "chart")) continue;
      chart = text_at(source, "chart");
      version = text_at(source, "targetRevision");
      if (const Node* files = at(at(source, "helm"), "valueFiles"))
        for (const Node& file : files->items) add_to_list(from, fmt::format("`{}`", file.text));
    }
  }
  if (chart.empty()) return {};
  if (version.find_first_not_of("v0123456789.") == std::string::npos && std::ranges::count(version, '.') == 2)
    version.clear();  // said by itself
  else
    version = fmt::format(", and version {} of it installs a Kueue that does as is said here",
                          version.empty() ? "that is not named" : "`" + version + "`");
  return fmt::format("what {}chart `{}` says by default for {} `{}` changes nothing that gpol reads{}",
                     from.empty() ? "" : from + ", and what ", chart, kind, name_of(object),
                     chart == "kueue" ? version : "");
}

void settle_defaults(GivenCuts& cuts, std::vector<std::string>& trusted) {
  for (const OperatorPolicy& policy : cuts.operators) {
    if (policy.plugin_config.empty()) continue;
    const auto map = std::ranges::find(cuts.plugins, policy.plugin_config, &PluginConfigMap::name);
    if (map == cuts.plugins.end())
      trusted.push_back(
          fmt::format("ConfigMap `{}`, which the GPU Operator takes by `{}` and which was not read, shares "
                      "no device",
                      policy.plugin_config, policy.name));
    if (map == cuts.plugins.end() || policy.plugin_default.empty()) continue;
    std::string keys;
    bool found = false;
    for (const PluginConfig& config : map->configs)
      found = found || config.name == policy.plugin_default, add_to_list(keys, "`" + config.name + "`");
    for (const std::string& other : map->others) found = found || other == policy.plugin_default;
    if (found) continue;
    cuts.faults.push_back({GivenFault::About::Sharing, fmt::format("ConfigMap `{}`", map->name),
                           fmt::format("the default `{}` of the device plugin names no key of ConfigMap `{}` (it has "
                                       "{}): what Nodes without a label of their own get is not known",
                                       policy.plugin_default, map->name, keys),
                           "name one of its keys", policy.span, true});
  }
}

}  // namespace gpol::manifest
