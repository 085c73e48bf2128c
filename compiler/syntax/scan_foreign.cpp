// What other languages write around words: `//`, `/* */` and `--` for comments, other quotes, brackets for braces and
// for lists. Each is reported once, and read as what was meant, so that nothing else breaks.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "compiler/source/text.h"
#include "compiler/syntax/codes.h"
#include "compiler/syntax/patterns.h"
#include "compiler/syntax/scan.h"
#include "compiler/syntax/slips.h"

namespace gpol::syntax {

namespace {

constexpr std::size_t kLongestEdit = 400;  // of an edit that shows what it keeps
constexpr std::uint32_t kFar = 200;        // before a place; no slip is longer

}  // namespace

// Reported, then passed over as the comment that was meant.
bool Scanner::foreign_comment() {
  const std::string_view rest = text_.substr(at_, 2);
  const char after = at_ + 2 < text_.size() ? text_[at_ + 2] : '\n';
  const bool dashes = rest == "--" && (after == ' ' || after == '\t');
  if (rest != "//" && rest != "/*" && !dashes) return false;
  auto end = std::string_view::npos;
  if (rest == "/*" && !no_comment_end_) {
    end = text_.find("*/", at_ + 2);
    no_comment_end_ = end == std::string_view::npos;
    if (!no_comment_end_) end += 2;
  }
  if (!std::exchange(foreign_comment_before_, true))
    tell(at_, at_ + 2, fmt::format("`{}` does not begin a comment", rest), "begin each line of a comment with `#`",
         rest == "/*" ? std::nullopt : std::optional<std::string>("#"));
  at_ = end == std::string_view::npos ? end_of_line(at_) : static_cast<std::uint32_t>(end);
  return true;
}

Token Scanner::wrong_quotes(std::string_view open) {
  const std::uint32_t begin = at_;
  const std::string_view close = open.size() == 1 ? open : open == "\xE2\x80\x98" ? "\xE2\x80\x99" : "\xE2\x80\x9D";
  std::size_t found = begin + open.size();
  while (found < text_.size() && text_[found] != '\n' && !text_.substr(found).starts_with(close)) ++found;
  const bool closed = open != "\"" && found < text_.size() && text_[found] != '\n';
  if (!closed) return unclosed_text(open);
  at_ = static_cast<std::uint32_t>(found + close.size());
  tell(begin, at_, fmt::format("a text cannot stand in `{}` quotes", open), "put it in double quotes: `\"...\"`",
       fmt::format("\"{}\"", text_.substr(begin + open.size(), found - begin - open.size())));
  // One byte of quote at either end, as a STRING has.
  return Token{Kind::STRING, false, begin + static_cast<std::uint32_t>(open.size()) - 1,
               static_cast<std::uint32_t>(found) + 1};
}

// `- chat` in a line of its own, as YAML has it: once for all such lines.
bool Scanner::yaml_item() {
  const std::uint32_t from = at_ > kFar ? at_ - kFar : 0;
  const std::string_view before = text_.substr(from, at_ - from);
  const auto line = before.find_last_not_of(" \t");
  if (line == std::string_view::npos || before[line] != '\n' || !text_.substr(at_).starts_with("- ")) return false;
  if (!std::exchange(yaml_item_before_, true))
    tell(at_, at_ + 1, "`-` has no meaning in a policy",
         "this is no YAML: the parts of a list are separated with `,`, as in `namespace a, b`");
  after_bad_ = true;
  ++at_;
  return true;
}

// Reported, and handed on as a text up to what can only stand behind one.
Token Scanner::unclosed_text(std::string_view open) {
  const std::uint32_t begin = at_, line = begin > kFar ? begin - kFar : 0;
  const std::string_view before = text_.substr(line, begin - line),
                         rest = text_.substr(begin, end_of_line(begin) - begin);
  const bool opened = before.substr(before.find_last_of("\n)") + 1).find('(') != std::string_view::npos;
  const auto by = rest.find(" by @");
  auto length = by != std::string_view::npos ? by : std::min(rest.find_first_of(opened ? ";})" : ";}"), rest.size());
  while (length > open.size() && (rest[length - 1] == ' ' || rest[length - 1] == '\t')) --length;
  at_ = begin + static_cast<std::uint32_t>(length);
  Diagnostic told = error_at(code::BadCharacter, findings_.span(begin, begin + static_cast<std::uint32_t>(open.size())),
                             "the text that begins here has no closing quote on its line", "close the text with `\"`");
  if (open == "\"" && length == 1) told.hint = "a text begins and ends with `\"`";
  if (open == "\"" && length > 1) told.edits = edit_of(findings_, at_ - 1, at_, std::string(1, text_[at_ - 1]) + "\"");
  findings_.add(std::move(told));
  return {Kind::STRING, true, begin, at_};
}

// Does the item that the bracket stands in begin as a block does, or is what stands before it a block's?
bool Scanner::opens_block(std::uint32_t bracket) const {
  static const Patterns patterns(
      {"(?:^|[\n;{}])~(?:cluster|scheduler|nodes|cohort|class|tenant|queue|hardware|mig|service|requests|engine|limit|"
       "lever|"
       "calendar|define)\\b[^\n;{}]*$|\\bmig~$"});
  const std::uint32_t from = bracket > kFar ? bracket - kFar : 0;
  return patterns.match(0, text_.substr(from, bracket - from), 0).has_value();
}

// `[ ... ]` for the braces of a block, or around a list.
std::optional<Token> Scanner::bracket() {
  const std::uint32_t begin = at_++;
  if (begin == block_end_) return Token{Kind::RBRACE, false, begin, at_};
  after_bad_ = true;
  if (begin == list_end_) return std::nullopt;
  constexpr std::size_t kFarthest = 10'000;
  const auto close = text_[begin] == '[' ? text_.substr(begin, kFarthest).find(']') : std::string_view::npos;
  const std::uint32_t end = close == std::string_view::npos ? begin : begin + static_cast<std::uint32_t>(close);
  const bool block = end > begin && opens_block(begin);
  if (!block && end > begin && row_around(begin)) return std::nullopt;
  const auto inside = text_.substr(begin + 1, end > begin ? end - begin - 1 : 0);
  Diagnostic told = error_at(code::BadCharacter, findings_.span(begin, at_),
                             fmt::format("`{}` has no meaning in a policy", text_[begin]),
                             block ? "a block stands in braces: `{ ... }`" : "lists need no brackets: `a, b, c`");
  if (inside.size() <= kLongestEdit)
    told.edits = edit_of(findings_, begin, end + 1, block ? fmt::format("{{{}}}", inside) : std::string(inside));
  told.sure = !told.edits.empty();
  findings_.add(std::move(told));
  (block ? block_end_ : list_end_) = end;
  if (!block) return std::nullopt;
  after_bad_ = false;
  return Token{Kind::LBRACE, false, begin, at_};
}

}  // namespace gpol::syntax
