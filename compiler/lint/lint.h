// What a policy says and could leave out: warnings that change no verdict, each with the edit that follows its hint.
//   GP0401 definitions, GP0402 imports, GP0403 declarations that nothing uses
//   GP0404 allows, GP0405 promises that say no more than others do
// In: the policy's files, the policy that they mean, and what they looked like before definitions were replaced. Out:
// warnings about the policy's own file (what is imported may be meant for others, too), by place, kMostMistakes at
// most. A module is used by files that nobody can know: nothing is said of it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compiler/policy/policy.h"
#include "compiler/source/diagnostic.h"
#include "compiler/source/source_set.h"
#include "compiler/syntax/ast.h"

namespace gpol {

// What is gone once definitions have been replaced (compiler/syntax/expand.h).
struct Definitions {
  struct Define {
    std::string name;
    Span name_span, span;
    std::vector<std::string> uses;  // of other definitions
  };
  std::vector<Define> defines;    // of all files
  std::vector<std::string> uses;  // by declarations that hold references
  // Of the policy's own file, in the order of the text: definitions, and declarations that hold references.
  std::vector<Span> bodies, holding;
};
Definitions definitions_of(std::span<const ast::File> files);

// What is to be taken out to take out a declaration of the policy's own file; unknown where that cannot be told,
// because it is made of a definition.
Span whole_declaration(const SourceSet& sources, const Definitions& definitions, FileId own, Span declaration);

// `files` expanded, the policy's own first; it is what they resolve to, without an error.
std::vector<Diagnostic> lint(const SourceSet& sources, const Definitions& definitions, std::span<const ast::File> files,
                             const Policy& policy);

}  // namespace gpol
