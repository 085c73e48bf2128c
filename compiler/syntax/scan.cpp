#include "compiler/syntax/scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compiler/source/codes.h"
#include "compiler/source/source_set.h"
#include "compiler/source/text.h"
#include "compiler/source/utf8.h"
#include "compiler/syntax/codes.h"
#include "compiler/syntax/misleading.h"
#include "compiler/syntax/slips.h"

namespace gpol::syntax {
namespace {

Diagnostic bad(Span span, std::string message, std::string hint) {
  return error_at(code::BadCharacter, span, std::move(message), std::move(hint));
}

Diagnostic bad(Span span, std::string message, std::string hint, std::vector<Edit> edits, bool sure = true) {
  Diagnostic out = bad(span, std::move(message), std::move(hint));
  out.sure = sure && !edits.empty();
  out.edits = std::move(edits);
  return out;
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

// Shown as blank or not at all, and legal inside texts and comments.
bool looks_blank(char32_t c) {
  return c == 0xA0 || c == 0xAD || c == 0x3000 || c == 0xFEFF || (c >= 0x2000 && c <= 0x200D) || c == 0x202F ||
         (c >= 0x205F && c <= 0x2064);
}

// The letter that an accent was left off, where English keyboards would have it.
std::string_view without_accent(char32_t c) {
  constexpr std::pair<char32_t, std::string_view> kLetters[] = {
      {U'ä', "a"}, {U'ö', "o"}, {U'ü', "u"}, {U'é', "e"}, {U'è', "e"}, {U'ê', "e"}, {U'á', "a"},
      {U'à', "a"}, {U'â', "a"}, {U'ã', "a"}, {U'å', "a"}, {U'í', "i"}, {U'ó', "o"}, {U'ô', "o"},
      {U'õ', "o"}, {U'ú', "u"}, {U'ñ', "n"}, {U'ç', "c"}, {U'ß', "ss"}};
  for (const auto& [letter, plain] : kLetters)
    if (letter == c) return plain;
  return {};
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
  const Span span = findings_.span(begin, end);
  const auto number = static_cast<std::uint32_t>(point.value);
  const std::string_view shown = text_.substr(begin, point.length);
  const auto instead = [&](std::string with) { return edit_of(findings_, begin, end, std::move(with)); };
  if (looks_blank(point.value)) {
    findings_.add(bad(span, fmt::format("the character U+{:04X} looks like a space but is none", number),
                      "delete it and type a space", instead(" ")));
  } else if (row_around(begin)) {
    return;
  } else if (number > 0x7F) {
    const std::string_view plain = end == begin + point.length ? without_accent(point.value) : std::string_view();
    const std::string letters = "names are made of the letters a to z, digits, `-`, `_`, `/` and `.`";
    findings_.add(bad(span,
                      fmt::format("the character `{}` (U+{:04X}) can stand only in texts and comments", shown, number),
                      plain.empty() ? letters : fmt::format("{}: write `{}`", letters, plain),
                      plain.empty() ? std::vector<Edit>{} : instead(std::string(plain)), false));
  } else {
    findings_.add(bad(span, fmt::format("`{}` has no meaning in a policy", shown), ""));
  }
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
