#include "compiler/source/follow.h"

#include <string_view>

#include "compiler/source/codes.h"
#include "compiler/source/text.h"

namespace gpol {

namespace {

// What stands in the first back-ticks; empty: nothing does.
std::string_view in_ticks(std::string_view text) {
  const auto open = text.find('`');
  const auto close = open == std::string_view::npos ? open : text.find('`', open + 1);
  return close == std::string_view::npos ? std::string_view() : text.substr(open + 1, close - open - 1);
}

// The wrong words that a message names: `x` itself, and in the form "expected ... here, found `x`" the last one.
std::string_view wrong_word(std::string_view message) {
  const auto found = message.rfind("found `");
  return in_ticks(found == std::string_view::npos ? message : message.substr(found));
}

void follow(const SourceSet& sources, Diagnostic& d) {
  constexpr std::string_view kQuestion = "did you mean `";
  if (!d.edits.empty() || !d.span.known() || !d.hint.starts_with(kQuestion)) return;
  std::string_view meant = in_ticks(d.hint), wrong = wrong_word(d.message);
  const std::string_view text = sources.slice(d.span);
  if (wrong.starts_with('$') && meant.starts_with('$')) {
    wrong.remove_prefix(1);
    meant.remove_prefix(1);
  }
  // Of a path the hint names the last part.
  if (const auto slash = wrong.rfind('/');
      text.ends_with('"') && slash != std::string_view::npos && meant.find('/') == std::string_view::npos)
    wrong.remove_prefix(slash + 1);
  const std::size_t quote = text.ends_with('"') ? 1 : 0;
  const std::string_view inner = text.substr(0, text.size() - quote);
  if (wrong.empty() || meant.empty() || !inner.ends_with(wrong)) return;
  const auto end = static_cast<std::uint32_t>(d.span.begin + inner.size());
  std::uint32_t begin = end - static_cast<std::uint32_t>(wrong.size());
  if (meant == "%" || meant == "x")  // they follow their number at once
    while (begin > d.span.begin && sources.text(d.span.file)[begin - 1] == ' ') --begin;
  d.edits.push_back({{d.span.file, begin, end}, std::string(meant)});
  const std::string a = lowered(wrong), b = lowered(meant);
  d.sure = a == b || (d.code == code::UnknownUnit && (a.starts_with(b) || b.starts_with(a)));
}

}  // namespace

void follow_hints(const SourceSet& sources, std::vector<Diagnostic>& diagnostics) {
  for (Diagnostic& d : diagnostics) follow(sources, d);
}

}  // namespace gpol
