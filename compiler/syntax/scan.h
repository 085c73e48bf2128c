// Text to words. In: the bytes of a file and the automaton of the grammar's lexer rules. Out: one word per call,
// without spaces and comments, with END at the end; characters that no word can hold are reported here (GP0103), once
// for a run of them, and never handed on; nor are words of more than kLongestWord bytes (GP0104). Texts in wrong quotes
// are reported and handed on as texts, so that nothing else breaks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/syntax/tokens.h"

namespace gpol::syntax {

// Whether any of it may stand in no place of a text: it is invalid UTF-8, or misleads whoever reads it.
bool refused(std::string_view text);

class Scanner {
 public:
  static constexpr std::uint32_t kLongestWord = 4096;  // texts too: every message that quotes one would be as long

  // Checks the whole text for bytes that no place allows (invalid UTF-8, control characters): the first of each is
  // reported. `comments`: where to keep those that are passed over; may be null.
  Scanner(std::string_view text, const LexerTable& table, Findings& findings, std::vector<Token>* comments = nullptr);
  Token next();

 private:
  void check_bytes();
  // Reports a mistake, with what belongs in its place where that is known.
  void tell(std::uint32_t begin, std::uint32_t end, std::string message, std::string hint,
            std::optional<std::string> with = {}, bool sure = true);
  Token match() const;            // the longest word at at_
  std::optional<Token> refuse();  // at_ stands on a BAD character
  Token wrong_quotes(std::string_view open);
  Token unclosed_text(std::string_view open);
  bool foreign_comment();
  bool yaml_item();
  std::optional<Token> bracket();
  bool opens_block(std::uint32_t bracket) const;
  bool may_be_foreign(const Token& word) const;
  void report_character(std::uint32_t begin, std::uint32_t end);
  bool row_around(std::uint32_t at);  // dates, rates, money, addresses of other places: reported, and passed over
  std::uint32_t end_of_line(std::uint32_t from) const;

  std::string_view text_;
  const LexerTable& table_;
  Findings& findings_;
  std::vector<Token>* comments_;
  std::uint32_t at_ = 0;
  bool after_bad_ = false;
  // Where the `]` stands that goes with a `[`.
  std::uint32_t block_end_ = UINT32_MAX, list_end_ = UINT32_MAX;
  std::size_t looks_ = 0;                // at the rows: each may take long
  bool no_comment_end_ = false;          // there is no `*/` from here on
  bool yaml_item_before_ = false;        // in the file: all of them are one mistake
  bool foreign_comment_before_ = false;  // the last thing read was a `//` comment: a run of them is one mistake
};

}  // namespace gpol::syntax
