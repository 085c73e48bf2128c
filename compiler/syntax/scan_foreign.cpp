// What other languages write around words: `//`, `/* */` and `--` for comments, other quotes, brackets for braces and
// for lists, `_` in numbers. Each is reported once, and read as what was meant, so that nothing else breaks.
#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <string>

#include "compiler/source/text.h"
#include "compiler/syntax/codes.h"
#include "compiler/syntax/mistake.h"
#include "compiler/syntax/scan.h"
#include "compiler/syntax/slips.h"

namespace gpol::syntax {

namespace {

constexpr std::size_t kLongestEdit = 400;  // of an edit that shows what it keeps

// `/* a */` as lines of its own that begin with `#`; nothing where words follow on its last line.
std::optional<std::string> as_lines(std::string_view comment, std::string_view rest_of_line) {
  if (rest_of_line.find_first_not_of(" \t") != std::string_view::npos) return std::nullopt;
  std::string out = "#";
  for (const char c : comment.substr(2, comment.size() - 4)) {
    out += c;
    if (c == '\n') out += '#';
  }
  out.erase(out.find_last_not_of(" \t") + 1);
  return out;
}

// `count [0, 6]`, `window n = [22:00, 06:00]`: two numbers or times.
std::optional<std::string> as_range(std::string_view before, std::string_view list) {
  if (!before.ends_with("count ") && !before.ends_with("replicas ") && !before.ends_with("= ")) return std::nullopt;
  static const std::regex two("\\s*([0-9]+(?::[0-9]{2})?)\\s*,\\s*([0-9]+(?::[0-9]{2})?)\\s*");
  std::match_results<std::string_view::const_iterator> match;
  if (!std::regex_match(list.begin(), list.end(), match, two)) return std::nullopt;
  return match[1].str() + ".." + match[2].str();
}

Diagnostic bad(Span span, std::string message, std::string hint, std::vector<Edit> edits) {
  Diagnostic out = error_at(code::BadCharacter, span, std::move(message), std::move(hint));
  out.sure = !edits.empty();
  out.edits = std::move(edits);
  return out;
}

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
  if (!foreign_comment_before_) {
    std::vector<Edit> edits;
    if (rest != "/*") {
      edits = edit_of(findings_, at_, at_ + 2, "#");
    } else if (end != std::string_view::npos && end - at_ <= kLongestEdit) {
      const auto last = static_cast<std::uint32_t>(end);
      if (auto lines = as_lines(text_.substr(at_, end - at_), text_.substr(end, end_of_line(last) - last)))
        edits = edit_of(findings_, at_, last, std::move(*lines));
    }
    findings_.add(bad(findings_.span(at_, at_ + 2), fmt::format("`{}` does not begin a comment", rest),
                      "begin each line of a comment with `#`", std::move(edits)));
  }
  foreign_comment_before_ = true;
  at_ = end == std::string_view::npos ? end_of_line(at_) : static_cast<std::uint32_t>(end);
  return true;
}

// `tenant 'chat'`: what follows a word that declares is a name, and has no quotes at all.
std::optional<Token> Scanner::quoted_name(std::uint32_t begin, std::uint32_t first, std::uint32_t last) {
  static const std::regex name("[A-Za-z][-A-Za-z0-9_.]{0,62}");
  static const std::regex declares(
      "(?:^|[^-A-Za-z0-9_./$])(?:tenant|class|cohort|pool|nodes|cluster|service|lever|window|of|from|to|on|in) +$");
  constexpr std::uint32_t kFar = 24;
  const std::string written(text_.substr(first, last - first));
  const std::string before(text_.substr(begin > kFar ? begin - kFar : 0, std::min(begin, kFar)));
  if (!std::regex_match(written, name) || !std::regex_search(before, declares)) return std::nullopt;
  findings_.add(bad(findings_.span(begin, at_), "a name stands without quotes", fmt::format("write `{}`", written),
                    edit_of(findings_, begin, at_, written)));
  return Token{Kind::ID, false, first, last};
}

std::optional<Token> Scanner::wrong_quotes(std::string_view open) {
  const std::uint32_t begin = at_;
  const std::string_view close = open.size() == 1 ? open : open == "\xE2\x80\x98" ? "\xE2\x80\x99" : "\xE2\x80\x9D";
  std::size_t found = begin + open.size();
  while (found < text_.size() && text_[found] != '\n' && !text_.substr(found).starts_with(close)) ++found;
  const bool closed = open != "\"" && found < text_.size() && text_[found] != '\n';
  if (!closed) return unclosed_text(open);
  at_ = static_cast<std::uint32_t>(found + close.size());
  if (std::optional<Token> name =
          quoted_name(begin, static_cast<std::uint32_t>(begin + open.size()), static_cast<std::uint32_t>(found)))
    return name;
  findings_.add(
      bad(findings_.span(begin, at_), fmt::format("a text cannot stand in `{}` quotes", open),
          "put it in double quotes: `\"...\"`",
          edit_of(findings_, begin, at_,
                  "\"" + std::string(text_.substr(begin + open.size(), found - begin - open.size())) + "\"")));
  // One byte of quote at either end, as a STRING has.
  return Token{Kind::STRING, false, begin + static_cast<std::uint32_t>(open.size()) - 1,
               static_cast<std::uint32_t>(found) + 1};
}

// `- chat` in a line of its own, as YAML has it: once for all such lines that follow each other.
bool Scanner::yaml_item() {
  const auto item = [&](std::size_t line) {
    const auto first = text_.find_first_not_of(" \t", line);
    return first != std::string_view::npos && text_.substr(first).starts_with("- ") ? first : std::string_view::npos;
  };
  constexpr std::uint32_t kFar = 200;  // of the line before; no slip is longer
  const std::string_view before = text_.substr(at_ > kFar ? at_ - kFar : 0, std::min(at_, kFar));
  const auto line = before.rfind('\n');
  if (line == std::string_view::npos || before.find_first_not_of(" \t", line + 1) != std::string_view::npos)
    return false;
  if (item(at_) != at_) return false;
  const auto above = before.substr(0, line).rfind('\n');
  const std::string_view last = before.substr(above == std::string_view::npos ? line : above + 1);
  const auto first = std::min(last.find_first_not_of(" \t"), last.size());
  if (!last.substr(first).starts_with("- "))
    findings_.add(bad(findings_.span(at_, at_ + 1), "`-` has no meaning in a policy",
                      "this is no YAML: the parts of a list are separated with `,`, as in `namespace a, b`", {}));
  after_bad_ = true;
  ++at_;
  return true;
}

// Reported, and handed on as a text up to what can only stand behind one. Where texts follow each other, it may be an
// earlier one that lacks its quote: `"a, group "b"`.
Token Scanner::unclosed_text(std::string_view open) {
  std::uint32_t begin = at_, limit = end_of_line(at_);
  std::string_view behind = ";}";
  const std::size_t line = text_.find_last_of('\n', begin) + 1;  // npos + 1 is 0
  for (std::size_t first = text_.find('"', line), second; first < at_; first = text_.find('"', second + 1)) {
    second = text_.find('"', first + 1);
    if (second >= at_) break;
    if (text_[second - 1] != ' ' || !(is_letter(text_[second + 1]) || is_digit(text_[second + 1]))) continue;
    begin = static_cast<std::uint32_t>(first);
    limit = static_cast<std::uint32_t>(second);
    behind = ",;}";
    break;
  }
  const std::string_view before = text_.substr(line, begin - line), rest = text_.substr(begin, limit - begin);
  if (behind == ";}" && before.rfind('(') != std::string_view::npos && before.rfind('(') + 1 > before.rfind(')') + 1)
    behind = ";})";  // `(measured "on a Monday)`
  const auto by = rest.find(" by @");
  auto length = by != std::string_view::npos ? by : std::min(rest.find_first_of(behind), rest.size());
  while (length > open.size() && (rest[length - 1] == ' ' || rest[length - 1] == '\t')) --length;
  const auto end = begin + static_cast<std::uint32_t>(length);
  Diagnostic told = bad(findings_.span(begin, begin + static_cast<std::uint32_t>(open.size())),
                        "the text that begins here has no closing quote on its line", "close the text with `\"`", {});
  if (open == "\"" && length == 1) told.hint = "a text begins and ends with `\"`";
  if (open == "\"" && length > 1) told.edits = edit_of(findings_, end - 1, end, std::string(1, text_[end - 1]) + "\"");
  findings_.add(std::move(told));
  const std::uint32_t at = at_;
  at_ = begin == at ? end : end_of_line(at);
  return {Kind::STRING, true, at, at_};
}

// Does the item that the bracket stands in begin as a block does, or is what stands before it a block's?
bool Scanner::opens_block(std::uint32_t bracket) const {
  constexpr std::uint32_t kFar = 200;
  const std::string_view before = text_.substr(bracket > kFar ? bracket - kFar : 0, std::min(bracket, kFar));
  const auto item = before.find_last_of("\n;{}");
  const std::string_view words = before.substr(item == std::string_view::npos ? 0 : item + 1);
  const auto opens = [](std::string_view word) {
    if (word == "calendar" || word == "define") return true;
    const auto known = std::ranges::find(kWords, word);
    return known != std::end(kWords) && items_of(static_cast<Kind>(known - std::begin(kWords)));
  };
  constexpr std::string_view kBlanks = " \t\r";
  const auto first = words.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return false;
  const auto last = words.find_last_not_of(kBlanks) + 1;
  const auto last_begin = words.substr(0, last).find_last_of(kBlanks);
  const std::string_view last_word =
      words.substr(0, last).substr(last_begin == std::string_view::npos ? 0 : last_begin + 1);
  return opens(words.substr(first, std::min(words.find_first_of(kBlanks, first), last) - first)) || last_word == "mig";
}

// `[ ... ]` for the braces of a block, or around a list.
std::optional<Token> Scanner::bracket() {
  const std::uint32_t begin = at_++;
  if (text_[begin] == ']') {
    if (begin == block_end_) return Token{Kind::RBRACE, false, begin, at_};
    after_bad_ = true;
    if (begin != list_end_)
      findings_.add(bad(findings_.span(begin, at_), "`]` has no meaning in a policy",
                        "lists need no brackets: `a, b, c`", edit_of(findings_, begin, at_, "")));
    return std::nullopt;
  }
  constexpr std::size_t kFarthest = 10'000;
  const auto close = text_.substr(begin, kFarthest).find(']');
  const auto end = close == std::string_view::npos ? begin : begin + static_cast<std::uint32_t>(close);
  const bool block = end > begin && opens_block(begin);
  std::vector<Edit> edits;
  const auto inside = text_.substr(begin + 1, end > begin ? end - begin - 1 : 0);
  bool note = false;  // of where a figure comes from
  for (const std::string_view word : {"measured", "declared", "derived", "saved"})
    note = note || inside.starts_with(word);
  const auto range = note ? std::optional(fmt::format("({})", inside)) : as_range(text_.substr(0, begin), inside);
  if (end == begin)
    edits = edit_of(findings_, begin, at_, "");
  else if (inside.size() <= kLongestEdit)
    edits =
        edit_of(findings_, begin, end + 1, block ? fmt::format("{{{}}}", inside) : range.value_or(std::string(inside)));
  findings_.add(bad(findings_.span(begin, at_), "`[` has no meaning in a policy",
                    block   ? "a block stands in braces: `{ ... }`"
                    : note  ? "it stands in parentheses: `( ... )`"
                    : range ? "a range is written with `..`: `0..6`"
                            : "lists need no brackets: `a, b, c`",
                    std::move(edits)));
  (block ? block_end_ : list_end_) = end;
  if (range) at_ = end + 1;
  if (block) return Token{Kind::LBRACE, false, begin, at_};
  after_bad_ = true;
  return std::nullopt;
}

// `_000` of `8_000`.
bool Scanner::word_in_number(const Token& word) const {
  return word.kind == Kind::ID && text_[word.begin] == '_' && word.begin > 0 && is_digit(text_[word.begin - 1]) &&
         word.begin + 1 < word.end && is_digit(text_[word.begin + 1]);
}

// `chat@example.com`: `@example` of it would be an owner.
bool Scanner::address() {
  const auto part = [](char c) { return is_letter(c) || is_digit(c) || c == '.' || c == '-' || c == '_' || c == '+'; };
  constexpr std::uint32_t kLongest = 64;
  std::uint32_t from = at_, to = at_ + 1;
  while (from > 0 && at_ - from < kLongest && part(text_[from - 1])) --from;
  if (from == at_) return false;
  const std::uint32_t name_from = from;
  while (to < text_.size() && to - at_ < kLongest && part(text_[to])) ++to;
  if (from > 0 && text_[from - 1] == '<' && to < text_.size() && text_[to] == '>') --from, ++to;
  if (from < name_from) from = whole_name(from);
  std::string name;
  for (const char c : text_.substr(name_from, at_ - name_from)) name += is_letter(c) || is_digit(c) ? c : '-';
  pass_over(from, to, "an owner is no address", fmt::format("an owner begins with `@`: `@{}`", name), "@" + name);
  return true;
}

// `Ann Lee <a@example.com>`: from where on the owner is written; `at` where only an address is.
std::uint32_t Scanner::whole_name(std::uint32_t at) const {
  constexpr std::uint32_t kLongest = 64;
  static const std::regex form("(?:.*[^A-Za-z0-9_-])?owner[ \t]+([A-Za-z.'-]+(?:[ \t]+[A-Za-z.'-]+)*)[ \t]+");
  const std::uint32_t begin = at > kLongest ? at - kLongest : 0;
  const std::string_view before = text_.substr(begin, at - begin);
  const std::string_view line =
      before.substr(before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1);
  std::match_results<std::string_view::const_iterator> match;
  if (!std::regex_match(line.begin(), line.end(), match, form)) return at;
  return at - static_cast<std::uint32_t>(line.end() - match[1].first);
}

// Its `<` is a word of the language: what is meant shows at the `@`.
bool Scanner::address_in_angles() {
  static const std::regex form("<([A-Za-z0-9._+-]{1,64})@[A-Za-z0-9._+-]{0,64}>.*");
  std::match_results<std::string_view::const_iterator> match;
  constexpr std::uint32_t kLongest = 140;
  const std::string_view rest = text_.substr(at_, std::min(kLongest, end_of_line(at_) - at_));
  if (!std::regex_match(rest.begin(), rest.end(), match, form)) return false;
  at_ += static_cast<std::uint32_t>(match[1].second - rest.begin());
  return address();
}

bool Scanner::import_in_angles() {
  static const std::regex form("<([A-Za-z0-9._/-]{1,80})>.*");
  std::match_results<std::string_view::const_iterator> match;
  constexpr std::uint32_t kLongest = 100;
  const std::string_view rest = text_.substr(at_, std::min(kLongest, end_of_line(at_) - at_));
  if (!text_.substr(0, at_).ends_with("import ") || !std::regex_match(rest.begin(), rest.end(), match, form))
    return false;
  const std::string name = match[1].str();
  const std::string mended = name.starts_with("gpol/") && !name.ends_with(".gpol") ? name : fmt::format("\"{}\"", name);
  pass_over(at_, at_ + static_cast<std::uint32_t>(name.size()) + 2, "an import is written without `<` and `>`",
            fmt::format("write `import {}`", mended), mended);
  return true;
}

}  // namespace gpol::syntax
