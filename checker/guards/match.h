// Which requests a ValidatingAdmissionPolicy, or a binding of one, is about. Facts: k8s.io/apiserver v0.36
// pkg/admission/plugin/policy/matching/matching.go, plugin/webhook/predicates/{rules,namespace,object}.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/cluster/cluster.h"

namespace gpol {

enum class Tri : std::uint8_t { No, Maybe, Yes };
Tri both(Tri a, Tri b);
Tri either(Tri a, Tri b);
Tri negation(Tri a);

// What rules look at, apart from the name.
struct AdmissionTarget {
  std::string operation;  // CREATE, UPDATE, DELETE, CONNECT
  std::string group, version, resource, subresource;
  bool namespaced = true;
  friend auto operator<=>(const AdmissionTarget&, const AdmissionTarget&) = default;
};

// The rules that reach a target: whatever its name, perhaps so (through another version of the resource, of which
// nothing is known), or for these names alone.
struct RuleReach {
  Tri any_name = Tri::No;
  std::vector<std::string> names;
};
RuleReach rules_reach(const std::vector<MatchResources::Rule>& rules, bool equivalent, const AdmissionTarget& target);

// Policies are not asked about these at all: policies and bindings themselves, and reviews of access, which are stored
// nowhere (pkg/kubeapiserver/admission/exclusion/resources.go).
bool exempt_from_policies(const std::string& group, const std::string& resource);

// Labels of which some may not be known.
class Labels {
 public:
  virtual ~Labels() = default;
  struct Found {
    bool known = true;
    std::optional<std::string> value;  // known and absent: nothing
  };
  virtual Found find(const std::string& key) const = 0;
};
Tri selects(const Selector& selector, const Labels& labels);
bool selects_all(const Selector& selector);

}  // namespace gpol
