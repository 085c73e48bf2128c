#include "compiler/syntax/scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "compiler/source/source_set.h"
#include "compiler/syntax/utf8.h"

namespace gpol::syntax {
namespace {

Diagnostic bad(Span span, std::string message, std::string hint) {
  return {Code::BadCharacter, Severity::Error, span, std::move(message), {}, std::move(hint)};
}

void check_bytes(std::string_view text, std::uint32_t from, Findings& findings) {
  bool invalid = false, misleading = false;
  for (std::uint32_t i = from; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c >= 0x20 && c < 0x7F) {
      ++i;
      continue;
    }
    const CodePoint point = decode(text, i);
    if (!point.valid && !invalid) {
      findings.add(bad(findings.span(i, i + 1), fmt::format("byte 0x{:02X} is not valid UTF-8", c),
                       "save the file as UTF-8; later places of this kind in the file are not shown"));
      invalid = true;
    } else if (point.valid && misleads(point.value) && !misleading) {
      findings.add(bad(findings.span(i, i + point.length),
                       fmt::format("the invisible character U+{:04X} is not allowed anywhere",
                                   static_cast<std::uint32_t>(point.value)),
                       "delete it; later places of this kind in the file are not shown"));
      misleading = true;
    }
    i += point.length;
  }
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Shown as blank or not at all, and legal inside texts and comments.
bool looks_blank(char32_t c) {
  return c == 0xA0 || c == 0xAD || c == 0x3000 || c == 0xFEFF || (c >= 0x2000 && c <= 0x200D) || c == 0x202F ||
         (c >= 0x205F && c <= 0x2064);
}

}  // namespace

Scanner::Scanner(std::string_view text, const LexerTable& table, Findings& findings, std::vector<Token>* comments)
    : text_(text), table_(table), findings_(findings), comments_(comments) {
  if (text_.starts_with(kByteOrderMark)) at_ = static_cast<std::uint32_t>(kByteOrderMark.size());
  check_bytes(text_, at_, findings_);
}

Token Scanner::match() const {
  Token best{Kind::BAD, false, at_, at_ + 1};
  std::uint16_t state = 0;
  const auto size = static_cast<std::uint32_t>(text_.size());
  for (std::uint32_t i = at_; i < size;) {
    state = table_.states[state].next[std::min(static_cast<unsigned char>(text_[i]), LexerTable::kOther)];
    if (state == LexerTable::kDead) break;
    ++i;
    if (const Kind accept = table_.states[state].accept; accept != Kind::END) {
      best.kind = accept;
      best.end = i;
    }
  }
  return best;
}

Token Scanner::next() {
  while (at_ < text_.size() && !findings_.full()) {
    Token word = match();
    if (word.kind == Kind::BAD) {
      if (auto text = refuse()) return *text;
      continue;
    }
    at_ = word.end;
    if (word.kind == Kind::COMMENT && comments_ != nullptr) comments_->push_back(word);
    if (word.kind == Kind::SPACE || word.kind == Kind::COMMENT) continue;
    if (word.end - word.begin > kLongestWord) {
      findings_.add({Code::TooDeepOrLarge,
                     Severity::Error,
                     findings_.span(word.begin, word.end),
                     fmt::format("this word is longer than {} bytes", kLongestWord),
                     {},
                     "write a shorter one"});
      after_bad_ = true;
      continue;
    }
    word.after_bad = after_bad_;
    after_bad_ = foreign_comment_before_ = false;
    return word;
  }
  const auto size = static_cast<std::uint32_t>(text_.size());
  return {Kind::END, after_bad_, size, size};
}

std::uint32_t Scanner::end_of_line(std::uint32_t from) const {
  return static_cast<std::uint32_t>(std::min(text_.find_first_of("\r\n", from), text_.size()));
}

std::optional<Token> Scanner::refuse() {
  if (foreign_comment()) return std::nullopt;
  for (const std::string_view open : {"'", "\xE2\x80\x9C", "\xE2\x80\x9D", "\xE2\x80\x98", "\""})
    if (text_.substr(at_).starts_with(open)) return wrong_quotes(open);
  // One run of refused characters is one mistake; a quote or a comment in it is its own.
  const std::uint32_t begin = at_;
  do {
    at_ += 1;
  } while (at_ < text_.size() && match().kind == Kind::BAD && text_[at_] != '\'' && text_[at_] != '"' &&
           text_[at_] != '/');
  after_bad_ = true;
  report_character(begin, at_);
  return std::nullopt;
}

// `//` and `/* */`: reported, then passed over as the comment that was meant.
bool Scanner::foreign_comment() {
  const std::string_view rest = text_.substr(at_, 2);
  if (rest != "//" && rest != "/*") return false;
  auto end = std::string_view::npos;
  if (rest == "/*" && !no_comment_end_) {
    end = text_.find("*/", at_ + 2);
    no_comment_end_ = end == std::string_view::npos;
    if (!no_comment_end_) end += 2;
  }
  if (!foreign_comment_before_)
    findings_.add(bad(findings_.span(at_, at_ + 2), fmt::format("`{}` does not begin a comment", rest),
                      "begin each line of a comment with `#`"));
  foreign_comment_before_ = true;
  at_ = end == std::string_view::npos ? end_of_line(at_) : static_cast<std::uint32_t>(end);
  return true;
}

std::optional<Token> Scanner::wrong_quotes(std::string_view open) {
  const std::uint32_t begin = at_;
  const std::string_view close = open.size() == 1 ? open : open == "\xE2\x80\x98" ? "\xE2\x80\x99" : "\xE2\x80\x9D";
  std::size_t found = begin + open.size();
  while (found < text_.size() && text_[found] != '\n' && !text_.substr(found).starts_with(close)) ++found;
  const bool closed = open != "\"" && found < text_.size() && text_[found] != '\n';
  if (!closed) {
    findings_.add(bad(findings_.span(begin, begin + static_cast<std::uint32_t>(open.size())),
                      "the text that begins here has no closing quote on its line", "close the text with `\"`"));
    at_ = end_of_line(begin);
    after_bad_ = true;
    return std::nullopt;
  }
  at_ = static_cast<std::uint32_t>(found + close.size());
  findings_.add(bad(findings_.span(begin, at_), fmt::format("a text cannot stand in `{}` quotes", open),
                    "put it in double quotes: `\"...\"`"));
  // One byte of quote at either end, as a STRING has.
  return Token{Kind::STRING, false, begin + static_cast<std::uint32_t>(open.size()) - 1,
               static_cast<std::uint32_t>(found) + 1};
}

void Scanner::report_character(std::uint32_t begin, std::uint32_t end) {
  const CodePoint point = decode(text_, begin);
  if (!point.valid || misleads(point.value)) return;  // check_bytes has said so
  const Span span = findings_.span(begin, end);
  const auto number = static_cast<std::uint32_t>(point.value);
  const std::string_view shown = text_.substr(begin, point.length);
  const char after = begin + 1 < text_.size() ? text_[begin + 1] : ' ';
  if (looks_blank(point.value))
    findings_.add(bad(span, fmt::format("the character U+{:04X} looks like a space but is none", number),
                      "delete it and type a space"));
  else if (number > 0x7F)
    findings_.add(bad(span,
                      fmt::format("the character `{}` (U+{:04X}) can stand only in texts and comments", shown, number),
                      "names are made of the letters a to z, digits, `-`, `_`, `/` and `.`"));
  else if (shown == "-" && begin > 0 && is_digit(text_[begin - 1]) && is_digit(after))
    findings_.add(bad(span, "`-` has no meaning here", "a range is written with `..`: `22:00..06:00`"));
  else if (shown == "-" && is_digit(after))
    findings_.add(bad(span, "a number cannot be negative", "leave out the `-`"));
  else if (shown == "[" || shown == "]")
    findings_.add(
        bad(span, fmt::format("`{}` has no meaning in a policy", shown), "lists need no brackets: `a, b, c`"));
  else
    findings_.add(bad(span, fmt::format("`{}` has no meaning in a policy", shown), ""));
}

}  // namespace gpol::syntax
