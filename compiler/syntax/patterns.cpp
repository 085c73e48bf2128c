#include "compiler/syntax/patterns.h"

#include <re2/re2.h>

#include <array>
#include <utility>

namespace gpol::syntax {

namespace {

std::string expanded(std::string_view row) {
  constexpr std::pair<std::string_view, std::string_view> kParts[] = {{"<n>", "[A-Za-z_][-A-Za-z0-9_./]*"},
                                                                      {"<#>", "[0-9]+(?:\\.[0-9]+)?"},
                                                                      {"<q>", "[0-9]+(?:\\.[0-9]+)?[ \t]*[a-zA-Z]+"},
                                                                      {"<p>", "[0-9]+g\\.[0-9]+gb(?:[+-][a-z.]+)?"},
                                                                      {"<r>", "[^;{}\n]*"},
                                                                      {" ", "[ \t]+"},
                                                                      {"~", "[ \t]*"}};
  std::string out;
  bool in_class = false;  // `[ ~]`
  while (!row.empty()) {
    std::string_view part = row.substr(0, row.front() == '\\' ? 2 : 1), with = part == "'" ? "\"" : part;
    if (part == "[" || part == "]") in_class = part == "[";
    for (const auto& [name, meaning] : kParts)
      if (!in_class && row.starts_with(name)) part = name, with = meaning;
    out += with;
    row.remove_prefix(part.size());
  }
  return out;
}

}  // namespace

Patterns::Patterns(const std::vector<std::string_view>& rows) {
  for (const std::string_view row : rows)
    rows_.push_back(std::make_unique<const re2::RE2>(expanded(row), re2::RE2::Quiet));
}

Patterns::~Patterns() = default;

std::optional<Patterns::Groups> Patterns::match(std::size_t row, std::string_view text, std::size_t from) const {
  std::array<re2::StringPiece, 6> found;  // no row has more groups
  const re2::RE2& pattern = *rows_[row];
  const int count = 1 + pattern.NumberOfCapturingGroups();
  if (!pattern.Match(text, from, text.size(), re2::RE2::UNANCHORED, found.data(), count)) return std::nullopt;
  Groups out;
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) out.emplace_back(found[i].data(), found[i].size());
  return out;
}

std::string filled(std::string_view form, const Patterns::Groups& groups) {
  std::string out;
  for (std::size_t i = 0; i < form.size(); ++i)
    if (form[i] == '\\' && i + 1 < form.size())
      out += groups[static_cast<std::size_t>(form[++i] - '0')];
    else
      out += form[i] == '\'' ? '"' : form[i];
  return out;
}

}  // namespace gpol::syntax
