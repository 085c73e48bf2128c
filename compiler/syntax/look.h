// What the slips look at: a mistake, the words around it, what would have fitted. Private to the slips
// (compiler/syntax/slips*.cpp).
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/source/lookup.h"
#include "compiler/syntax/slips.h"

namespace gpol::syntax {

class Look {
 public:
  Look(std::string_view text, const Findings& findings, const Mistake& m, const GrammarFacts& facts)
      : text_(text), findings_(findings), m_(m), facts_(facts), found_(m.tokens[m.at]) {}

  std::string_view text() const { return text_; }
  const Mistake& mistake() const { return m_; }
  const GrammarFacts& facts() const { return facts_; }
  const Token& found() const { return found_; }
  std::string_view written() const { return word(found_); }
  std::string_view word(const Token& token) const { return text_.substr(token.begin, token.end - token.begin); }

  // The words before and after the mistake: `before(1)` is the last one. None: there is none.
  const Token* before(std::size_t n = 1) const { return m_.at >= n ? &m_.tokens[m_.at - n] : nullptr; }
  const Token* after(std::size_t n = 1) const { return m_.at + n < m_.tokens.size() ? &m_.tokens[m_.at + n] : nullptr; }
  bool before_is(Kind kind, std::size_t n = 1) const { return before(n) != nullptr && before(n)->kind == kind; }
  bool after_is(Kind kind, std::size_t n = 1) const { return after(n) != nullptr && after(n)->kind == kind; }

  bool is(Kind kind) const { return found_.kind == kind; }
  bool a_number() const { return is(Kind::NUMBER) || is(Kind::MEASURE); }
  bool wants(Kind kind) const { return has(m_.expected, kind); }
  bool wants_only(Kind kind) const { return wants(kind) && m_.expected.count() == 1; }
  bool wants_unit() const { return m_.expected == facts_.first_of(Rule::unit); }
  bool wants_name() const { return can_be(Rule::name); }
  bool names(Kind kind) const { return has(facts_.first_of(Rule::name), kind); }  // good as a name, as `batch` is
  bool can_be(Rule rule) const {
    const KindSet& first = facts_.first_of(rule);
    return (m_.expected & first) == first;
  }

  bool line_break(const Token& a, const Token& b) const {
    return text_.substr(a.end, b.begin - a.end).find('\n') != std::string_view::npos;
  }
  // The word begins its line; what is missing belongs to the line before.
  bool on_new_line() const { return before() != nullptr && line_break(*before(), found_); }
  static bool touch(const Token& a, const Token& b) { return a.end == b.begin; }

  // The text from one word to another.
  std::string_view said(const Token& first, const Token& last) const {
    return text_.substr(first.begin, last.end - first.begin);
  }

  std::vector<Edit> replaced(std::uint32_t begin, std::uint32_t end, std::string with) const {
    return edit_of(findings_, begin, end, std::move(with));
  }
  std::vector<Edit> replaced(const Token& token, std::string_view with) const {
    return replaced(token.begin, token.end, std::string(with));
  }
  std::vector<Edit> put_before(std::string_view what) const {
    return replaced(found_, std::string(what) + std::string(written()));
  }
  std::vector<Edit> put_behind(std::string_view what) const {
    return replaced(*before(), std::string(word(*before())) + std::string(what));
  }
  // What stands behind `kept`, up to `end`. An edit that only takes out would take the `;` along, as of a whole item.
  std::vector<Edit> kept_alone(const Token& kept, std::uint32_t end) const {
    return replaced(kept.begin, end, std::string(word(kept)));
  }
  // "WHAT `with`", and those words in the place of the ones from `first` to `last`.
  Slip mended(std::string_view what, const Token& first, const Token& last, const std::string& with,
              bool sure = false) const {
    return {fmt::format("{} `{}`", what, with), replaced(first.begin, last.end, with), sure};
  }
  Slip mended(std::string_view what, const Token& word, const std::string& with, bool sure = false) const {
    return mended(what, word, word, with, sure);
  }
  std::vector<Edit> left_out() const { return kept_alone(*before(), found_.end); }

 protected:
  std::string_view text_;
  const Findings& findings_;
  const Mistake& m_;
  const GrammarFacts& facts_;
  const Token& found_;
};

// The number and the unit of a measure: `4` and `min` of `4min`.
inline std::string_view number_in(std::string_view measure) {
  return measure.substr(0, std::min(measure.find_first_not_of("0123456789."), measure.size()));
}
inline std::string_view unit_in(std::string_view measure) { return measure.substr(number_in(measure).size()); }

// Whether a word is one of a list with blanks between them.
inline bool in_list(std::string_view list, std::string_view word) {
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find(' ', at), list.size());
    if (list.substr(at, end - at) == word) return true;
    at = end + 1;
  }
  return false;
}

// The words with which an item ends, and a block opens.
inline constexpr Kind kItemEnds[] = {Kind::SEMICOLON, Kind::RBRACE, Kind::LBRACE, Kind::END};

// What the first of the rules says that says anything.
using SlipRule = std::optional<Slip> (*)(const Look& look);
inline std::optional<Slip> first_of(const Look& look, std::initializer_list<SlipRule> rules) {
  for (const SlipRule rule : rules)
    if (auto slip = rule(look)) return slip;
  return std::nullopt;
}

// Whether the text defines the name, near its top.
bool defined_in(std::string_view text, std::string_view name);

// Each: nothing where it is none of its slips.
std::optional<Slip> slip_of_sentence(const Look& look);  // declarations that read as sentences, before all others
std::optional<Slip> slip_of_number(const Look& look);    // how numbers, amounts and times are written
std::optional<Slip> slip_of_value(const Look& look);     // values in another spelling than that of their place
std::optional<Slip> slip_of_home(const Look& look);      // words that stand elsewhere
std::optional<Slip> parts_apart(const Look& look);       // what belongs into one list, before all the others
std::optional<Slip> slip_of_item(const Look& look);      // what items are made of, and what stands between them
std::optional<Slip> slip_of_place(const Look& look);     // how declarations begin, what stands around a name or a part
std::optional<Slip> slip_of_filler(const Look& look);    // what says nothing where it stands
// Last of all: the one word that fits is missing, or was joined with the next.
std::optional<Slip> missing_or_joined(const Look& look);

}  // namespace gpol::syntax
