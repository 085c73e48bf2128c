#include "checker/observe/kustomize/patterns.h"

#include <re2/re2.h>

namespace gpol::manifest::kustomize {

Pattern::Pattern(std::string_view text) : plain_(text) {
  if (text.find_first_of("\\.+*?()|[]{}^$") == std::string_view::npos) return;
  if (text.size() > kPatternLimit) {
    fault_ = Fault::NotKnown;
    return;
  }
  re2::RE2::Options options(re2::RE2::Quiet);
  options.set_max_mem(1 << 20);  // what a stranger's pattern may take
  options.set_never_capture(true);
  auto regexp = std::make_shared<const re2::RE2>(plain_, options);
  if (regexp->ok())
    regexp_ = std::move(regexp);
  else
    fault_ = regexp->error_code() == re2::RE2::ErrorPatternTooLarge ? Fault::NotKnown : Fault::Wrong;
}

std::size_t Pattern::cost() const { return regexp_ ? 8 + static_cast<std::size_t>(regexp_->ProgramSize()) : 1; }

bool Pattern::matches(std::string_view text) const {
  if (!regexp_) return fault_ == Fault::None && text == plain_;
  return text.size() <= kTextLimit && re2::RE2::FullMatch(text, *regexp_);
}

}  // namespace gpol::manifest::kustomize
