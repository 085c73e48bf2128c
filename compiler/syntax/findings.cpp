#include <algorithm>

#include "compiler/syntax/tokens.h"

namespace gpol::syntax {

void Findings::add(Diagnostic found) {
  if (full_) return;
  if (found_.size() == kMost) {
    full_ = true;
    found.code = Code::TooDeepOrLarge;
    found.message = "this file has more than " + std::to_string(kMost) + " mistakes, the rest is not shown";
    found.labels.clear();
    found.hint = "mend some of those above and check again";
  }
  found_.push_back(std::move(found));
}

std::vector<Diagnostic> Findings::take() {
  std::stable_sort(found_.begin(), found_.end(),
                   [](const Diagnostic& a, const Diagnostic& b) { return a.span.begin < b.span.begin; });
  return std::move(found_);
}

}  // namespace gpol::syntax
