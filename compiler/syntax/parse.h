// Text to syntax tree. In: one file of a SourceSet. Out: every declaration that could be read, and a diagnostic for
// everything else, all of a file in one run: after a mistake reading goes on with the next declaration. Nothing is
// thrown. This is the only part of gpol that sees ANTLR. Limits (GP0104 beyond them): 64 MiB of text; words of
// 4,096 bytes; 100,000 words in a declaration, 20,000,000 in a file; 250,000 declarations; blocks nested 16 deep; 200
// diagnostics a file.
#pragma once

#include <cstddef>

#include "compiler/source/diagnostic.h"
#include "compiler/source/source_set.h"
#include "compiler/syntax/ast.h"
#include "compiler/syntax/places.h"

namespace gpol {

inline constexpr std::size_t kMostBytes = std::size_t{64} * 1024 * 1024;

Outcome<ast::File> parse(const SourceSet& sources, FileId file);

// Declarations in a text that was put together from parts of files (expand.h). In it stand no references and, of
// declarations, none but those that a policy is made of. `tries`: as in read.h.
Outcome<std::vector<ast::Decl>> parse_expansion(std::string_view text, const syntax::Places& places,
                                                std::size_t& tries);

}  // namespace gpol
