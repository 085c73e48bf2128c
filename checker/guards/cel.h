// The Common Expression Language as admission policies write it: syntax (github.com/google/cel-spec, doc/langdef.md;
// cel-go v0.27 parser/gen/CEL.g4) to a tree. Input is hostile: depth and size are limited, a mistake is a value.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "checker/guards/value.h"

namespace gpol::cel {

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

struct Expr {
  enum class Kind : std::uint8_t {
    Literal,  // value
    Ident,    // name
    Select,   // args[0].name; `optional`: args[0].?name
    Has,      // has(args[0].name)
    Index,    // args[0][args[1]]; `optional`: args[0][?args[1]]
    Call,  // name(args...); `method`: args[0].name(args[1]...). Operators: "||" "&&" "!" "neg" "?:" "==" "in" "+" ...
    Sequence,  // a list: args
    Mapping,   // a map: args: key, value, key, value, ...
    Macro,   // name: all exists exists_one map filter; args[0]: range, args[1]: over `variable`, args[2]: of map(x, p,
             // t)
    Unknown  // syntax that is understood but not supported; `name` is its text
  };
  Kind kind = Kind::Unknown;
  Value value;
  std::string name, variable;
  bool optional = false, method = false;
  std::uint16_t depth = 1;  // of the tree below, itself included
  std::vector<ExprPtr> args;
};

struct ParseLimits {
  std::size_t bytes = 65536, nodes = 16000, depth = 250;
};

struct Parsed {
  ExprPtr expr;       // null: a mistake
  std::string error;  // what and where
  std::size_t at = 0;
};

Parsed parse(std::string_view text, const ParseLimits& limits = {});

}  // namespace gpol::cel
