// What a set of ValidatingAdmissionPolicies does to one request. Facts: k8s.io/apiserver v0.36
// pkg/admission/plugin/policy/validating/{dispatcher,validator}.go, plugin/webhook/matchconditions/matcher.go.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "checker/guards/cel_eval.h"
#include "checker/guards/match.h"
#include "compiler/cluster/cluster.h"

namespace gpol {

// A policy as it is read: its expressions parsed and checked, and those of its bindings that deny.
struct PreparedPolicy {
  const AdmissionPolicy* policy = nullptr;
  std::vector<const AdmissionBinding*> bindings;
  // No: the API server refuses it, so that there is none, or it cannot deny (no binding with Deny, parameters).
  // Maybe: what it says is not understood well enough to tell whether the API server takes it.
  Tri exists = Tri::Yes;
  std::string why;
  std::vector<cel::ExprPtr> conditions, validations;
  std::map<std::string, cel::ExprPtr> variables;
  // What it speaks of: names and texts of its expressions, and the values that its namespaceSelector lists.
  std::set<std::string> words;
  std::vector<std::string_view> listed;  // the namespaces that it matches by name, sorted: there may be 100,000 of them
  bool speaks_of(const std::string& word) const;
};
// The names and texts of an expression.
void collect_words(const cel::ExprPtr& expr, std::set<std::string>& words);
// One per policy, in their order.
std::vector<PreparedPolicy> prepare_policies(const std::vector<AdmissionPolicy>& policies,
                                             const std::vector<AdmissionBinding>& bindings);

// Makes it one of a policy and bindings that differ from its own in which namespaces they match.
void match_as(PreparedPolicy& prepared, const AdmissionPolicy& policy, const std::vector<AdmissionBinding>& bindings);

struct Decision {
  enum class Kind : std::uint8_t { Admitted, Denied, Unknown } kind = Kind::Unknown;
  std::string policy;  // Denied: which; Unknown: the first that could not be decided
  std::string why;
};

// `request` is a map like AdmissionRequest of admission.k8s.io/v1: operation, resource {group, version, resource},
// kind, subResource, name, namespace, userInfo {username, groups, ...}, object, oldObject (null or absent: none), and
// namespaceObject, the Namespace it is in, whose labels are then all known. Without it only the labels of `namespaces`
// are, and of those only gpol.dev/ ones and the name.
Decision admits(const std::vector<AdmissionPolicy>& policies, const std::vector<AdmissionBinding>& bindings,
                const std::vector<Namespace>& namespaces, const cel::Value& request);
Decision admits(const std::vector<PreparedPolicy>& policies, const std::vector<Namespace>& namespaces,
                const cel::Value& request);
// What each of them does, in their order.
std::vector<Decision> each_admits(const std::vector<const PreparedPolicy*>& policies,
                                  const std::vector<Namespace>& namespaces, const cel::Value& request);

// The names that expressions see for a request.
cel::Activation activation_of(const cel::Value& request);

}  // namespace gpol
