// Words and comments to lines: what `gpol fmt` makes of a policy. In: the declarations of one file as syntax::read
// visits them, and the comments that it keeps. Out: the text. Nothing is dropped but blanks and `;`, nothing changes
// its place among the others. The style is told in docs/fmt.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/format/lines.h"
#include "compiler/syntax/build.h"

namespace gpol::format {

class Layout {
 public:
  static constexpr std::size_t kWidest = 120;  // a block that is wider gets a line for each item

  // Both must outlive it; `comments` may grow until finish().
  Layout(std::string_view text, const std::vector<syntax::Token>& comments) : text_(text), comments_(comments) {}
  void declaration(const syntax::Parsed& parsed);
  std::string finish();

 private:
  struct Gap {
    bool breaks = false;  // a line ends in it
    bool blank = false;   // and a line in it holds nothing
  };
  struct Mark {
    bool item = false;        // begins an item, or the declaration
    bool column = false;      // stands in a column with those of the lines around it
    bool tight = false;       // no space before it, whatever it is
    std::uint32_t close = 0;  // of a `{`: its `}`
    std::uint32_t end = 0;    // where the word ends if all of the declaration were one line
  };

  void measure(const syntax::Parsed& parsed);
  void verbatim(const syntax::Parsed& parsed);
  bool flat(const syntax::Parsed& parsed, std::uint32_t brace) const;
  void word(const syntax::Parsed& parsed, std::uint32_t i);
  void comments_before(std::uint32_t end, std::size_t indent, bool inside_item);
  void begin_line(std::size_t indent, bool blank);
  void end_line();
  Gap gap_to(std::uint32_t begin) const;  // from the last thing laid out
  std::string_view slice(const syntax::Token& token) const;
  std::size_t indent() const { return 2 * open_; }
  std::size_t deeper() const { return 2 * open_ + 4; }  // the rest of an item whose line had to end

  std::string_view text_;
  const std::vector<syntax::Token>& comments_;
  Lines lines_;
  Line line_;
  bool in_line_ = false;  // line_ is open
  std::size_t next_comment_ = 0;
  std::uint32_t end_ = 0;                  // of what was laid out last, in the text
  syntax::Kind last_ = syntax::Kind::END;  // its kind; END: nothing yet
  // Of the declaration at hand.
  std::vector<Mark> marks_;
  std::size_t open_ = 0;         // blocks with a line for each item
  std::size_t flat_ = 0;         // blocks on one line
  std::uint32_t item_ = 0;       // the first word of the item, or line of items, at hand
  std::uint32_t line_from_ = 0;  // the first word of the line
};

}  // namespace gpol::format
