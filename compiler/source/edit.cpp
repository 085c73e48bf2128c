#include "compiler/source/edit.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace gpol {

namespace {

bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// The lines of a text around a place, by the offsets at which they begin.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}
  std::size_t begin_of(std::size_t at) const {
    const auto newline = at == 0 ? std::string_view::npos : text_.rfind('\n', at - 1);
    return newline == std::string_view::npos ? 0 : newline + 1;
  }
  std::size_t next(std::size_t at) const { return std::min(text_.find('\n', at), text_.size() - 1) + 1; }
  bool first(std::size_t line) const { return line == 0; }
  bool over(std::size_t line) const { return line >= text_.size(); }
  std::size_t before(std::size_t line) const { return begin_of(line - 1); }
  // Without blanks at its ends.
  std::string_view at(std::size_t line) const {
    std::string_view all = text_.substr(line, text_.find('\n', line) - line);
    while (!all.empty() && blank(all.front())) all.remove_prefix(1);
    while (!all.empty() && blank(all.back())) all.remove_suffix(1);
    return all;
  }
  // Whether a new thought begins below the line before, and ends above this one.
  bool opens(std::size_t line) const {
    return first(line) || at(before(line)).empty() || at(before(line)).back() == '{';
  }
  bool closes(std::size_t line) const { return over(line) || at(line).empty() || at(line).front() == '}'; }

 private:
  std::string_view text_;
};

void take_lines(std::string_view text, std::size_t& begin, std::size_t& end) {
  const Lines lines(text);
  begin = lines.begin_of(begin);
  end = lines.over(end) ? end : lines.next(end);
  std::size_t comment = begin;
  while (!lines.first(comment) && lines.at(lines.before(comment)).starts_with('#')) comment = lines.before(comment);
  // A comment at the top speaks of the file.
  if (!lines.first(comment) && lines.opens(comment) && lines.closes(end)) begin = comment;
  if (lines.opens(begin) && !lines.over(end) && lines.at(end).empty()) {
    while (!lines.over(end) && lines.at(end).empty()) end = lines.next(end);
    // At the end of the file no blank line stays.
    if (!lines.over(end)) return;
  }
  if (lines.over(end) || lines.at(end).starts_with('}'))
    while (!lines.first(begin) && lines.at(lines.before(begin)).empty()) begin = lines.before(begin);
}

// Between others on a line: its `;`, before or behind it, or one of two blanks.
void take_along(std::string_view text, std::size_t& begin, std::size_t& end) {
  std::size_t behind = end;
  while (behind < text.size() && blank(text[behind])) ++behind;
  std::size_t before = begin;
  while (before > 0 && blank(text[before - 1])) --before;
  if (behind < text.size() && text[behind] == ';') {
    for (end = behind + 1; end < text.size() && blank(text[end]);) ++end;
  } else if (before > 0 && text[before - 1] == ';') {
    for (begin = before - 1; begin > 0 && blank(text[begin - 1]);) --begin;
  } else if (before < begin) {
    end = behind;
  }
}

// Lines that go one after the other may have a comment together.
void join_lines(const SourceSet& sources, std::vector<Edit>& sorted) {
  for (std::size_t i = 1; i < sorted.size();) {
    Edit& before = sorted[i - 1];
    const Edit& here = sorted[i];
    const std::string_view text = sources.text(before.replace.file);
    const auto meet = before.replace.end;
    if (!before.with.empty() || !here.with.empty() || meet != here.replace.begin || meet == before.replace.begin ||
        text[meet - 1] != '\n') {
      ++i;
      continue;
    }
    std::uint32_t end = here.replace.end;
    while (end > meet && (blank(text[end - 1]) || text[end - 1] == '\n')) --end;
    before = settled(sources, {{before.replace.file, before.replace.begin, end}, {}});
    sorted.erase(sorted.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

}  // namespace

Edit settled(const SourceSet& sources, const Edit& edit) {
  if (!edit.with.empty() || !edit.replace.known() || edit.replace.begin == edit.replace.end) return edit;
  const std::string_view text = sources.text(edit.replace.file);
  std::size_t begin = edit.replace.begin, end = edit.replace.end;
  const auto line = Lines(text).begin_of(begin);
  const bool first = std::all_of(text.begin() + static_cast<std::ptrdiff_t>(line),
                                 text.begin() + static_cast<std::ptrdiff_t>(begin), blank);
  std::size_t rest = end;
  while (rest < text.size() && (blank(text[rest]) || text[rest] == ';')) ++rest;
  const bool last = rest == text.size() || text[rest] == '\n' || text[rest] == '#';
  if (first && last)
    take_lines(text, begin, end);
  else
    take_along(text, begin, end);
  return {{edit.replace.file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)}, {}};
}

std::string edited(const SourceSet& sources, FileId file, std::span<const Edit> edits) {
  std::vector<Edit> made;
  for (const Edit& edit : edits) {
    if (edit.replace.file != file) continue;
    Edit one = settled(sources, edit);
    const bool free = std::ranges::none_of(made, [&](const Edit& other) {
      return one.replace.begin < other.replace.end && other.replace.begin < one.replace.end;
    });
    if (free) made.push_back(std::move(one));
  }
  std::ranges::stable_sort(made, [](const Edit& a, const Edit& b) { return a.replace.begin < b.replace.begin; });
  join_lines(sources, made);
  std::string out;
  std::uint32_t at = 0;
  for (const Edit& edit : made) {
    out += sources.slice({file, at, edit.replace.begin});
    out += edit.with;
    at = edit.replace.end;
  }
  out += sources.slice({file, at, static_cast<std::uint32_t>(sources.text(file).size())});
  return out;
}

}  // namespace gpol
