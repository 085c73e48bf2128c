// Regular expressions of kustomize's selectors, in the syntax of RE2, matched against a whole text in time that grows
// with pattern and text and no faster. In: a pattern. Out: whether a text is one of it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace gpol::manifest::kustomize {

inline constexpr std::size_t kPatternLimit = 256;
inline constexpr std::size_t kTextLimit = 1024;  // no name, kind or image is longer

class Pattern {
 public:
  enum class Fault { None, Wrong, NotKnown };  // to RE2; to us: too long, or what is not read here

  explicit Pattern(std::string_view text);
  Fault fault() const { return fault_; }
  bool matches(std::string_view text) const;
  std::size_t cost() const;  // of one match, in the steps of Context

 private:
  struct Program;
  std::string plain_;  // where there is no program
  std::shared_ptr<const Program> program_;
  Fault fault_ = Fault::None;
};

}  // namespace gpol::manifest::kustomize
