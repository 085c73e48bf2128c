// A parsed declaration to its syntax tree. In: its words and the rules that the parser recognised over them, in the
// order in which they begin. Out: the ast node. The declaration has parsed: nothing is checked again.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

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
  std::span<const Node> nodes;  // 0 is the declaration; none: it holds references and was not parsed
};

ast::Decl build(const Parsed& parsed);

// The names that the references among the words first..last have: of `$name` and `${name}-prod` it is `name`.
std::vector<ast::Name> reference_names(const Parsed& parsed, std::uint32_t first, std::uint32_t last);

// The words first..last (exclusive) with the references among them. An argument in parentheses of its own may hold
// commas, and stands for what is inside them.
ast::Words words_of(const Parsed& parsed, std::uint32_t first, std::uint32_t last);

}  // namespace gpol::syntax
