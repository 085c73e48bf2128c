// The field table: every field of every kind that is emitted, what upstream takes where it is absent, the words that
// may stand there, and whether it matters to a proof. One place; the mutator and the test read it. Sources: the CRDs of
// Kueue v0.19.2 (config/components/crd/bases), apis/config/v1beta2/defaults.go,
// pkg/apis/admissionregistration/v1/defaults.go of Kubernetes.
#pragma once

#include <span>
#include <string_view>

namespace gpol::mutation {

struct Field {
  std::string_view kind;                                   // "Patch": an overlay's JSON patch; "*": any
  std::string_view path;                                   // "spec.resourceGroups[].flavors[].name"
  enum class Holds { Word, Number, Text, Numbers } holds;  // Numbers: a text that may have several in it
  std::string_view absent;  // what upstream takes then; "refused"; "none": nothing is said
  std::string_view words;   // the legal ones, by spaces; empty: any
  bool matters;  // to a proof of an example: what serving has one flavor and strict limits for may matter elsewhere
  std::string_view source;
};

std::span<const Field> fields();
// Of what is written for gateways (api/v1alpha1 of envoyproxy/gateway v1.9.1) and of NetworkPolicies: of one example.
std::span<const Field> gateway_fields();
// Of what is written for Volcano (config/crd/volcano/bases of v1.15.1): of one example.
std::span<const Field> volcano_fields();
// Null: no table has such a field.
const Field* field_of(std::string_view kind, std::string_view path);

}  // namespace gpol::mutation
