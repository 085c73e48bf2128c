// The rules of pkg/config/validation.go that the tables cannot say. They are asked of what could be decoded.
#pragma once

#include "checker/observe/schema/findings.h"
#include "checker/observe/schema/type.h"

namespace gpol::manifest::schema {

std::span<const Rule> configuration_rules();

// The table of a version; null: there is none.
const Type* configuration_type(std::string_view api, std::string_view kind);

}  // namespace gpol::manifest::schema
