// Lines to text. In: lines in their order. Out: one text, in which lines that follow each other directly share columns:
// the third word of `pool`, `window` and `class` lines, and the comments behind code. What would be far to the right
// takes no part, so that padding stays a constant times the text: lines are handed on as soon as their columns are
// known.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/syntax/tokens.h"

namespace gpol::format {

struct Line {
  std::size_t indent = 0;
  std::string code = {};                // empty: the line is a comment
  std::string_view comment = {};        // empty: none
  std::size_t head = 0;                 // the bytes of code before the word that stands in a column; 0: there is none
  syntax::Kind of = syntax::Kind::END;  // lines of the same kind share that column
};

// In code points.
std::size_t width(std::string_view text);

class Lines {
 public:
  static constexpr std::size_t kWidestHead = 40;  // wider ones stand in no column
  static constexpr std::size_t kWidestCode = 80;  // behind wider code a comment stands in no column

  void add(Line line);
  void blank();
  std::string finish();  // everything so far; call once

 private:
  void flush();
  void align_heads();
  void align_comments();

  std::vector<Line> open_;  // each shares a column with the next
  std::string out_;
};

}  // namespace gpol::format
