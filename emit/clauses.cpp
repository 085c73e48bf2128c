#include "emit/clauses.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace gpol {

namespace {

constexpr std::size_t kLongest = 160;  // of a line: a list of hundreds of levels is read in the policy

// What a definition writes out is a clause of its own; the definition's own words say nothing of it.
bool defines(std::string_view words) { return words.starts_with("define "); }

}  // namespace

// Clauses end where a line, a `;` or a block does. Nothing is parsed: the text has been read without a mistake.
std::vector<Clauses::Clause> Clauses::read(const std::string& text) {
  std::vector<Clause> clauses;
  std::vector<std::size_t> open;  // the clauses whose blocks they are
  bool within = false;            // a clause, the last one
  bool headed = false;            // a block that opens here is that clause's
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size());
      within = false;
    } else if (c == '\n' || c == '\r') {
      within = false;
    } else if (c == ';' || c == '{' || c == '}') {
      if (c == '{') open.push_back(headed ? clauses.size() : 0);
      if (c == '}' && !open.empty()) open.pop_back();
      within = headed = false;
    } else if (c == ' ' || c == '\t') {
      if (within && !clauses.back().words.ends_with(' ')) clauses.back().words += ' ';
    } else {
      if (!within) clauses.push_back({static_cast<std::uint32_t>(i), {}, open.empty() ? 0 : open.back()});
      within = headed = true;
      const std::size_t closing = c == '"' ? text.find_first_of("\"\n", i + 1) : i;  // in quotes a `#` is no comment
      const std::size_t end = std::min(closing, text.size() - 1) + 1;
      clauses.back().words.append(text, i, end - i);
      i = end - 1;
    }
  }
  for (Clause& clause : clauses)
    if (clause.words.ends_with(' ')) clause.words.pop_back();
  return clauses;
}

// As it lies beside the policy, the first of the texts: the same wherever that stands and however it was typed.
std::string Clauses::path(FileId file) const {
  const std::filesystem::path root = std::filesystem::path(sources_.path(0)).lexically_normal().parent_path();
  const std::filesystem::path path = std::filesystem::path(sources_.path(file)).lexically_normal();
  return root.empty() || sources_.built_in(file) ? path.string() : path.lexically_proximate(root).string();
}

std::string Clauses::of(Span span) {
  if (!span.known() || span.file >= sources_.size()) return {};
  auto found = clauses_.find(span.file);
  if (found == clauses_.end()) found = clauses_.emplace(span.file, read(sources_.text(span.file))).first;
  const std::vector<Clause>& clauses = found->second;
  const auto after = std::ranges::upper_bound(clauses, span.begin, {}, &Clause::begin);
  std::string line;
  std::size_t depth = 0;
  for (auto at = static_cast<std::size_t>(after - clauses.begin()); at != 0; at = clauses[at - 1].parent) {
    const Clause& clause = clauses[at - 1];
    if (defines(clause.words)) break;
    line = line.empty() ? clause.words : clause.words + " { " + line;
    ++depth;
  }
  for (; depth > 1; --depth) line += " }";
  if (line.size() > kLongest) line = line.substr(0, kLongest) + " ...";
  if (span.file != 0) line += " (" + path(span.file) + ")";
  return line;
}

}  // namespace gpol
