#include "compiler/syntax/split.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "compiler/source/codes.h"
#include "compiler/source/lookup.h"
#include "compiler/syntax/codes.h"
#include "compiler/syntax/slips.h"

namespace gpol::syntax {
namespace {

bool has_block(Kind declaration) {
  return declaration == Kind::CLUSTER || declaration == Kind::COHORT || declaration == Kind::CLASS ||
         declaration == Kind::TENANT || declaration == Kind::HARDWARE || declaration == Kind::SERVICE ||
         declaration == Kind::LIMIT || declaration == Kind::CALENDAR || declaration == Kind::LEVER ||
         declaration == Kind::DEFINE;
}

// After these words a name follows.
bool wants_name(Kind kind) {
  return kind == Kind::IN || kind == Kind::OF || kind == Kind::TO || kind == Kind::FROM || kind == Kind::ON ||
         kind == Kind::HOLDS || kind == Kind::DURING || kind == Kind::EXCEPT || kind == Kind::GATEWAY;
}

// Words that begin declarations, in the middle of an item: `no allow`, `without limit`.
bool goes_on(Kind previous, Kind word) {
  return (word == Kind::ALLOW && previous == Kind::NO) || (word == Kind::LIMIT && previous == Kind::WITHOUT);
}

// As of a class or a tenant, `batch` too: `batch never holds realtime` lacks its `prove`.
bool is_name(Kind kind) { return kind == Kind::ID || kind == Kind::BATCH; }

// An import of a text that holds refused characters leads nowhere, and they are told.
bool spoiled_import(std::string_view text, std::span<const Token> words) {
  return words.front().kind == Kind::IMPORT && std::ranges::any_of(words, [&](const auto& word) {
           return word.after_bad || refused(text.substr(word.begin, word.end - word.begin));
         });
}

}  // namespace

bool Declaration::refers() const {
  return tokens.front().kind != Kind::DEFINE && contains(tokens, Kind::REFERENCE, &Token::kind);
}

const Token& Splitter::peek(std::size_t ahead) {
  while (ahead_.size() <= ahead) ahead_.push_back(scanner_.next());
  return ahead_[ahead];
}

Token Splitter::take() {
  const Token token = peek();
  ahead_.pop_front();
  if (starts_line(token)) indent_ = column(token);
  end_of_last_ = token.end;
  return token;
}

bool Splitter::starts_line(const Token& token) const {
  for (std::uint32_t i = token.begin; i > end_of_last_; --i)
    if (text_[i - 1] == '\n') return true;
  return end_of_last_ == 0;
}

// Blanks before a word: its column when it starts a line.
std::uint32_t Splitter::column(const Token& token) const {
  std::uint32_t begin = token.begin;
  while (begin > 0 && (text_[begin - 1] == ' ' || text_[begin - 1] == '\t')) --begin;
  return token.begin - begin;
}

bool Splitter::starts_later_line(const Token& brace, const Token& word) const {
  return text_.substr(brace.end, word.begin - brace.end).find('\n') != std::string_view::npos;
}

// The items of the block whose brace was taken last: of the last word before it that begins one.
std::optional<Rule> Splitter::block_opened(const Declaration& out) {
  for (std::size_t i = out.tokens.size() - 1; i-- > 0;) {
    const Kind kind = out.tokens[i].kind;
    if (kind == Kind::LBRACE || kind == Kind::RBRACE || kind == Kind::SEMICOLON) return std::nullopt;
    if (const auto items = items_of(kind)) return items;
  }
  return std::nullopt;
}

bool Splitter::next(Declaration& out, bool failed) {
  out.tokens.clear();
  out.broken = false;
  while (peek().kind != Kind::END && !has(facts_.first_of(Rule::declaration), peek().kind)) {
    if (peek().kind == Kind::SEMICOLON) {  // says nothing, and hides nothing that follows it
      take();
      continue;
    }
    skip_loose_text(failed);
    failed = true;  // one report for all that follows until the next declaration
    if (findings_.full()) return false;
  }
  if (peek().kind == Kind::END || too_many(peek())) return false;
  collect(out);
  words_ += out.tokens.size();
  return true;
}

// What is left of the file is then not read: no hint to a mistake in it would help.
bool Splitter::too_many(const Token& at) {
  const bool words = words_ > kWords;
  if (!words && ++declarations_ <= kDeclarations) return false;
  findings_.add(error_at(
      code::TooDeepOrLarge, findings_.span(at.begin, at.end),
      fmt::format("this file has more than {} {}", words ? kWords : kDeclarations, words ? "words" : "declarations"),
      "split the policy into several; gpol stops reading here"));
  return true;
}

void Splitter::skip_loose_text(bool silent) {
  const Token first = peek();
  // Debris of a mistake is silent, but a declaration whose first word is mistyped is a mistake of its own. Only that is
  // looked up: of debris there may be 50 MB.
  const bool may_declare = is_name(first.kind) && starts_line(first) && column(first) == 0;
  const std::string_view behind = text_.substr(first.end, peek(1).begin - first.end);
  const bool cut = peek(1).after_bad && behind.find_first_of(" \t\r\n") == std::string_view::npos;
  if (!first.after_bad && !cut && (!silent || may_declare)) {
    Diagnostic found = describe_loose(text_, findings_, first, facts_, trial_);
    if (!silent || !found.hint.empty()) findings_.add(std::move(found));
  }
  std::size_t depth = 0;
  for (bool moved = false; peek().kind != Kind::END; moved = true) {
    const Token& word = peek();
    const bool declares = has(facts_.first_of(Rule::declaration), word.kind);
    if (moved && declares && (depth == 0 || (starts_line(word) && column(word) == 0))) return;
    if (moved && depth == 0 && starts_line(word) && column(word) == 0 && is_name(word.kind)) return;
    if (word.kind == Kind::LBRACE) ++depth;
    const bool closes = word.kind == Kind::RBRACE && (depth == 0 || --depth == 0);
    take();
    if (closes) return;
  }
}

// A word that begins declarations and is also a good name: does what follows make a declaration of it?
bool Splitter::declares(const Token& word) {
  const KindSet& names = facts_.first_of(Rule::name);
  if (!has(names, word.kind)) return true;
  const Kind next = peek(1).kind;
  if (word.kind == Kind::LANGUAGE) return next == Kind::NUMBER;
  if (word.kind == Kind::PRICE) return next == Kind::NUMBER || next == Kind::MEASURE;
  if (word.kind == Kind::INCIDENT) return next == Kind::PAID;
  if (word.kind == Kind::APPROVE) return next == Kind::CHANGES;
  return has(names, next) || next == Kind::STRING;
}

// May the next word begin a declaration, at depth 0? `parens`: how many are open.
bool Splitter::starts_declaration(const Declaration& out, bool block_seen, std::size_t parens) {
  const Token word = peek(), &first = out.tokens.front(), &previous = out.tokens.back();
  if (!has(facts_.first_of(Rule::declaration), word.kind) || goes_on(previous.kind, word.kind)) return false;
  const bool new_line = starts_line(word);
  if (parens > 0) return new_line && column(word) <= column(first);  // else an argument
  if (first.kind == Kind::REFERENCE) return true;
  if (word.kind == Kind::REFERENCE && !new_line) return false;
  if (first.kind == Kind::DEFINE && !block_seen && !new_line) return false;  // `define x = class ...`
  // On the same line it is meant as a name, even where it cannot be one.
  const bool after_name_word = out.tokens.size() == 1 || previous.kind == Kind::COLON || wants_name(previous.kind);
  if (after_name_word && (!new_line || !declares(word))) return false;
  // A tenant without its `{`: this `class` is an item of it.
  return word.kind != Kind::CLASS || first.kind != Kind::TENANT || block_seen || peek(2).kind == Kind::COLON;
}

// Can the next word, inside a block, only be the next declaration? It starts a line, no further in than the open one.
bool Splitter::surely_declaration(const Declaration& out, std::size_t open) {
  const Token word = peek();
  if (!has(facts_.first_of(Rule::declaration), word.kind) || !starts_line(word)) return false;
  const Token& first = out.tokens.front();
  if (column(word) > column(first)) return false;
  if (goes_on(out.tokens.back().kind, word.kind)) return false;
  if (word.kind == Kind::CLASS && first.kind == Kind::TENANT) return peek(2).kind == Kind::COLON;
  // Indentation means nothing where the braces say otherwise: of a definition, whose items are declarations, and of
  // what a definition holds, which may stand in any block.
  if ((first.kind == Kind::DEFINE || word.kind == Kind::REFERENCE) && closes_later(open)) return false;
  if (word.kind == Kind::COHORT && open > 1 && first.kind == Kind::TENANT)
    return peek(2).kind == Kind::LBRACE || peek(2).kind == Kind::IN;
  return declares(word);
}

// Whether as many braces close the declaration's blocks as are open; found out once of each declaration.
bool Splitter::closes_later(std::size_t open) {
  if (closes_) return *closes_;
  std::size_t depth = open;
  for (std::size_t i = 0; i < kTokens && depth > 0 && peek(i).kind != Kind::END; ++i) {
    if (peek(i).kind == Kind::LBRACE) ++depth;
    if (peek(i).kind == Kind::RBRACE) --depth;
  }
  return *(closes_ = depth == 0);
}

// Where an inner block was meant to end, should one turn out not to be closed: a word no further in than the line that
// opens it, which closes the outer block or begins an item of that.
void Splitter::suspect(const std::vector<Open>& open, const Token& word) {
  if (suspect_ || open.size() < 2 || !open.back().items || !starts_line(word)) return;
  const Open &inner = open.back(), &outer = open[open.size() - 2];
  if (!outer.items || !starts_later_line(inner.brace, word)) return;
  const bool item = has(facts_.first_of(*outer.items), word.kind) && !has(facts_.first_of(*inner.items), word.kind);
  if (item ? column(word) <= inner.column : word.kind == Kind::RBRACE && column(word) < inner.column)
    suspect_ = {inner.brace, word};
}

void Splitter::collect(Declaration& out) {
  std::vector<Open> open;
  std::size_t parens = 0;
  std::vector<Token> doubled;  // `{{ ... }}`: the second brace, and what closes it
  std::size_t doubled_in = 0;
  bool block_seen = false;
  suspect_.reset();
  closes_.reset();
  out.tokens.push_back(take());
  out.tokens.front().after_bad = false;  // what was refused before it belongs to the declaration before
  const bool takes_block = has_block(out.tokens.front().kind);
  for (;;) {
    const Token word = peek();
    if (word.kind == Kind::END) break;
    if (open.empty()) {
      if (starts_declaration(out, block_seen, parens)) break;
      if (block_seen && word.kind != Kind::SEMICOLON) break;  // loose text, unless it begins a declaration
      if (word.kind == Kind::RBRACE) {
        if (!takes_block) break;
        out.tokens.push_back(take());  // of a block whose `{` is missing: the parser tells
        break;
      }
    } else if (surely_declaration(out, open.size())) {
      report_unclosed(out, open.back().brace, peek());
      out.broken = true;
      break;
    }
    suspect(open, word);
    take();
    if (word.kind == Kind::LBRACE && out.tokens.back().kind == Kind::LBRACE &&
        out.tokens.front().kind != Kind::DEFINE && doubled.empty() && peek().kind != Kind::LBRACE) {
      doubled = {word};
      doubled_in = open.size();
      continue;
    }
    if (word.kind == Kind::RBRACE && !doubled.empty() && open.size() == doubled_in && peek().kind == Kind::RBRACE &&
        (doubled_in == 1 || peek().begin == word.end))
      doubled.push_back(take());
    out.tokens.push_back(word);
    if (word.kind == Kind::LBRACE) {
      open.push_back({word, block_opened(out), indent_});
      block_seen = true;
    } else if (word.kind == Kind::RBRACE && !open.empty()) {
      open.pop_back();
    }
    parens = word.kind == Kind::LPAREN ? parens + 1 : word.kind == Kind::RPAREN && parens > 0 ? parens - 1 : parens;
    if (word.kind == Kind::SEMICOLON || word.kind == Kind::LBRACE || word.kind == Kind::RBRACE) parens = 0;
    if (open.size() > kDepth || parens > kDepth)
      return skip_too_deep(out, word, open.size(), fmt::format("this is nested more than {} deep", kDepth));
    if (out.tokens.size() >= kTokens)
      return skip_too_deep(out, word, open.size(), fmt::format("one declaration has more than {} words", kTokens));
  }
  if (!doubled.empty()) {
    Diagnostic found = error_at(code::SyntaxError, findings_.span(doubled[0].begin, doubled[0].end),
                                "this `{` is one too many", "leave it out");
    if (doubled.size() > 1) found.hint += ", and one `}` at the end of the block";
    for (const Token& brace : doubled)
      for (Edit& edit : edit_of(findings_, brace.begin, brace.end, "")) found.edits.push_back(std::move(edit));
    findings_.add(std::move(found));
    out.broken = true;
  } else if (!open.empty() && !out.broken) {
    report_unclosed(out, open.back().brace, peek());
    out.broken = true;
  }
  out.broken = out.broken || spoiled_import(text_, out.tokens);
  out.tokens.push_back(peek());
  out.tokens.back().kind = Kind::END;
}

void Splitter::report_unclosed(const Declaration& out, Token brace, Token at) {
  const bool next = !suspect_;
  if (suspect_) std::tie(brace, at) = *suspect_;
  // What the brace belongs to, `tenant chat`: the words since the last thing that ended or began before it.
  std::string owner;
  for (const Token& token : out.tokens) {
    if (token.begin >= brace.begin) break;
    const bool ends = token.kind == Kind::LBRACE || token.kind == Kind::RBRACE || token.kind == Kind::SEMICOLON;
    if (ends || (token.kind != Kind::ID && starts_item(token.kind, facts_))) owner.clear();
    if (ends || owner.size() > 80) continue;
    if (!owner.empty()) owner.push_back(' ');
    owner.append(text_.substr(token.begin, std::min(token.end - token.begin, 60U)));
  }
  const bool at_end = at.kind == Kind::END;
  Diagnostic found = error_at(code::UnclosedBlock, findings_.span(brace.begin, brace.end), "");
  found.message =
      owner.empty() ? "the block that opens here is not closed" : fmt::format("the block of `{}` is not closed", owner);
  found.labels.push_back({findings_.span(at.begin, at.end), at_end ? "the file ends here"
                                                            : next ? "the next declaration begins here"
                                                                   : "what stands here is outside of it"});
  found.hint = at_end ? "add the missing `}`"
               : next ? "add the missing `}` before the next declaration"
                      : fmt::format("add the missing `}}` before this `{}`", text_.substr(at.begin, at.end - at.begin));
  if (const Span here = findings_.span(at.begin, at.begin); here.begin == at.begin || !at_end)
    found.edits.push_back({here, at_end && !text_.ends_with('\n') ? "\n}\n" : "}\n"});
  findings_.add(std::move(found));
}

void Splitter::skip_too_deep(Declaration& out, const Token& at, std::size_t depth, std::string message) {
  findings_.add(error_at(code::TooDeepOrLarge, findings_.span(at.begin, at.end), std::move(message),
                         "gpol stops reading this declaration here"));
  out.broken = true;
  while (peek().kind != Kind::END) {
    const Token word = peek();
    if (depth == 0 && has(facts_.first_of(Rule::declaration), word.kind)) break;
    if (surely_declaration(out, depth)) break;
    take();
    if (word.kind == Kind::LBRACE) ++depth;
    if (word.kind == Kind::RBRACE && depth > 0 && --depth == 0) break;
  }
  out.tokens.push_back(peek());
  out.tokens.back().kind = Kind::END;
}

}  // namespace gpol::syntax
