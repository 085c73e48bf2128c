// The rules of pkg/config/validation.go that the tables cannot say. They are asked of what could be decoded.
#pragma once

#include "checker/observe/schema/findings.h"
#include "checker/observe/schema/type.h"

namespace gpol::manifest::schema {

std::span<const Rule> configuration_rules();
std::span<const Rule> integration_rules();  // frameworks, namespaces, MultiKueue
std::span<const Rule> device_rules();       // resources.deviceClassMappings, metrics.customLabels

// The table of a version; null: there is none.
const Type* configuration_type(std::string_view api, std::string_view kind);

// Whether a feature gate is on with what the Configuration says.
bool gate_is_on(const Look& root, std::string_view gate);

}  // namespace gpol::manifest::schema
