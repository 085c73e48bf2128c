#include "checker/observe/controller.h"

#include <algorithm>
#include <string_view>

#include "checker/observe/fields.h"
#include "compiler/cluster/feature_gates.h"
#include "compiler/cluster/kueue_version.h"
#include "compiler/source/lookup.h"
#include "compiler/source/split.h"

namespace gpol::manifest {
namespace {

// "registry.k8s.io/kueue/kueue:v0.19.2@sha256:..." is of "kueue", tagged "v0.19.2".
struct Image {
  std::string_view repository, tag;
};
Image image_of(std::string_view text) {
  text = text.substr(0, text.find('@'));
  const auto slash = text.rfind('/');
  std::string_view last = slash == std::string_view::npos ? text : text.substr(slash + 1);
  const auto colon = last.find(':');
  return {last.substr(0, colon), colon == std::string_view::npos ? std::string_view() : last.substr(colon + 1)};
}

// Three numbers; empty: it is no version.
std::string version_of(std::string_view tag) {
  if (tag.starts_with('v')) tag.remove_prefix(1);
  const bool digits = tag.find_first_not_of("0123456789.") == std::string_view::npos;
  return digits && std::ranges::count(tag, '.') == 2 ? std::string(tag) : std::string();
}

// The value of `--feature-gates`; what is no gate in it.
std::string take_gates(std::string_view text, std::map<std::string, bool>& on) {
  std::string misspelt;
  on.clear();  // of a flag given twice, the last counts
  for (const std::string_view one : split(text, ',')) {
    const auto equals = one.find('=');
    const std::string_view value = equals == std::string_view::npos ? std::string_view() : one.substr(equals + 1);
    if (value == "true" || value == "false")
      on[std::string(one.substr(0, equals))] = value == "true";
    else if (!one.empty())
      misspelt = one;
  }
  return misspelt;
}

// The container that runs it; null: none does.
const Node* manager_of(const Node& object, std::string& path) {
  if (const Node* kind = field(object, "kind"); kind == nullptr || kind->text != "Deployment") return nullptr;
  const Node* name = at(field(object, "metadata"), "name");
  const Node* containers = at(at(at(field(object, "spec"), "template"), "spec"), "containers");
  const bool named_so = name != nullptr && name->text == "kueue-controller-manager";
  for (std::size_t i = 0; containers != nullptr && i < containers->items.size(); ++i) {
    const Node& container = containers->items[i];
    const Node *image = field(container, "image"), *called = field(container, "name");
    const bool manager = named_so && called != nullptr && called->text == "manager";
    if (image == nullptr || (!manager && image_of(image->text).repository != "kueue")) continue;
    path += "spec.template.spec.containers[" + std::to_string(i) + "]";
    return &container;
  }
  return nullptr;
}

// Of a gate that is on and has no effect without one that is off, the first, for a user; empty: there is none.
std::string needless(const std::map<std::string, bool>& on) {
  if (on.contains("AllAlpha") || on.contains("AllBeta")) return {};  // which are on is not known
  const auto broken = gates_without_need(
      [&](std::string_view gate) { return value_or(on, std::string(gate), is_on_by_default(gate)); });
  if (broken.empty()) return {};
  return "leaves " + shown(broken[0].gate) + " on without " + shown(broken[0].needed) + ": Kueue does not start";
}

// The version of Kueue's chart; null: the object installs none.
const Node* chart_version(const Node& object) {
  const std::string kind = text_at(object, "kind");
  const Node *spec = field(object, "spec"), *release = at(at(spec, "chart"), "spec"), *source = at(spec, "source");
  if (kind == "HelmRelease" && text_at(release, "chart") == "kueue") return at(release, "version");
  if (kind == "HelmChart" && text_at(spec, "chart").ends_with("kueue")) return at(spec, "version");
  if (kind != "Application") return nullptr;
  if (text_at(source, "chart") == "kueue") return at(source, "targetRevision");
  if (const Node* sources = at(spec, "sources"))
    for (const Node& one : sources->items)
      if (text_at(one, "chart") == "kueue") return field(one, "targetRevision");
  return nullptr;
}

}  // namespace

Unmodelled Controllers::Controller::about(Span at, std::string field, std::string what) const {
  return {at, std::move(field), std::move(what), kind, name};
}

bool Controllers::read(const Node& object, const std::string& prefix, const Place& place,
                       std::vector<Unmodelled>& unmodelled) {
  if (const Node* version = chart_version(object); version != nullptr && !version_of(version->text).empty()) {
    Controller chart;
    chart.kind = text_at(object, "kind");
    chart.name = text_at(field(object, "metadata"), "name");
    chart.version = version_of(version->text);
    chart.image = place.span(*version);
    chart.names_configuration = true;
    list_.push_back(std::move(chart));
    return false;  // what else it says is read elsewhere
  }
  std::string path = prefix.empty() ? "" : prefix + ".";
  const Node* container = manager_of(object, path);
  if (container == nullptr) return false;
  const Node *metadata = field(object, "metadata"), *image = field(*container, "image");
  const Node *ns = at(metadata, "namespace"), *name = at(metadata, "name");
  Controller controller;
  controller.name = (ns == nullptr ? "default" : ns->text) + "/" + (name == nullptr ? "" : name->text);
  controller.image = place.span(*image);
  controller.image_field = path + ".image";
  controller.version = version_of(image_of(image->text).tag);
  if (controller.version.empty())
    unmodelled.push_back(controller.about(controller.image, controller.image_field,
                                          "does not say which version of Kueue runs: tag the image with it"));
  if (const Node* replicas = at(field(object, "spec"), "replicas"); replicas != nullptr && replicas->text == "0")
    unmodelled.push_back(controller.about(place.span(*replicas), (prefix.empty() ? "" : prefix + ".") + "spec.replicas",
                                          "is 0: Kueue does not run, admits nothing and evicts nobody"));
  flags(*container, path, place, controller, unmodelled);
  list_.push_back(std::move(controller));
  return true;
}

void Controllers::flags(const Node& container, const std::string& path, const Place& place, Controller& controller,
                        std::vector<Unmodelled>& unmodelled) const {
  std::string misspelt;
  for (const char* key : {"command", "args"}) {
    const Node* list = field(container, key);
    for (std::size_t i = 0; list != nullptr && i < list->items.size(); ++i) {
      std::string_view flag = list->items[i].text;
      if (!flag.starts_with('-')) continue;
      flag.remove_prefix(flag.starts_with("--") ? 2 : 1);
      const auto equals = flag.find('=');
      const bool apart = equals == std::string_view::npos;
      if (flag.substr(0, equals) == "config") controller.names_configuration = true;
      if (flag.substr(0, equals) != "feature-gates" || (apart && i + 1 == list->items.size())) continue;
      const Node& value = list->items[apart ? i + 1 : i];
      controller.gates = place.span(value);
      controller.gates_field = path + "." + key + "[" + std::to_string(apart ? i + 1 : i) + "]";
      misspelt = take_gates(apart ? std::string_view(value.text) : flag.substr(equals + 1), controller.on);
    }
  }
  if (!misspelt.empty())
    unmodelled.push_back(controller.about(controller.gates, controller.gates_field,
                                          shown(misspelt) + " is no feature gate: Kueue does not start"));
  for (const auto& [gate, on] : controller.on)
    if (const std::string why = gate_not_understood(gate, on);
        !why.empty() && !gate_came_later(gate, KueueConfig().version))
      unmodelled.push_back(controller.about(controller.gates, controller.gates_field, shown(gate) + " " + why));
  if (const std::string why = needless(controller.on); !why.empty())
    unmodelled.push_back(controller.about(controller.gates, controller.gates_field, why));
}

void Controllers::settle(bool configured, KueueConfig& config, std::string& runs,
                         std::vector<Unmodelled>& unmodelled) const {
  const bool in_file = !config.gates.empty();
  for (const Controller& controller : list_) {
    if (configured && !controller.names_configuration)
      unmodelled.push_back(controller.about(controller.image,
                                            controller.image_field.substr(0, controller.image_field.rfind('.')),
                                            "has no argument `--config`: Kueue does not look at the Configuration"));
    if (in_file && !controller.on.empty())
      unmodelled.push_back(
          controller.about(controller.gates, controller.gates_field,
                           "gives feature gates, and so does the Configuration: Kueue does not start"));
    for (const auto& [gate, on] : controller.on) config.gates[gate] = on;
    if (controller.version.empty()) continue;
    if (!runs.empty() && runs != controller.version)
      unmodelled.push_back(
          controller.about(controller.image, controller.image_field,
                           "runs Kueue v" + controller.version + ", and another object says v" + runs));
    if (runs.empty()) runs = controller.version;
  }
}

}  // namespace gpol::manifest
