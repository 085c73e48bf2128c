// The structure of the objects that this module judges. In: apiVersion and kind. Out: the kind's table.
// Facts: the CRDs of Kueue v0.19.2 (config/components/crd/bases) and metav1.ObjectMeta of Kubernetes v1.36;
// tests/conformance/schema compares the tables with both, field by field.
#pragma once

#include "checker/observe/schema/type.h"

namespace gpol::manifest::schema {

inline constexpr std::string_view kV1beta2 = "kueue.x-k8s.io/v1beta2";
inline constexpr std::string_view kV1beta1 = "kueue.x-k8s.io/v1beta1";

struct Kind {
  std::string_view api, name;
  bool namespaced;
  Type root;
};

std::span<const Kind> kinds();
// Null: not a kind that is known here.
const Kind* kind_of(std::string_view api, std::string_view name);

}  // namespace gpol::manifest::schema
