// Values and requests for the tests of guards, written as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "checker/guards/reach.h"

namespace gpol::guard_test {

inline cel::Value of_json(const nlohmann::json& json) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) return json.get<std::string>();
  if (json.is_array()) {
    cel::List list;
    for (const auto& element : json) list.push_back(of_json(element));
    return list;
  }
  if (json.is_object()) {
    cel::Map map;
    for (const auto& [key, value] : json.items()) map[key] = of_json(value);
    return map;
  }
  return {};
}

inline cel::Value json(const std::string& text) { return of_json(nlohmann::json::parse(text)); }

inline MatchResources about(const std::string& group, const std::string& resource,
                            std::vector<std::string> operations = {"CREATE", "UPDATE"}) {
  MatchResources match;
  match.rules.push_back({{group}, {"v1"}, std::move(operations), {resource}, {}, "*"});
  return match;
}

// A policy that denies, bound to everything.
inline Cluster guarded(const MatchResources& match, const std::vector<std::string>& validations) {
  Cluster cluster;
  AdmissionPolicy policy;
  policy.name = "guard";
  policy.match = match;
  for (const auto& text : validations) policy.validations.push_back({text, ""});
  cluster.admission_policies.push_back(std::move(policy));
  cluster.admission_bindings.push_back({"guard", "guard", {"Deny"}, {}});
  return cluster;
}

inline AdmissionTarget target(const std::string& operation, const std::string& group, const std::string& resource) {
  return {operation, group, "v1", resource, "", true};
}

}  // namespace gpol::guard_test
