// An object against its table. In: a look at the object and the type that it should have. Out: findings named
// "schema:...". Rules of the walk: k8s.io/apiextensions-apiserver pkg/apiserver (pruning, defaulting, validation, list
// types): null is dropped from mappings, a default stands in for what is absent, fields are told apart by case.
#pragma once

#include "checker/observe/schema/findings.h"
#include "checker/observe/schema/type.h"

namespace gpol::manifest::schema {

void check_structure(const Look& object, const Type& type, Findings& findings);
// Of a file that a program decodes itself (sigs.k8s.io/json, strict), with defaults of its own: null is the zero of the
// type, of lists' items too; a quantity may be any number.
void check_decoded(const Look& object, const Type& type, Findings& findings);

// Every name that check_structure can give.
std::span<const std::string_view> structure_rules();

}  // namespace gpol::manifest::schema
