// Whether the API server would take an expression into a policy, and of what type it is. A policy with one expression
// that it refuses does not exist, however strictly the rest of it reads (apis/admissionregistration/validation,
// cel-go checker). Where the two could differ, the answer here is CannotTell.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "checker/guards/cel.h"

namespace gpol::cel {

struct Type {
  enum class Kind : std::uint8_t {
    Dyn,
    Bool,
    Int,
    Double,
    String,
    Null,
    Sequence,
    Mapping,
    Quantity,
    Optional,
    Struct
  };
  Kind kind = Kind::Dyn;
  bool free = false;  // Dyn that becomes whatever its first use wants: a value looked up by a key in something open
  std::shared_ptr<const Type> of;  // Sequence, Optional: element; Mapping: value, under string keys
  const std::map<std::string, Type>* fields = nullptr;  // Struct
};

struct Checked {
  enum class Verdict : std::uint8_t { Ok, Refused, CannotTell } verdict = Verdict::CannotTell;
  Type type;
  std::string why;
  bool ok() const { return verdict == Verdict::Ok; }
};

struct TypeScope {
  std::map<std::string, Type> variables;  // variables.x, those before
  bool has_variables = true;              // match conditions have none
};

Checked check(const ExprPtr& expr, const TypeScope& scope);

}  // namespace gpol::cel
