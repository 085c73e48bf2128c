// "did you mean": the candidate nearest to a word that a user wrote. In: the word and the words that would have been
// legal there. Out: a candidate that differs by few enough edits to be the same word mistyped, or nothing. ASCII case
// does not count as a difference. Equal distances: the first candidate wins, so the order of the candidates decides.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gpol {

std::optional<std::string> nearest(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace gpol
