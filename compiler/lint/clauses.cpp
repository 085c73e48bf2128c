#include "compiler/lint/clauses.h"

#include "compiler/syntax/mistake.h"
#include "compiler/syntax/read.h"

namespace gpol {

namespace {

using syntax::Kind;
using syntax::Parsed;

// The words first..last as they stand in the file.
Span span_of(const Parsed& parsed, std::uint32_t first, std::uint32_t last) {
  return parsed.places.span(parsed.tokens[first].begin, parsed.tokens[last - 1].end);
}

// Up to the `{` before its first item.
std::uint32_t head_end(const Parsed& parsed, std::uint32_t first, std::uint32_t item) {
  std::uint32_t end = item;
  while (end > first + 1 && parsed.tokens[end - 1].kind != Kind::LBRACE) --end;
  return end;
}

void add_declaration(const Parsed& parsed, std::vector<Clause>& out) {
  struct Open {
    std::size_t clause;
    std::uint32_t first, last;
    bool block = false;
  };
  auto words = static_cast<std::uint32_t>(parsed.tokens.size());
  while (words > 1 && parsed.tokens[words - 1].kind == Kind::END) --words;
  const Span all = span_of(parsed, 0, words);
  out.push_back({all, all, std::nullopt});
  if (parsed.nodes.empty()) return;
  std::vector<Open> open{{out.size() - 1, 0, words}};
  for (const syntax::Node& node : parsed.nodes.subspan(1)) {
    if (syntax::block_of(node.rule).empty()) continue;
    while (node.first >= open.back().last) open.pop_back();
    Open& around = open.back();
    if (!around.block) {
      around.block = true;
      out[around.clause].shown = span_of(parsed, around.first, head_end(parsed, around.first, node.first));
    }
    const Span span = span_of(parsed, node.first, node.last);
    out.push_back({span, span, around.clause});
    open.push_back({out.size() - 1, node.first, node.last});
  }
}

}  // namespace

std::vector<Clause> clauses_of(const SourceSet& sources) {
  std::vector<Clause> out;
  for (FileId file = 0; file < sources.size(); ++file)
    if (!sources.built_in(file))
      syntax::read(sources, file, nullptr, [&](const Parsed& parsed) { add_declaration(parsed, out); });
  return out;
}

std::string text_without(const SourceSet& sources, FileId file, std::span<const Clause> clauses,
                         const std::vector<bool>& out) {
  std::string text = sources.text(file);
  for (std::size_t i = 0; i < clauses.size(); ++i) {
    const Span whole = clauses[i].whole;
    if (!out[i] || whole.file != file) continue;
    for (std::uint32_t at = whole.begin; at < whole.end; ++at)
      if (text[at] != '\n' && text[at] != '\r') text[at] = ' ';
  }
  return text;
}

}  // namespace gpol
