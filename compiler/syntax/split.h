// Words to declarations, by braces and by the words that begin a declaration, so that each is parsed alone and a
// mistake in one costs no other. In: a Scanner. Out: the words of one declaration per call, closed by END. Reported
// here: blocks that are not closed (GP0102), blocks nested too deep and declarations too long or too many
// (GP0104, where the reading ends), text between declarations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/syntax/mistake.h"
#include "compiler/syntax/scan.h"
#include "compiler/syntax/tokens.h"

namespace gpol::syntax {

struct Declaration {
  std::vector<Token> tokens;  // the last is END
  bool broken = false;        // reported already: there is nothing to learn from parsing it
  bool refers() const;        // it is parsed once its references are replaced
};

class Splitter {
 public:
  static constexpr std::size_t kDepth = 16;
  static constexpr std::size_t kTokens = 100'000;        // words of one declaration
  static constexpr std::size_t kDeclarations = 250'000;  // of one file; ten thousand tenants are a large policy
  static constexpr std::size_t kWords = 20'000'000;      // of one file: each may take fifty bytes in the tree

  Splitter(std::string_view text, Scanner& scanner, const GrammarFacts& facts, Findings& findings, const Trial& trial)
      : text_(text), scanner_(scanner), facts_(facts), findings_(findings), trial_(trial) {}
  // False at the end of the file. `failed`: the declaration before did not parse, so loose text after it is its debris.
  bool next(Declaration& out, bool failed);

 private:
  struct Open {
    Token brace;
    std::optional<Rule> items;  // what stands in it
    std::uint32_t column = 0;   // of the line that opens it
  };
  const Token& peek(std::size_t ahead = 0);
  Token take();
  bool starts_line(const Token& token) const;
  std::uint32_t column(const Token& token) const;
  bool starts_later_line(const Token& brace, const Token& word) const;
  static std::optional<Rule> block_opened(const Declaration& out);
  bool declares(const Token& word);
  bool starts_declaration(const Declaration& out, bool block_seen, std::size_t parens);
  bool surely_declaration(const Declaration& out, std::size_t open);
  bool closes_later(std::size_t open);
  void skip_loose_text(bool silent);
  void collect(Declaration& out);
  void suspect(const std::vector<Open>& open, const Token& word);
  void report_unclosed(const Declaration& out, Token brace, Token at);
  bool too_many(const Token& at);
  void skip_too_deep(Declaration& out, const Token& at, std::size_t depth, std::string message);

  std::string_view text_;
  Scanner& scanner_;
  const GrammarFacts& facts_;
  Findings& findings_;
  const Trial& trial_;
  std::deque<Token> ahead_;
  std::size_t declarations_ = 0, words_ = 0;
  std::optional<bool> closes_;
  std::optional<std::pair<Token, Token>> suspect_;  // a brace, and where it was meant to be closed
  std::uint32_t indent_ = 0;                        // of the line of the word taken last
  std::uint32_t end_of_last_ = 0;                   // of the word taken last
};

}  // namespace gpol::syntax
