// Words to declarations, by braces and by the words that begin a declaration, so that each is parsed alone and a
// mistake in one costs no other. In: a Scanner. Out: the words of one declaration per call, closed by END. Reported
// here: blocks that are not closed (GP0102), blocks nested too deep and declarations too long or too many
// (GP0104, where the reading ends), text between declarations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string_view>
#include <vector>

#include "compiler/syntax/scan.h"
#include "compiler/syntax/tokens.h"

namespace gpol::syntax {

struct Declaration {
  std::vector<Token> tokens;  // the last is END
  bool broken = false;        // reported already: there is nothing to learn from parsing it
};

class Splitter {
 public:
  static constexpr std::size_t kDepth = 16;
  static constexpr std::size_t kTokens = 100'000;        // words of one declaration
  static constexpr std::size_t kDeclarations = 250'000;  // of one file; ten thousand tenants are a large policy
  static constexpr std::size_t kWords = 20'000'000;      // of one file: each may take fifty bytes in the tree

  Splitter(std::string_view text, Scanner& scanner, const GrammarFacts& facts, Findings& findings)
      : text_(text), scanner_(scanner), facts_(facts), findings_(findings) {}
  // False at the end of the file. `failed`: the declaration before did not parse, so loose text after it is its debris.
  bool next(Declaration& out, bool failed);

 private:
  const Token& peek(std::size_t ahead = 0);
  Token take();
  bool starts_line(const Token& token) const;
  std::uint32_t column(const Token& token) const;
  bool starts_declaration(const Token& previous, const Declaration& out, bool block_seen);
  bool surely_declaration(const Declaration& out, bool in_queue);
  void skip_loose_text(bool silent);
  void collect(Declaration& out);
  void report_unclosed(const Declaration& out, const Token& brace, const Token& at);
  bool too_many(const Token& at);
  void skip_too_deep(Declaration& out, const Token& at, std::size_t depth, std::string message);

  std::string_view text_;
  Scanner& scanner_;
  const GrammarFacts& facts_;
  Findings& findings_;
  std::deque<Token> ahead_;
  std::size_t declarations_ = 0, words_ = 0;
  std::uint32_t end_of_last_ = 0;  // of the word taken last
};

}  // namespace gpol::syntax
