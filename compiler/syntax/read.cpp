// The reader by what is read, a file or an expansion; how a text is read: parse.cpp.
#include "compiler/syntax/read.h"

#include "compiler/source/codes.h"
#include "compiler/syntax/mistake.h"
#include "compiler/syntax/parse.h"

namespace gpol {

std::vector<Diagnostic> syntax::read(const SourceSet& sources, FileId file, std::vector<syntax::Token>* comments,
                                     const std::function<void(const Parsed&)>& visit) {
  const std::string_view text = sources.text(file);
  if (text.size() > kMostBytes)
    return {error_at(code::TooDeepOrLarge, {file, 0, 0}, "the file is larger than 64 MiB",
                     "split the policy into several")};
  std::size_t tries = kMostTries;
  return read(text, Places(file), comments, visit, tries);
}

Outcome<ast::File> parse(const SourceSet& sources, FileId file) {
  Outcome<ast::File> out;
  out.value.file = file;
  out.diagnostics = syntax::read(sources, file, nullptr, [&](const syntax::Parsed& declaration) {
    out.value.decls.push_back(syntax::build(declaration));
  });
  return out;
}

Outcome<std::vector<ast::Decl>> parse_expansion(std::string_view text, const syntax::Places& places,
                                                std::size_t& tries) {
  Outcome<std::vector<ast::Decl>> out;
  out.diagnostics = syntax::read(
      text, places, nullptr,
      [&](const syntax::Parsed& declaration) { out.value.push_back(syntax::build(declaration)); }, tries);
  return out;
}

}  // namespace gpol
