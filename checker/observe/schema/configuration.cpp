#include "checker/observe/schema/configuration.h"

#include "checker/observe/schema/configuration_rules.h"
#include "checker/observe/schema/structure.h"
#include "checker/observe/schema/tables_configuration.h"

namespace gpol::manifest {

const schema::Type* schema::configuration_type(std::string_view api, std::string_view kind) {
  static constexpr Type kNewest = object(configuration::kV1beta2Configuration);
  static constexpr Type kOlder = object(configuration::kV1beta1Configuration);
  if (kind != "Configuration") return nullptr;
  if (api == "config.kueue.x-k8s.io/v1beta1") return &kOlder;
  return api == "config.kueue.x-k8s.io/v1beta2" ? &kNewest : nullptr;
}

std::vector<Violation> refused_at_start(const Node& configuration) {
  using namespace schema;
  const Look root(configuration);
  const Look api = root.get("apiVersion"), kind = root.get("kind");
  Findings findings;
  const Type* type = configuration_type(api.text(), kind.text());
  if (type == nullptr) {
    findings.add("config:version", "apiVersion", "must be config.kueue.x-k8s.io/v1beta2 or v1beta1, of Configuration",
                 api.nearest());
    return findings.take();
  }
  check_decoded(root, *type, findings);
  std::vector<Violation> undecodable = findings.take();
  if (!undecodable.empty()) return undecodable;
  for (const Rule& rule : configuration_rules()) ask(root, rule.path, rule, Report(rule.name, findings));
  return findings.take();
}

}  // namespace gpol::manifest
