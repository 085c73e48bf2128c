#include <algorithm>

#include "compiler/source/most.h"
#include "compiler/syntax/tokens.h"

namespace gpol::syntax {

void Findings::add(Diagnostic found) {
  if (full_) return;
  if (found_.size() == kMostMistakes) {
    full_ = true;
    found = too_many_mistakes(std::move(found));
  }
  found_.push_back(std::move(found));
}

std::vector<Diagnostic> Findings::take() {
  std::ranges::stable_sort(found_,
                           [](const Diagnostic& a, const Diagnostic& b) { return a.span.begin < b.span.begin; });
  return std::move(found_);
}

}  // namespace gpol::syntax
