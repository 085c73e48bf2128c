// One namespace stands for others only where no policy can tell them apart.
#include <catch2/catch.hpp>

#include "checker/guards/namespaces.h"

namespace gpol {
namespace {

std::set<std::string> kept(const std::string& variable, const std::string& validation) {
  Cluster cluster;
  AdmissionPolicy policy;
  policy.match.namespaces.expressions = {{"kubernetes.io/metadata.name", "In", {"a", "b", "c"}}};
  if (!variable.empty()) policy.variables = {{"v", variable}};
  policy.validations = {{validation, ""}};
  cluster.admission_policies = {policy};
  return representatives(cluster, {"a", "b", "c"});
}

TEST_CASE("one namespace stands for those that are listed alike") {
  const std::set<std::string> all{"a", "b", "c"};
  CHECK(kept("", "true") == std::set<std::string>{"a"});
  CHECK(kept("", "request.namespace in ['b', 'x']") == std::set<std::string>{"a", "b"});
  CHECK(kept("", "request.namespace == 'c'") == std::set<std::string>{"a", "c"});
  CHECK(kept("", "request.namespace.startsWith('a')") == all);
  CHECK(kept("", "request['namespace'] == 'a'") == all);
  CHECK(kept("", "namespaceObject.metadata.name == 'a'") == all);
  CHECK(kept("", "object.metadata == oldObject.metadata") == all);
  CHECK(kept("", "request.namespace == object.metadata.name") == all);
  CHECK(kept("request.namespace", "variables.v.startsWith('a')") == all);
  CHECK(kept("object.metadata", "variables.v.namespace.startsWith('a')") == all);
  CHECK(kept("request", "variables.v.namespace.size() > 1") == all);
}

}  // namespace
}  // namespace gpol
