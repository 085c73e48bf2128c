// A policy in the one style (docs/fmt.md). In: one file of a SourceSet. Out: its text as `gpol fmt` writes it, or,
// where the file has syntax errors, no text and the diagnostics. Comments and the bytes of texts and names are kept;
// blanks, line breaks and `;` are not. The result is read back before it is handed out: another tree, other words or
// other comments than the file's are a mistake of this program and thrown (std::logic_error). Linear in the size of the
// text. Limits: those of parse.h, for what goes in and for what comes out (GP0104).
#pragma once

#include <string>

#include "compiler/source/diagnostic.h"
#include "compiler/source/source_set.h"

namespace gpol {

Outcome<std::string> formatted(const SourceSet& sources, FileId file);

// A whole text of gpol's own making; as it is where it cannot be read.
std::string in_one_style(std::string text);

// What keeps the promise: throws std::logic_error unless `after` holds the words, comments and tree of the file.
void require_same_meaning(const SourceSet& sources, FileId file, const std::string& after);

}  // namespace gpol
