// What `gpol fmt --diff` prints of one file. In: its path and two texts that differ in nothing but blanks, line breaks
// and
// `;` (anything else gives a correct diff, not a short one). Out: a unified diff with three lines of context, which
// `patch -p0` applies; empty if the texts are equal. Linear: since the texts have the same words in the same order, how
// many of their bytes stand before a line says which line it can be equal to. A diff of any two texts would take time
// by the number of differing lines squared.
#pragma once

#include <string>
#include <string_view>

namespace gpol {

std::string unified_diff(std::string_view path, std::string_view before, std::string_view after);

}  // namespace gpol
