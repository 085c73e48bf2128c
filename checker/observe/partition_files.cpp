#include "checker/observe/partition_files.h"
#include "checker/observe/quantity.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

#include "checker/observe/documents.h"
#include "checker/observe/embedded.h"
#include "checker/observe/fields.h"
#include "checker/observe/kinds/kinds.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol::manifest {

namespace {

// A variable or an action of a template stands in it.
bool is_template(const Node& node) {
  return node.text.find("${") != std::string::npos || node.text.find("{{") != std::string::npos ||
         std::ranges::any_of(node.items, is_template) ||
         std::ranges::any_of(node.entries, [](const Entry& one) { return is_template(one.value); });
}

// Go's decoder takes null for what is not there.
void leave_out_nulls(Node& node) {
  constexpr std::string_view kMayBeNull[] = {"device-filter", "mig-devices", "flags", "sharing", "timeSlicing", "mps"};
  std::erase_if(node.entries,
                [&](const Entry& one) { return one.value.kind == Node::Kind::Null && contains(kMayBeNull, one.key); });
  for (Entry& entry : node.entries) leave_out_nulls(entry.value);
  for (Node& item : node.items) leave_out_nulls(item);
}

// `object`: "ConfigMap `gpu-operator/mig`", or "file `mig.yaml`".
void take(const Node& root, const std::string& object, const Place& place, MigConfigMap map, GivenCuts& cuts) {
  Problems problems;
  problems.enter(place);
  map.configs = read_mig_configs(View(root, problems));
  for (const NotUnderstood& problem : problems.take()) {
    cuts.faults.push_back(
        {GivenFault::About::Layout, object,
         fmt::format("{} is not what MIG Manager takes: {} {}", object,
                     problem.field.empty() ? "the file" : problem.field, problem.what),
         "write it as mig-parted reads it: `devices`, `mig-enabled`, and `mig-devices` where that is true",
         problem.span, is_template(root)});
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

bool same_word(std::string_view one, std::string_view other) { return lowered(one) == lowered(other); }

bool mentions(std::string_view text, std::string_view word) {
  return lowered(text).find(lowered(word)) != std::string::npos;
}

// The plugin reads its fields whatever their case (Go's JSON decoder, by sigs.k8s.io/yaml).
void spell_as_the_plugin(Node& node) {
  constexpr const char* kFields[] = {"version",   "flags",           "sharing",
                                     "resources", "timeSlicing",     "mps",
                                     "replicas",  "renameByDefault", "failRequestsGreaterThanOne",
                                     "name",      "migStrategy"};
  for (Entry& entry : node.entries) {
    for (const char* known : kFields)
      if (same_word(entry.key, known)) entry.key = known;
    spell_as_the_plugin(entry.value);
  }
  for (Node& item : node.items) spell_as_the_plugin(item);
}

// It says how devices are shared, or by which strategy slices are named; or nothing but that it is one.
bool is_plugin_config(const Node& root) {
  if (root.kind != Node::Kind::Map) return false;
  const Node *sharing = field(root, "sharing"), *flags = field(root, "flags");
  if ((sharing != nullptr && (field(*sharing, "timeSlicing") != nullptr || field(*sharing, "mps") != nullptr)) ||
      (flags != nullptr && field(*flags, "migStrategy") != nullptr))
    return true;
  return text_at(root, "version") == "v1" && std::ranges::all_of(root.entries, [](const Entry& one) {
           const bool part = one.key == "flags" || one.key == "sharing" || one.key == "resources";
           return one.key == "version" || (part && one.value.kind == Node::Kind::Map);
         });
}

// Fields that it does not know the plugin passes over; with one of another type it does not start.
PluginConfig plugin_config(const Node& root, const std::string& name, const std::string& object, const Place& place,
                           GivenCuts& cuts) {
  Problems problems;
  problems.enter(place);
  PluginConfig config = read_plugin_config(View(root, problems), name, false);
  for (const NotUnderstood& problem : problems.take())
    cuts.faults.push_back(
        {GivenFault::About::Sharing, object,
         fmt::format("what `{}` of {} says is not known: {} {}", name, object, problem.field, problem.what),
         "write it as the device plugin reads it, or give what the template becomes", problem.span, true});
  return config;
}

// Whether a line of the text begins with the key.
bool has_key(std::string_view text, const std::string& key) {
  return re2::RE2::PartialMatch(text, "(?im)^[- \t\"'{]*" + re2::RE2::QuoteMeta(key) + "[ \"']*:");
}

// What a text would be as YAML; it may be none, or a template of some.
std::optional<GivenFault::About> meant(std::string_view text) {
  if (!has_key(text, "version")) return std::nullopt;
  if (has_key(text, "mig-configs")) return GivenFault::About::Layout;
  if (has_key(text, "timeSlicing") || has_key(text, "migStrategy") || has_key(text, "sharing"))
    return GivenFault::About::Sharing;
  return std::nullopt;
}

std::string named(const Node& object) {
  const Node* metadata = field(object, "metadata");
  const std::string name = text_at(metadata, "name"), ns = text_at(metadata, "namespace");
  return ns.empty() ? name : ns + "/" + name;
}

// A configuration may say no more than its version. Of long texts (dashboards) no more is looked at.
bool says_v1(std::string_view text) {
  constexpr std::size_t kLongest = 16'384;
  std::string plain;
  for (const char c : text.substr(0, text.size() <= kLongest ? text.size() : 0))
    if (c != '"' && c != '\'' && c != ' ') plain += c;
  return mentions(plain, "version:v1");
}

bool read_partition_values(const Node& config_map, std::string_view bytes, const Place& place, GivenCuts& cuts) {
  const Node *metadata = field(config_map, "metadata"), *data = field(config_map, "data");
  if (data == nullptr || data->kind != Node::Kind::Map) return false;
  const std::string name = text_at(metadata, "name"), ns = text_at(metadata, "namespace");
  const std::string object = fmt::format("ConfigMap `{}`", named(config_map));
  bool any = false;
  PluginConfigMap plugins{ns, name, {}};
  for (const Entry& entry : data->entries) {
    const Node& value = entry.value;
    Tree tree;
    if (mentions(value.text, "mig-configs") || mentions(value.text, "sharing") || mentions(value.text, "migStrategy") ||
        says_v1(value.text))
      tree = parse_document(value.text, Reading::Kubernetes);
    if (!tree.root) {
      plugins.others.push_back(entry.key);
      if (const auto about = meant(value.text)) {
        any = true;
        cuts.faults.push_back(
            {*about, object,
             fmt::format("what `{}` of {} says is not known: it is no YAML, or a template of some", entry.key, object),
             "give what the template becomes", place.span(value), true});
      }
      continue;
    }
    if (field(*tree.root, "mig-configs") == nullptr) spell_as_the_plugin(*tree.root);
    leave_out_nulls(*tree.root);
    const Span span = place.span(value);
    if (const auto origins = span.end <= bytes.size()
                                 ? origins_of(bytes.substr(span.begin, span.end - span.begin), value.text)
                                 : std::nullopt)
      move_to(*origins, value.begin, value.line, *tree.root);
    else
      stand_at(value, *tree.root);
    if (is_plugin_config(*tree.root))
      plugins.configs.push_back(plugin_config(*tree.root, entry.key, object, place, cuts));
    else
      plugins.others.push_back(entry.key);
    if (field(*tree.root, "mig-configs") == nullptr) continue;
    any = true;
    if (entry.key != kMigConfigKey)
      cuts.faults.push_back({GivenFault::About::Layout, object,
                             fmt::format("MIG Manager reads the key `{}` of {} alone, and its configurations stand in "
                                         "`{}`",
                                         kMigConfigKey, object, entry.key),
                             fmt::format("name the key `{}`", kMigConfigKey), span});
    take(*tree.root, object, place, {ns, name, {}}, cuts);
  }
  if (!plugins.configs.empty()) {
    any = true;
    cuts.plugins.push_back(std::move(plugins));
  }
  return any;
}

bool read_given_operator(const Node& object, const Place& place, GivenCuts& cuts) {
  if (text_at(object, "kind") != "ClusterPolicy" || text_at(object, "apiVersion") != "nvidia.com/v1") return false;
  OperatorPolicy policy;
  policy.name = named(object);
  policy.span = place.span(object);
  const Node* spec = field(object, "spec");
  const auto of_part = [&](const char* part, std::string& name, std::string& by_default) {
    const Node* config = at(at(spec, part), "config");
    name = text_at(config, "name");
    by_default = text_at(config, "default");
  };
  of_part("migManager", policy.mig_config, policy.mig_default);
  of_part("devicePlugin", policy.plugin_config, policy.plugin_default);
  if (const Node* strategy = at(at(spec, "mig"), "strategy")) {
    policy.mig_strategy = strategy->text;
    policy.span = place.span(*strategy);
  }
  cuts.operators.push_back(std::move(policy));
  return true;
}

// Of extended resources a quota counts what is requested, under `requests.` (pkg/quota/v1/evaluator/core/pods.go
// isExtendedResourceNameForQuota, podComputeUsageHelper): a key `limits.` of one, or its name alone, is taken by the
// API server, and its used count stays 0.
void find_idle_quotas(const Node& object, const Place& place, GivenCuts& cuts) {
  if (text_at(object, "kind") != "ResourceQuota" || text_at(object, "apiVersion") != "v1") return;
  const Node* hard = at(field(object, "spec"), "hard");
  for (std::size_t i = 0; hard != nullptr && i < hard->entries.size(); ++i) {
    const Entry& entry = hard->entries[i];
    std::string_view key = entry.key;  // "limits.nvidia.com/gpu", "count/nvidia.com/gpu"
    if (const std::size_t domain = key.find("nvidia.com/"); domain != std::string_view::npos)
      key.remove_prefix(domain);
    else if (key.starts_with("limits.") || key.starts_with("requests."))
      key.remove_prefix(key.find('.') + 1);
    const std::string counted = fmt::format("requests.{}", key);
    if (entry.key == counted || !is_gpu_or_slice(key)) continue;
    const Node* bound = field(*hard, counted);
    if (bound != nullptr && amount_of(bound->text, key).value <= amount_of(entry.value.text, key).value) continue;
    cuts.faults.push_back({GivenFault::About::Quota, fmt::format("ResourceQuota `{}`", named(object)),
                           fmt::format("ResourceQuota `{}` bounds nothing by `{}`: of devices a quota counts what is "
                                       "requested, and this stays at 0",
                                       named(object), entry.key),
                           bound == nullptr ? fmt::format("write `{}`", counted)
                                            : fmt::format("lower `{}` to {}", counted, entry.value.text),
                           place.span(entry.value)});
  }
}

}  // namespace

bool read_partition_file(const Node& root, const Place& place, GivenCuts& cuts) {
  if (root.kind != Node::Kind::Map || field(root, "kind") != nullptr) return false;
  if (field(root, "mig-configs") != nullptr) {
    Node said = root;
    leave_out_nulls(said);
    take(said, fmt::format("file `{}`", place.file), place, {"", place.file, {}}, cuts);
    return true;
  }
  const auto is_version = [](const Entry& one) { return same_word(one.key, "version"); };
  if (root.entries.size() < 2 || std::ranges::none_of(root.entries, is_version)) return false;
  Node spelt = root;
  spell_as_the_plugin(spelt);
  leave_out_nulls(spelt);
  if (!is_plugin_config(spelt)) return false;
  cuts.plugins.push_back(
      {"", place.file, {plugin_config(spelt, place.file, fmt::format("file `{}`", place.file), place, cuts)}});
  return true;
}

bool read_about_devices(const Node& object, std::string_view bytes, const Place& place, GivenCuts& cuts) {
  if (text_at(object, "kind") == "ConfigMap" && text_at(object, "apiVersion") == "v1")
    return read_partition_values(object, bytes, place, cuts);
  find_idle_quotas(object, place, cuts);
  return read_given_operator(object, place, cuts);
}

}  // namespace gpol::manifest
