#include "checker/observe/schema/configuration.h"

#include "checker/observe/schema/configuration_rules.h"
#include "checker/observe/schema/structure.h"
#include "checker/observe/schema/tables_configuration.h"

namespace gpol::manifest {

std::vector<Violation> refused_at_start(const Node& configuration) {
  using namespace schema;
  static constexpr Type kNewest = object(configuration::kV1beta2Configuration);
  static constexpr Type kOlder = object(configuration::kV1beta1Configuration);
  const Look root(configuration);
  const Look api = root.get("apiVersion"), kind = root.get("kind");
  Findings findings;
  const bool newest = api.text() == "config.kueue.x-k8s.io/v1beta2";
  if (kind.text() != "Configuration" || (!newest && api.text() != "config.kueue.x-k8s.io/v1beta1")) {
    findings.add("config:version", newest ? "kind" : "apiVersion",
                 "is neither config.kueue.x-k8s.io/v1beta2 nor v1beta1 of Configuration",
                 newest ? kind.nearest() : api.nearest());
    return findings.take();
  }
  check_decoded(root, newest ? kNewest : kOlder, findings);
  std::vector<Violation> undecodable = findings.take();
  if (!undecodable.empty()) return undecodable;
  for (const auto rules : {configuration_rules(), integration_rules(), device_rules()})
    for (const Rule& rule : rules) ask(root, rule.path, rule, Report(rule.name, findings));
  return findings.take();
}

}  // namespace gpol::manifest
