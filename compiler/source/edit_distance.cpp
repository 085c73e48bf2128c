#include "compiler/source/edit_distance.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "compiler/source/text.h"

namespace gpol {
namespace {

// Longer words are not slips of the keyboard, and hostile ones would cost time.
constexpr std::size_t kLongest = 64;

// Optimal string alignment: insert, delete, replace and swapping two neighbours cost one each.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = lowered(a[i - 1]) == lowered(b[j - 1]) ? 0 : 1;
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + replace});
      if (i > 1 && j > 1 && lowered(a[i - 1]) == lowered(b[j - 2]) && lowered(a[i - 2]) == lowered(b[j - 1]))
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

}  // namespace

std::optional<std::string> nearest(std::string_view word, std::span<const std::string_view> candidates) {
  if (word.empty() || word.size() > kLongest) return std::nullopt;
  std::optional<std::string> best;
  std::size_t best_distance = 0;
  for (const std::string_view candidate : candidates) {
    if (candidate.empty() || candidate.size() > kLongest) continue;
    // A third of the letters may be wrong; of two letters none.
    const std::size_t allowed = std::max(word.size(), candidate.size()) / 3;
    const std::size_t gap =
        word.size() > candidate.size() ? word.size() - candidate.size() : candidate.size() - word.size();
    if (gap > allowed) continue;
    if (const std::size_t d = distance(word, candidate); d <= allowed && (!best || d < best_distance)) {
      best = std::string(candidate);
      best_distance = d;
    }
  }
  return best;
}

}  // namespace gpol
