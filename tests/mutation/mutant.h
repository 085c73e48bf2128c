// One change of what ships. In: an example. Out: every change that the generators can think of, in a stable order.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/mutation/example.h"

namespace gpol::mutation {

struct Mutant {
  std::string field;            // "ClusterQueue spec.stopPolicy", or the clause of a policy
  std::string change;           // "delete", "0", "+1", "-1", "default", "to Hold", "swap", "remove"
  std::string where;            // the object, or the word of the clause that is changed
  std::string text;             // of a policy
  std::vector<YamlFile> files;  // of YAML: those that are another, and those that are gone with no bytes
};

std::vector<Mutant> policy_mutants(const Example& example);
// Guards that `before` has word for word are left out: they were judged there.
std::vector<Mutant> yaml_mutants(const Example& example, const Example* before = nullptr);

// The example's files with the mutant's in their places.
std::vector<YamlFile> with(const Example& example, const Mutant& mutant);

// Fields that the field table does not have ("ClusterQueue spec.new"): each once.
std::vector<std::string> fields_missing(const Example& example);

}  // namespace gpol::mutation
