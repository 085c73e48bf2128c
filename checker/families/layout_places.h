// Whether a GPU can be cut into a layout, by two ways that must agree: a formula whose unknowns are the starts, and an
// exhaustive search over the memory slices (checker/partition/legal.h).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "checker/families/lemma_book.h"
#include "compiler/cluster/intent.h"

namespace gpol {

using Layout = std::vector<Slices>;

// The answer for the formula, and why there is no legal placement; nothing: there is one. `held`: what the GPU holds
// beside that already.
std::pair<const Answer&, std::optional<std::string>> places(LemmaBook& book, const Hardware& model,
                                                            const Layout& layout,
                                                            const std::vector<Instance>& held = {});
// Whether the pool has none: nothing can be said of what stands on its nodes.
bool no_layout(const CutPool& pool);
// Of each profile its size and its starts are known.
bool starts_known(const Hardware& device, const Layout& layout);
// The first instance that cannot be added to those before it: "the second `3g.40gb`".
// What is held stands.
std::string without_place(const Hardware& device, const Layout& layout, const std::vector<Instance>& held = {});
// "1g.10gb at 2, 1g.10gb at 3".
std::string held_in_words(const std::vector<Instance>& held);
// The layout without them.
Layout beside(const Layout& layout, const std::vector<Instance>& held);

}  // namespace gpol
