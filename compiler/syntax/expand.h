// Definitions put in the place of the references to them. In: the files of one policy, parsed, and their texts. Out:
// the same files without references (ast::Unexpanded), each declaration in its place; GP0201 for a name that nothing
// defines, GP0202 for one defined twice, GP0311 for what a definition cannot be (made of itself, given other arguments
// than it has parameters), GP0104 beyond the limits, and whatever is wrong with the text that results, where its parts
// were written, every place knowing its use (SourceSet::used_at). A definition is text: what is in it is read when it
// is used. Definitions know no order, and there is one space of names for all files. Limits: references 16 deep, 1 MiB
// for one declaration, 64 MiB for a policy.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compiler/source/diagnostic.h"
#include "compiler/source/source_set.h"
#include "compiler/syntax/ast.h"

namespace gpol {

std::vector<Diagnostic> expand(SourceSet& sources, std::span<ast::File> files);

// What the files of a policy say in full: one text that means the same, with every reference replaced, without imports
// and definitions.
std::string expanded_text(SourceSet& sources, std::span<const ast::File> files);

}  // namespace gpol
