// A policy with everything that it imports. In: its text, and the files below the root of its repository. Out: the
// files, its own first, then the others in the order in which they are imported, each once, their texts in the
// SourceSet and references replaced (compiler/syntax/expand.h); GP0312 for an import that cannot be followed. `import
// "PATH"` is a file or a directory (its .gpol files, not those below it), beside the file that says so; `import
// gpol/NAME` is of the library that comes with gpol (policies/). Nothing outside the repository is read: its root is
// the nearest directory above the policy with a `.git`; without one it is the working directory, where the policy lies
// below it, else the policy's own. Limits: 10,000 files, 64 MiB together, imports 64 deep.
#pragma once

#include <filesystem>
#include <vector>

#include "cli/commands/inputs.h"
#include "compiler/source/source_set.h"
#include "compiler/syntax/ast.h"

namespace gpol {

// The root of the repository that a directory, given in its canonical form, is in.
std::filesystem::path repository_of(const std::filesystem::path& directory, const FileTree& tree = disk());

Outcome<std::vector<ast::File>> read_modules(PolicyText policy, SourceSet& sources, const FileTree& tree = disk());

// Is it of imports that lead in a circle? Each of the files tells it, in the same words and at the same place.
bool tells_of_circle(const Diagnostic& d);

}  // namespace gpol
