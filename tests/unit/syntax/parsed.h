// What the syntax tests share: text to tree, and a diagnostic in one line.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "compiler/syntax/parse.h"

namespace gpol::test {

struct Parsed {
  SourceSet sources;
  Outcome<ast::File> outcome;

  const std::vector<ast::Decl>& decls() const { return outcome.value.decls; }
  template <class T>
  const T& decl(std::size_t i) const {
    return std::get<T>(decls().at(i).node);
  }
  std::string text(Span span) const { return std::string(sources.slice(span)); }
  // `GP0101 2:5 expected ... | hint`
  std::vector<std::string> mistakes() const {
    std::vector<std::string> out;
    for (const Diagnostic& d : outcome.diagnostics) {
      const LineColumn at = sources.position(d.span.file, d.span.begin);
      std::string line =
          to_string(d.code) + " " + std::to_string(at.line) + ":" + std::to_string(at.column) + " " + d.message;
      if (!d.hint.empty()) line += " | " + d.hint;
      out.push_back(std::move(line));
    }
    return out;
  }
};

inline Parsed parsed(std::string text) {
  Parsed out;
  const FileId file = out.sources.add("test.gpol", std::move(text));
  out.outcome = parse(out.sources, file);
  return out;
}

using Mistakes = std::vector<std::string>;

}  // namespace gpol::test
