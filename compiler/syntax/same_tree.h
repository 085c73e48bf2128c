// Do two trees say the same? Everything is compared, in its order, but where it stands: spans are left out. A struct of
// ast.h that is not known here, or has another number of members, does not compile.
#pragma once

#include "compiler/syntax/ast.h"

namespace gpol::syntax {

bool same(const ast::Decl& a, const ast::Decl& b);

}  // namespace gpol::syntax
