#include "compiler/syntax/ast.h"

#include <utility>

namespace gpol::ast {

Decl::Decl(Span at, decltype(node) what) : span(at), node(std::move(what)) {}
GPOL_SPECIAL_MEMBERS_OF(Decl);

}  // namespace gpol::ast
