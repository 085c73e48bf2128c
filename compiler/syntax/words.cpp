// The references among some words.
#include "compiler/syntax/build.h"

namespace gpol::syntax {

namespace {

// Past the parenthesis that closes the one at `open`; `last` where none does.
std::uint32_t past_closing(const Parsed& parsed, std::uint32_t open, std::uint32_t last) {
  std::size_t depth = 0;
  for (std::uint32_t i = open; i < last; ++i) {
    if (parsed.tokens[i].kind == Kind::LPAREN) ++depth;
    if (parsed.tokens[i].kind == Kind::RPAREN && --depth == 0) return i + 1;
  }
  return last;
}

bool closes(const Parsed& parsed, std::uint32_t open, std::uint32_t past) {
  std::ptrdiff_t depth = 0;
  for (std::uint32_t i = open; i < past; ++i)
    depth += parsed.tokens[i].kind == Kind::LPAREN ? 1 : parsed.tokens[i].kind == Kind::RPAREN ? -1 : 0;
  return depth == 0;
}

ast::Words argument(const Parsed& parsed, std::uint32_t first, std::uint32_t last) {
  const bool wrapped =
      last - first > 2 && parsed.tokens[first].kind == Kind::LPAREN && past_closing(parsed, first, last) == last;
  return wrapped ? words_of(parsed, first + 1, last - 1) : words_of(parsed, first, last);
}

std::vector<ast::Words> arguments(const Parsed& parsed, std::uint32_t open, std::uint32_t past) {
  std::vector<ast::Words> out;
  std::uint32_t from = open + 1;
  std::size_t depth = 0;
  for (std::uint32_t i = open; i < past; ++i) {
    const Kind kind = parsed.tokens[i].kind;
    if (kind == Kind::LPAREN) ++depth;
    if (kind == Kind::RPAREN) --depth;
    if ((depth == 1 && kind == Kind::COMMA) || depth == 0) {
      if (i > from || !out.empty() || kind == Kind::COMMA) out.push_back(argument(parsed, from, i));
      from = i + 1;
    }
  }
  return out;
}

// The span is that of the reference alone, without the `@` before it and what is written behind it.
ast::Name reference_name(const Parsed& parsed, std::uint32_t token) {
  const Token& word = parsed.tokens[token];
  const std::uint32_t begin = word.begin + (parsed.text[word.begin] == '@' ? 1 : 0);
  const std::string_view written = parsed.text.substr(begin, word.end - begin);
  if (!written.starts_with("${")) return {std::string(written.substr(1)), parsed.places.span(begin, word.end)};
  const auto close = static_cast<std::uint32_t>(written.find('}'));
  return {std::string(written.substr(2, close - 2)), parsed.places.span(begin, begin + close + 1)};
}

}  // namespace

std::vector<ast::Name> reference_names(const Parsed& parsed, std::uint32_t first, std::uint32_t last) {
  std::vector<ast::Name> names;
  for (std::uint32_t i = first; i < last; ++i)
    if (parsed.tokens[i].kind == Kind::REFERENCE) names.push_back(reference_name(parsed, i));
  return names;
}

ast::Words words_of(const Parsed& parsed, std::uint32_t first, std::uint32_t last) {
  const auto& tokens = parsed.tokens;
  ast::Words out;
  if (first >= last) {
    out.span = parsed.places.span(tokens[first].begin, tokens[first].begin);
    return out;
  }
  out.span = parsed.places.span(tokens[first].begin, tokens[last - 1].end);
  for (std::uint32_t i = first; i < last; ++i) {
    if (tokens[i].kind != Kind::REFERENCE) continue;
    const Token& word = tokens[i];
    ast::Reference reference{reference_name(parsed, i), {}, true, {}};
    reference.span = reference.name.span;
    std::uint32_t past = i + 1;
    // `start ready $time (measured)` calls nothing: arguments follow without a space.
    if (past < last && tokens[past].kind == Kind::LPAREN && tokens[past].begin == word.end) {
      past = past_closing(parsed, i + 1, last);
      reference.closed = closes(parsed, i + 1, past);
      reference.arguments = arguments(parsed, i + 1, past);
      reference.span = parsed.places.span(word.begin, tokens[past - 1].end);
    }
    out.references.push_back(std::move(reference));
    i = past - 1;
  }
  return out;
}

}  // namespace gpol::syntax
