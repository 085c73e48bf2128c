#include "compiler/format/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/format/layout.h"
#include "compiler/source/codes.h"
#include "compiler/syntax/parse.h"
#include "compiler/syntax/read.h"
#include "compiler/syntax/same_tree.h"

namespace gpol {

using syntax::Parsed;
using syntax::Token;

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

struct Contents {
  std::vector<ast::Decl> tree;
  std::vector<Token> comments;
  std::vector<Diagnostic> diagnostics;
};

[[noreturn]] void lost(const std::string& path, std::string_view what) {
  throw std::logic_error(fmt::format("what fmt made of `{}` has other {}; nothing is written", path, what));
}

std::string_view written(std::string_view text, const Token& comment) {
  const std::string_view whole = text.substr(comment.begin, comment.end - comment.begin);
  return whole.substr(0, whole.find_last_not_of(" \t") + 1);
}

bool same_comments(std::string_view a, const std::vector<Token>& in_a, std::string_view b,
                   const std::vector<Token>& in_b) {
  return std::equal(in_a.begin(), in_a.end(), in_b.begin(), in_b.end(),
                    [&](const Token& x, const Token& y) { return written(a, x) == written(b, y); });
}

// Equal but for blanks, line breaks and `;`: no word and no comment is lost, changed or elsewhere. It needs neither
// scanner nor parser, so it holds also where those pass over something. The `;` of texts and comments are compared with
// the tree and with the comments.
bool same_ink(std::string_view a, std::string_view b) {
  const auto skips = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ';'; };
  if (a.starts_with(kByteOrderMark)) a.remove_prefix(kByteOrderMark.size());
  std::size_t i = 0, k = 0;
  for (;;) {
    while (i < a.size() && skips(a[i])) ++i;
    while (k < b.size() && skips(b[k])) ++k;
    if (i == a.size() || k == b.size()) return i == a.size() && k == b.size();
    if (a[i++] != b[k++]) return false;
  }
}

void compare(const SourceSet& sources, FileId file, const Contents& before, const std::string& after) {
  const std::string& path = sources.path(file);
  SourceSet again;
  const FileId other = again.add(path, after);
  std::vector<Token> comments;
  std::size_t known = 0;
  const auto diagnostics = syntax::read(again, other, &comments, [&](const Parsed& declaration) {
    // One at a time: the second tree is never there as a whole.
    if (known == before.tree.size() || !syntax::same(before.tree[known], build(declaration))) lost(path, "meaning");
    ++known;
  });
  if (!diagnostics.empty() || known != before.tree.size()) lost(path, "meaning");
  if (!same_comments(sources.text(file), before.comments, after, comments)) lost(path, "comments");
  if (!same_ink(sources.text(file), after)) lost(path, "words");
}

}  // namespace

Outcome<std::string> formatted(const SourceSet& sources, FileId file) {
  Contents before;
  format::Layout layout(sources.text(file), before.comments);
  before.diagnostics = syntax::read(sources, file, &before.comments, [&](const Parsed& declaration) {
    layout.declaration(declaration);
    before.tree.push_back(build(declaration));
  });
  Outcome<std::string> out;
  out.diagnostics = std::move(before.diagnostics);
  if (!out.ok()) return out;
  out.value = layout.finish();
  if (out.value.size() > kMostBytes) {
    out.diagnostics.push_back(error_at(code::TooDeepOrLarge, {file, 0, 0},
                                       "formatted, the file would be larger than 64 MiB",
                                       "split the policy into several"));
    out.value.clear();
    return out;
  }
  compare(sources, file, before, out.value);
  return out;
}

std::string in_one_style(std::string text) {
  SourceSet sources;
  auto styled = formatted(sources, sources.add("text", text));
  return styled.ok() ? std::move(styled.value) : text;
}

void require_same_meaning(const SourceSet& sources, FileId file, const std::string& after) {
  Contents before;
  before.diagnostics = syntax::read(sources, file, &before.comments,
                                    [&](const Parsed& declaration) { before.tree.push_back(build(declaration)); });
  compare(sources, file, before, after);
}

}  // namespace gpol
