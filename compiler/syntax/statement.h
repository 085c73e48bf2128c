// The statement that a mistake stands in, and the tries to mend it. In: a mistake. Out: the words around it, and of an
// edit whether the statement reads after it. Private to slips.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/syntax/slips.h"

namespace gpol::syntax {

bool is_sign(Kind kind);  // `,`, `=` and the like

// Whether the text declares the name so, near its top: at the beginning of a line, or anywhere.
bool declared(std::string_view text, std::string_view what, std::string_view name, bool on_line);

class Statement {
 public:
  Statement(std::string_view text, const Findings& findings, const Mistake& mistake, const GrammarFacts& facts,
            const Trial& trial);

 protected:
  static constexpr std::uint32_t kLongest = 600;  // bytes of a statement that is tried

  std::string_view word(const Token& token) const { return text_.substr(token.begin, token.end - token.begin); }
  std::string_view written() const { return word(found_); }
  // The words before and after the mistake; none: there is none.
  const Token* before(std::size_t n = 1) const { return m_.at >= n ? &m_.tokens[m_.at - n] : nullptr; }
  const Token* after(std::size_t n = 1) const { return m_.at + n < m_.tokens.size() ? &m_.tokens[m_.at + n] : nullptr; }

  bool is(Kind kind) const { return found_.kind == kind; }
  bool wants(Kind kind) const { return has(m_.expected, kind); }
  bool wants_any(Rule rule) const { return (m_.expected & facts_.first_of(rule)) == facts_.first_of(rule); }
  bool between_items() const { return wants(Kind::RBRACE) || wants(Kind::END); }
  bool ends() const { return is(Kind::END) || is(Kind::RBRACE) || is(Kind::SEMICOLON); }
  bool line_break(const Token& a, const Token& b) const {
    return text_.substr(a.end, b.begin - a.end).find('\n') != std::string_view::npos;
  }
  bool on_new_line() const { return before() != nullptr && line_break(*before(), found_); }
  // Something belongs behind the word before.
  bool misses() const { return ends() || (on_new_line() && !between_items()); }

  bool short_enough() const { return end_ - begin_ <= kLongest && around_.size() <= kLongest; }
  // Where the statement stops after an edit; nothing: it reads.
  std::optional<Stopped> tried(std::uint32_t begin, std::uint32_t end, std::string_view with);
  // The edits that make it read; nothing: they do not.
  std::optional<Slip> edit(std::uint32_t begin, std::uint32_t end, std::string with, std::string hint, bool sure);
  std::optional<Slip> replaced(const Token& token, std::string with, std::string hint, bool sure) {
    return edit(token.begin, token.end, std::move(with), std::move(hint), sure);
  }
  // Without the words from one to another. The edit keeps the word before: one that only takes out would take the `;`
  // along, as of a whole item.
  std::optional<Slip> left_out(const Token& kept, const Token& first, const Token& last, bool sure,
                               std::string_view why = {});

  // `each 8 gpus; 192 cpu; 2 TiB`, `replicas 1; surge 0`: parts of a list that stand apart as items do.
  std::optional<Slip> parts_apart() const;

  std::string_view text_;
  const Findings& findings_;
  const Mistake& m_;
  const GrammarFacts& facts_;
  const Token& found_;
  std::uint32_t begin_ = 0, end_ = 0;  // of the statement
  std::string around_, behind_;        // what is tried with it: the blocks that hold it, what closes it
  bool unfinished_ = false;            // those blocks are not closed there
  bool another_mistake_ = false;       // may follow: two words behind the edit are to fit, and no more

 private:
  std::size_t end_of_statement() const;

  const Trial& trial_;
  std::size_t tries_ = 0;
};

}  // namespace gpol::syntax
