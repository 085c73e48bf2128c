#include "compiler/syntax/ast.h"

#include <utility>

namespace gpol::ast {

Decl::Decl() = default;
Decl::Decl(Span at, decltype(node) what) : span(at), node(std::move(what)) {}
Decl::Decl(const Decl&) = default;
Decl::Decl(Decl&&) noexcept = default;
Decl& Decl::operator=(const Decl&) = default;
Decl& Decl::operator=(Decl&&) noexcept = default;
Decl::~Decl() = default;

}  // namespace gpol::ast
