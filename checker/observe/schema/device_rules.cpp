// Rules of lists whose items look at one another: metrics.customLabels and resources.deviceClassMappings.
#include <algorithm>
#include <map>
#include <set>

#include "checker/observe/schema/configuration_rules.h"
#include "checker/observe/schema/syntax.h"
#include "compiler/source/text.h"

namespace gpol::manifest::schema {
namespace {

bool word(char c) { return is_alphanumeric(c) || c == '_'; }

void label_key(const Look& key, const Report& report) {
  if (!is_label_key(key.text())) report(key, shown(key.text()) + " is not a label key");
}

void resource_name(const Look& name, const Report& report) {
  label_key(name, report);
  if (name.text().size() > 253) report(name, "must have at most 253 characters");
}

void custom_label(const Look& label, const Report& report) {
  const Look name = label.get("name"), key = label.get("sourceLabelKey"), other = label.get("sourceAnnotationKey");
  const std::string_view text = name.text();
  if (text.empty() || !is_letter(text[0]) || !std::ranges::all_of(text, word))
    report(name, shown(text) + " must be letters, digits and `_`, with a letter first");
  if (!key.text().empty() && !other.text().empty()) report(label, "has sourceLabelKey and sourceAnnotationKey");
  label_key(!key.text().empty() ? key : !other.text().empty() ? other : name, report);
  const Look kind = label.get("sourceKind"), values = label.get("trackedValues");
  const bool workload = kind.text() == "Workload";
  if (workload && values.size() == 0) report(values, "must not be empty where sourceKind is `Workload`");
  if (values.size() > (workload ? 12 : 16)) report(values, "must hold at most " + std::string(workload ? "12" : "16"));
}

void custom_labels(const Look& list, const Report& report) {
  std::set<std::string_view> names;
  std::map<std::string_view, int> of_kind;
  for (const Look label : list.items()) {
    const Look name = label.get("name"), kind = label.get("sourceKind");
    custom_label(label, report);
    if (!names.insert(name.text()).second) report(name, shown(name.text()) + " is in the list twice");
    const std::string_view source = kind.text("ClusterQueue");
    if (++of_kind[source] == (source == "Workload" ? 3 : 7))
      report(label, "is one too many of " + std::string(source) + ": at most " + (source == "Workload" ? "2" : "6"));
  }
}

// The mapping's counter, by its first source.
std::string_view counter_of(const Look& mapping) {
  const Look sources = mapping.get("sources");
  if (sources.size() == 0) return {};
  const Look first = sources.at(0), counter = first.get("counter"), name = counter.get("name");
  return name.text();
}

// A class of several mappings has a counter in each, and another one.
class Classes {
 public:
  void take(const Look& mapping, const Report& report) {
    const Look name = mapping.get("name"), list = mapping.get("deviceClassNames");
    const std::string_view counter = counter_of(mapping);
    for (const Look device : list.items()) {
      resource_name(device, report);
      const auto [known, fresh] = known_.try_emplace(device.text(), Known{name.text(), {}});
      auto& counters = known->second.counters;
      if (!fresh && known->second.resource != name.text() && (counter.empty() || counters.empty()))
        report(device, shown(device.text()) + " is mapped to " + shown(known->second.resource) + " already");
      else if (!fresh && known->second.resource != name.text() && counters.contains(counter))
        report(device, shown(device.text()) + " has a source for the counter " + shown(counter) + " already");
      else if ((fresh || known->second.resource != name.text()) && !counter.empty())
        counters.insert(counter);
    }
  }

 private:
  struct Known {
    std::string_view resource;
    std::set<std::string_view> counters;
  };
  std::map<std::string_view, Known> known_;
};

bool c_identifier(std::string_view text) {
  return !text.empty() && text.size() <= 32 && !is_digit(text[0]) && std::ranges::all_of(text, word);
}

// resource.k8s.io's QualifiedName; what has two slashes is let through.
bool qualified_name(std::string_view text) {
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) return c_identifier(text);
  if (text.find('/', slash + 1) != std::string_view::npos) return true;
  const std::string domain = lowered(text.substr(0, slash));
  return domain.size() <= 63 && is_subdomain(domain) && c_identifier(text.substr(slash + 1));
}

// CEL is not compiled.
void device(const Look& source, const Report& report) {
  const Look driver = source.get("driver"), selector = source.get("deviceSelector"), cel = selector.get("cel");
  const Look expression = cel.get("expression");
  if (driver.text().size() > 63 || !is_subdomain(driver.text()))
    report(driver, shown(driver.text()) + " is not a driver's name: at most 63 characters of " +
                       std::string(described(Syntax::Subdomain)));
  if (expression.text().empty()) report(expression, "is required");
}

void source(const Look& root, const Look& of, const Report& report) {
  const Look counter = of.get("counter"), capacity = of.get("capacity");
  const Look counter_name = counter.get("name"), capacity_name = capacity.get("name");
  if (counter.present() == capacity.present()) return report(of, "must have one of counter, capacity");
  const auto needs = [&](const Look& what, std::string_view gate) {
    if (gate_is_on(root, gate)) return true;
    report(what, "needs the feature gate `" + std::string(gate) + "`");
    return false;
  };
  if (counter.present() && needs(counter, "KueueDRAIntegrationPartitionableDevices")) {
    if (!is_label(counter_name.text()))
      report(counter_name, shown(counter_name.text()) + " is not " + std::string(described(Syntax::Label)));
    device(counter, report);
  }
  if (capacity.present() && needs(capacity, "KueueDRAIntegrationConsumableCapacity")) {
    if (!qualified_name(capacity_name.text()))
      report(capacity_name, shown(capacity_name.text()) +
                                " is not a capacity: an optional DNS name and `/`, then at "
                                "most 32 letters, digits and `_`");
    device(capacity, report);
  }
}

void mappings(const Look& root, const Report& report) {
  const Look resources = root.get("resources"), list = resources.get("deviceClassMappings");
  std::set<std::string_view> names;
  Classes classes;
  for (const Look mapping : list.items()) {
    const Look name = mapping.get("name"), sources = mapping.get("sources");
    const std::string_view text = name.text();
    resource_name(name, report);
    if (!names.insert(text).second) report(name, shown(text) + " is mapped already");
    classes.take(mapping, report);
    bool counters = false, capacities = false;
    for (const Look one : sources.items()) {
      const Look counter = one.get("counter"), capacity = one.get("capacity");
      source(root, one, report);
      counters = counters || (counter.present() && !capacity.present());
      capacities = capacities || (capacity.present() && !counter.present());
    }
    if (counters && capacities) report(sources, "mixes counters and capacities");
  }
}

constexpr Rule kRules[] = {
    {"config:custom-labels", "", "metrics.customLabels", custom_labels},
    {"config:device-classes", "", "", mappings},
};

}  // namespace

std::span<const Rule> device_rules() { return kRules; }

}  // namespace gpol::manifest::schema
