// A parsed declaration to its syntax tree. In: its words and the rules that the parser recognised over them, in the
// order in which they begin. Out: the ast node. The declaration has parsed: nothing is checked again.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "compiler/syntax/ast.h"
#include "compiler/syntax/tokens.h"

namespace gpol::syntax {

// One rule that matched the words first..last (exclusive). Its parts are the nodes up to `next` (exclusive), depth
// first.
struct Node {
  Rule rule{};
  std::uint32_t first = 0, last = 0;
  std::uint32_t next = 0;
};

struct Parsed {
  std::string_view text;
  const Places& places;
  std::span<const Token> tokens;
  std::span<const Node> nodes;  // 0 is the declaration
};

ast::Decl build(const Parsed& parsed);

// What the word, a REFERENCE, names: of `$name` and `${name}-prod` it is `name`. The span is that of the reference alone.
ast::Name reference_name(const Parsed& parsed, std::uint32_t token);

// The words first..last (exclusive) with the references among them. An argument in parentheses of its own may hold
// commas, and stands for what is inside them.
ast::Words words_of(const Parsed& parsed, std::uint32_t first, std::uint32_t last);

}  // namespace gpol::syntax
