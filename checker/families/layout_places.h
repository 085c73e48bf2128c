// Whether a GPU can be cut into a layout, by two ways that must agree: a formula whose unknowns are the starts, and an
// exhaustive search over the memory slices (checker/partition/legal.h).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "checker/families/lemma_book.h"
#include "compiler/policy/vocabulary.h"

namespace gpol {

using Layout = std::vector<Slices>;

// The answer for the formula, and why there is no legal placement; nothing: there is one.
std::pair<const Answer&, std::optional<std::string>> places(LemmaBook& book, const Hardware& model,
                                                            const Layout& layout);
// Of each profile its size and its starts are known.
bool starts_known(const Hardware& device, const Layout& layout);
// The first instance that cannot be added to those before it: "the second `3g.40gb`".
std::string without_place(const Hardware& device, const Layout& layout);

}  // namespace gpol
