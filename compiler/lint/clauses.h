// The clauses of a policy, as far as they can be taken out one by one. In: the texts of its own files and of what they
// import from the same repository. Out: its declarations and the items in their braces, to any depth, each with its
// place. An import, a definition, and a declaration that holds references are one clause each: what is in them is known
// only where it is used. Files of the library have none.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compiler/source/source_set.h"

namespace gpol {

struct Clause {
  Span whole;                         // what is taken out
  Span shown;                         // of a block its head, up to its `{`; else the whole
  std::optional<std::size_t> within;  // the clause whose block it stands in; it comes before
};

// In the order in which they stand, file by file; those of a block behind it.
std::vector<Clause> clauses_of(const SourceSet& sources);

// The text of a file with the clauses that are `out` left blank, so that every other place stays where it is.
std::string text_without(const SourceSet& sources, FileId file, std::span<const Clause> clauses,
                         const std::vector<bool>& out);

}  // namespace gpol
