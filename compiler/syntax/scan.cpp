#include "compiler/syntax/scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compiler/source/codes.h"
#include "compiler/source/source_set.h"
#include "compiler/source/text.h"
#include "compiler/source/utf8.h"
#include "compiler/syntax/codes.h"
#include "compiler/syntax/slips.h"

namespace gpol::syntax {
namespace {

// Characters that change how other text is shown without being seen: controls other than tab and line breaks, and
// the marks of bidirectional writing (a reviewer would read something else than gpol does).
bool misleads(char32_t c) {
  if (c < 0x20) return c != '\t' && c != '\n' && c != '\r';
  return (c >= 0x7F && c <= 0x9F) || c == 0x200E || c == 0x200F || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);
}

// Shown as blank or not at all, and legal inside texts and comments.
bool looks_blank(char32_t c) {
  return c == 0xA0 || c == 0xAD || c == 0x3000 || c == 0xFEFF || (c >= 0x2000 && c <= 0x200D) || c == 0x202F ||
         (c >= 0x205F && c <= 0x2064);
}

}  // namespace

bool refused(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint point = decode(text, i);
    if (!point.valid || misleads(point.value)) return true;
    i += point.length;
  }
  return false;
}

Scanner::Scanner(std::string_view text, const LexerTable& table, Findings& findings, std::vector<Token>* comments)
    : text_(text), table_(table), findings_(findings), comments_(comments) {
  if (text_.starts_with(kByteOrderMark)) at_ = static_cast<std::uint32_t>(kByteOrderMark.size());
  check_bytes();
}

void Scanner::tell(std::uint32_t begin, std::uint32_t end, std::string message, std::string hint,
                   std::optional<std::string> with, bool sure) {
  Diagnostic out = error_at(code::BadCharacter, findings_.span(begin, end), std::move(message), std::move(hint));
  if (with) out.edits = edit_of(findings_, begin, end, std::move(*with));
  out.sure = sure && !out.edits.empty();
  findings_.add(std::move(out));
}

void Scanner::check_bytes() {
  bool invalid = false, misleading = false;
  for (std::uint32_t i = at_; i < text_.size();) {
    const auto c = static_cast<unsigned char>(text_[i]);
    if (c >= 0x20 && c < 0x7F) {
      ++i;
      continue;
    }
    const CodePoint point = decode(text_, i);
    if (!point.valid && !std::exchange(invalid, true))
      tell(i, i + 1, fmt::format("byte 0x{:02X} is not valid UTF-8", c),
           "save the file as UTF-8; later places of this kind in the file are not shown");
    if (point.valid && misleads(point.value) && !std::exchange(misleading, true))
      tell(i, i + point.length,
           fmt::format("the invisible character U+{:04X} is not allowed anywhere",
                       static_cast<std::uint32_t>(point.value)),
           "delete it; later places of this kind in the file are not shown");
    i += point.length;
  }
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
    if (may_be_foreign(word) && row_around(at_)) continue;
    if (word.kind == Kind::BAD) {
      if (auto text = refuse()) return *text;
      continue;
    }
    at_ = word.end;
    if (word.kind == Kind::COMMENT && comments_ != nullptr) comments_->push_back(word);
    if (word.kind == Kind::SPACE || word.kind == Kind::COMMENT) continue;
    if (word.end - word.begin > kLongestWord) {
      findings_.add(error_at(code::TooDeepOrLarge, findings_.span(word.begin, word.end),
                             fmt::format("this word is longer than {} bytes", kLongestWord), "write a shorter one"));
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
  if (foreign_comment() || yaml_item()) return std::nullopt;
  if (text_[at_] == '[' || text_[at_] == ']') return bracket();
  for (const std::string_view open : {"'", "\xE2\x80\x9C", "\xE2\x80\x9D", "\xE2\x80\x98", "\""})
    if (text_.substr(at_).starts_with(open)) {
      if (row_around(at_)) return std::nullopt;
      return wrong_quotes(open);
    }
  // One run of refused characters is one mistake; a quote or a comment in it is its own.
  const std::uint32_t begin = at_;
  do {
    at_ += 1;
  } while (at_ < text_.size() && match().kind == Kind::BAD && text_[at_] != '\'' && text_[at_] != '"' &&
           text_[at_] != '/' && text_[at_] != '[' && text_[at_] != ']');
  after_bad_ = true;
  report_character(begin, at_);
  return std::nullopt;
}

void Scanner::report_character(std::uint32_t begin, std::uint32_t end) {
  const CodePoint point = decode(text_, begin);
  if (!point.valid || misleads(point.value)) return;  // check_bytes has said so
  const auto number = static_cast<std::uint32_t>(point.value);
  const std::string_view shown = text_.substr(begin, point.length);
  if (looks_blank(point.value))
    tell(begin, end, fmt::format("the character U+{:04X} looks like a space but is none", number),
         "delete it and type a space", " ");
  else if (row_around(begin))
    return;
  else if (number > 0x7F) {
    constexpr std::u32string_view kAccents = U"äöüéèêáàâãåíóôõúñç", kPlain = U"aoueeeaaaaaiooounc";
    const auto accent = end == begin + point.length ? kAccents.find(point.value) : std::u32string_view::npos;
    std::optional<std::string> plain;
    if (accent != std::u32string_view::npos) plain.emplace(1, static_cast<char>(kPlain[accent]));
    tell(begin, end, fmt::format("the character `{}` (U+{:04X}) can stand only in texts and comments", shown, number),
         "names are made of the letters a to z, digits, `-`, `_`, `/` and `.`", plain, false);
  } else
    tell(begin, end, fmt::format("`{}` has no meaning in a policy", shown), "");
}

// Words of the language in what is none: `8_000`, `chat@example.com`, `<gpol/classes>`, `= 0 22 * * *`.
bool Scanner::may_be_foreign(const Token& word) const {
  const char before = at_ > 0 ? text_[at_ - 1] : ' ';
  const char second = at_ + 1 < text_.size() ? text_[at_ + 1] : ' ';
  if (word.kind == Kind::ID) return text_[at_] == '_' && is_digit(before) && is_digit(second);
  if (word.kind == Kind::HANDLE) return is_alphanumeric(before);
  if (word.kind == Kind::LESS) return is_letter(second) || second == '.' || second == '/';
  if (word.kind != Kind::NUMBER) return false;
  return text_.substr(at_ > 2 ? at_ - 2 : 0, 2).find('=') < 2 && text_.substr(at_, 20).find('*') < 20;
}

}  // namespace gpol::syntax
