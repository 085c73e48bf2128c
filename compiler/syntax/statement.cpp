#include "compiler/syntax/statement.h"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/source/lookup.h"
#include "compiler/syntax/scan.h"

namespace gpol::syntax {

bool is_sign(Kind kind) {
  constexpr Kind kSigns[] = {Kind::COMMA, Kind::SEMICOLON, Kind::COLON, Kind::EQUALS, Kind::LESS};
  return contains(kSigns, kind);
}

bool declared(std::string_view text, std::string_view what, std::string_view name, bool on_line) {
  constexpr std::size_t kFar = std::size_t{1} << 20U, kLongestName = 64;  // of each mistake the text is searched again
  const std::string wanted = fmt::format("{} {}", what, name);
  const std::string_view near = text.substr(0, name.size() > kLongestName ? 0 : kFar);
  const std::string_view before = on_line ? "\n" : " {\t\r\n;}";
  for (std::size_t at = 0; (at = near.find(wanted, at)) != std::string_view::npos; ++at)
    if ((at == 0 || before.find(near[at - 1]) != std::string_view::npos) &&
        near.substr(at + wanted.size(), 1).find_first_of(" ({\t\r\n;:") == 0)
      return true;
  return false;
}

Statement::Statement(std::string_view text, const Findings& findings, const Mistake& m, const GrammarFacts& facts,
                     const Trial& trial)
    : text_(text), findings_(findings), m_(m), facts_(facts), found_(m.tokens[m.at]), trial_(trial) {
  const std::size_t stop = end_of_statement(), first = m.starts.back();
  begin_ = m.tokens[first].begin;
  end_ = stop > first ? m.tokens[stop - 1].end : begin_;
  // A reason may hold words that begin declarations.
  if (m.tokens.front().kind == Kind::TRUST && m.tokens[stop].kind == Kind::END)
    end_ = std::max(end_, static_cast<std::uint32_t>(std::min(text.find('\n', end_), text.size())));
  if (!short_enough()) return;
  for (std::size_t i = 0; i + 1 < m.starts.size(); ++i) {
    std::size_t brace = m.starts[i];
    while (brace < m.starts[i + 1] && m.tokens[brace].kind != Kind::LBRACE) ++brace;
    const std::uint32_t from = m.tokens[m.starts[i]].begin;
    around_ += text.substr(from, std::min(m.tokens[brace].end - from, kLongest));
    around_ += '\n';
  }
  if (stop > first)
    for (std::size_t open = open_braces(m.tokens.subspan(first, stop - first)); open > 0; --open) behind_ += " }";
  const bool opens = m.tokens[stop].kind == Kind::LBRACE && stop != m.at;
  unfinished_ = opens || m.starts.size() > 1;
  if (unfinished_) behind_ += opens ? " {" : "\n;";
}

// The first word that is no part of it any more.
std::size_t Statement::end_of_statement() const {
  const bool block = m_.starts.size() > 1, definition = m_.tokens.front().kind == Kind::DEFINE;
  if (is(Kind::END) || is(Kind::RBRACE) || (misses() && (block || !is(Kind::SEMICOLON)))) return m_.at;
  std::size_t depth = is(Kind::LBRACE) ? 1 : 0, i = m_.at + 1;
  for (; m_.tokens[i].kind != Kind::END; ++i) {
    const Kind kind = m_.tokens[i].kind;
    if (depth == 0 && (kind == Kind::SEMICOLON || kind == Kind::RBRACE || (kind == Kind::LBRACE && !definition))) break;
    if (depth == 0 && block && m_.tokens[i - 1].kind != Kind::COMMA && line_break(m_.tokens[i - 1], m_.tokens[i]))
      break;
    if (kind == Kind::LBRACE) ++depth;
    if (kind == Kind::RBRACE) --depth;
  }
  return i;
}

std::optional<Stopped> Statement::tried(std::uint32_t begin, std::uint32_t end, std::string_view with) {
  constexpr std::size_t kMostOfOne = 100;  // of one mistake
  if (++tries_ > kMostOfOne || trial_.left == 0 || begin < begin_ || end > end_ || begin > end) return Stopped{};
  const std::string all = fmt::format("{}{}{}{}{}", around_, text_.substr(begin_, begin - begin_), with,
                                      text_.substr(end, end_ - end), behind_);
  constexpr std::size_t kMostWords = 400;
  const Places places(FileId{0});
  Findings findings(places);
  Scanner scanner(all, facts_.lexer, findings);
  std::vector<Token> words;
  do words.push_back(scanner.next());
  while (words.back().kind != Kind::END && words.size() < kMostWords);
  if (!findings.none() || words.back().kind != Kind::END) return Stopped{};
  --trial_.left;
  auto stopped = trial_.read(all, words);
  if (!stopped || (unfinished_ && stopped->at >= all.size())) return std::nullopt;
  if (another_mistake_) {
    const auto* const next = std::ranges::lower_bound(m_.tokens, end, {}, &Token::begin).base();
    const std::size_t behind = around_.size() + (begin - begin_) + with.size();
    if (next + 2 < &m_.tokens.back() && stopped->at >= behind + (next[2].begin - end)) return std::nullopt;
  }
  return stopped;
}

std::optional<Slip> Statement::edit(std::uint32_t begin, std::uint32_t end, std::string with, std::string hint,
                                    bool sure) {
  if (tried(begin, end, with)) return std::nullopt;
  return Slip{std::move(hint), edit_of(findings_, begin, end, std::move(with)), sure};
}

std::optional<Slip> Statement::left_out(const Token& kept, const Token& first, const Token& last, bool sure,
                                        std::string_view why) {
  const std::string_view out = text_.substr(first.begin, last.end - first.begin);
  const bool tight = kept.end == first.begin && last.end < text_.size() &&
                     std::string_view(" \t\r\n,;)}").find(text_[last.end]) == std::string_view::npos;
  return edit(kept.begin, last.end, fmt::format("{}{}", word(kept), tight ? " " : ""),
              fmt::format("leave out {}{}{}", is_sign(first.kind) ? "the " : "", quoted(out), why), sure);
}

std::optional<Slip> Statement::parts_apart() const {
  std::size_t from = m_.at - 1;
  if (m_.tokens[from].kind == Kind::SEMICOLON) --from;
  std::string mended;
  for (std::size_t i = from; i < m_.list_end; ++i) {
    const Token &part = m_.tokens[i], &next = m_.tokens[i + 1];
    mended += part.kind == Kind::SEMICOLON ? "," : word(part);
    if (i + 1 == m_.list_end) break;
    if (part.kind != Kind::SEMICOLON && part.kind != Kind::COMMA && next.kind != Kind::SEMICOLON &&
        line_break(part, next))
      mended += ",";
    mended += text_.substr(part.end, next.begin - part.end);
  }
  return Slip{"the parts are separated with `,`",
              edit_of(findings_, m_.tokens[from].begin, m_.tokens[m_.list_end - 1].end, mended), true};
}

}  // namespace gpol::syntax
