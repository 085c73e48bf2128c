#include "compiler/source/most.h"

#include <fmt/format.h>

#include <utility>

#include "compiler/source/codes.h"

namespace gpol {

Diagnostic too_many_mistakes(Diagnostic first_left_out) {
  first_left_out.code = code::TooDeepOrLarge;
  first_left_out.severity = Severity::Error;
  first_left_out.message = fmt::format("this file has more than {} mistakes, the rest is not shown", kMostMistakes);
  first_left_out.labels.clear();
  first_left_out.hint = "mend some of those above and check again";
  return first_left_out;
}

void leave_out_the_rest(std::vector<Diagnostic>& sorted) {
  if (sorted.size() <= kMostMistakes) return;
  Diagnostic last = too_many_mistakes(std::move(sorted[kMostMistakes]));
  sorted.erase(sorted.begin() + static_cast<std::ptrdiff_t>(kMostMistakes), sorted.end());
  sorted.push_back(std::move(last));
}

}  // namespace gpol
