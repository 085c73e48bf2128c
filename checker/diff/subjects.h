// Who is who on both sides. In: two sides. Out: the name under which each queue or tenant is compared.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "checker/diff/compare.h"

namespace gpol {

using SubjectKey = std::tuple<std::string, std::string, std::string, std::string>;  // kind, name, flavor, resource

class Subjects {
 public:
  Subjects(const DiffSide& before, const DiffSide& after);

  enum class Of { Before, After };
  SubjectKey key(const Obligation& o, Of side) const;
  // The name of a queue or of a tenant outside of Kueue.
  std::string name(const std::string& written, Of side) const;
  std::vector<std::string> renamed() const;  // in words

 private:
  bool by_tenant_ = false;                  // both are policies: queues are named by the compiler
  std::map<std::string, std::string> now_;  // the name of before -> that of after
  std::map<std::string, std::string> tenant_of_[2];
  DiffSide sides_[2];
};

// A policy on one side and manifests on the other: manifests state no deadlines and no premises, so that these are not
// compared.
// Something of the side was not read that may be any object: what it lacks may be there all the same.
bool is_incomplete(const DiffSide& side);

bool different_doors(const DiffSide& before, const DiffSide& after);

// The class of each that serves, by the name under which it is compared.
std::map<std::string, char> classes_of(const DiffSide& side, const Subjects& subjects, Subjects::Of which);

}  // namespace gpol
