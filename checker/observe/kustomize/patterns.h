// Regular expressions of kustomize's selectors, in the syntax of Go, which is RE2's, matched against a whole text in
// time that grows with pattern and text and no faster. In: a pattern. Out: whether a text is one of it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace re2 {
class RE2;
}

namespace gpol::manifest::kustomize {

inline constexpr std::size_t kPatternLimit = 256;
inline constexpr std::size_t kTextLimit = 1024;  // no name, kind or image is longer

class Pattern {
 public:
  enum class Fault { None, Wrong, NotKnown };  // to RE2; to us: too long, or what it has no room for

  explicit Pattern(std::string_view text);
  Fault fault() const { return fault_; }
  bool matches(std::string_view text) const;
  std::size_t cost() const;  // of one match, in the steps of Context

 private:
  std::string plain_;                       // where there is no expression
  std::shared_ptr<const re2::RE2> regexp_;  // null: the text alone
  Fault fault_ = Fault::None;
};

}  // namespace gpol::manifest::kustomize
