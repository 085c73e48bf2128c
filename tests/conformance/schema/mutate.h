// Mutants of objects that a cluster accepts, and the tables of the kinds as JSON.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "checker/observe/tree.h"

namespace gpol {

// One of `objects` with one to three changes, as JSON; the same for the same seed. Nothing is changed where the tables
// do not look: below fields that they take as they are, or beside those of an open object.
std::string mutant(const std::vector<manifest::Node>& objects, std::uint64_t seed);

// The object as JSON, its numbers as they are written.
std::string json_of(const manifest::Node& node);

// What ../accept/table.go reads.
std::string tables_json();

}  // namespace gpol
