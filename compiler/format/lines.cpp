#include "compiler/format/lines.h"

#include <algorithm>
#include <utility>

#include "compiler/source/utf8.h"

namespace gpol::format {
namespace {

bool has_head(const Line& line) { return line.head != 0 && line.head <= Lines::kWidestHead; }
bool same_heads(const Line& a, const Line& b) {
  return has_head(a) && has_head(b) && a.of == b.of && a.indent == b.indent;
}

bool has_column_comment(const Line& line) {
  return !line.code.empty() && !line.comment.empty() && line.indent + width(line.code) <= Lines::kWidestCode;
}

}  // namespace

std::size_t width(std::string_view text) { return code_points(text); }

void Lines::add(Line line) {
  if (!open_.empty() && !same_heads(open_.back(), line) &&
      !(has_column_comment(open_.back()) && has_column_comment(line)))
    flush();
  open_.push_back(std::move(line));
}

void Lines::blank() {
  flush();
  out_.push_back('\n');
}

std::string Lines::finish() {
  flush();
  return std::move(out_);
}

void Lines::align_heads() {
  for (std::size_t i = 0; i < open_.size();) {
    std::size_t end = i + 1;
    while (end < open_.size() && same_heads(open_[end - 1], open_[end])) ++end;
    std::size_t widest = 0;
    for (std::size_t k = i; k < end; ++k) widest = std::max(widest, open_[k].head);
    for (; i < end; ++i)
      if (has_head(open_[i])) open_[i].code.insert(open_[i].head, widest - open_[i].head, ' ');
  }
}

void Lines::align_comments() {
  for (std::size_t i = 0; i < open_.size();) {
    std::size_t end = i;
    std::size_t widest = 0;
    for (; end < open_.size() && has_column_comment(open_[end]); ++end)
      widest = std::max(widest, open_[end].indent + width(open_[end].code));
    for (; i < end; ++i) open_[i].code.append(widest - open_[i].indent - width(open_[i].code), ' ');
    ++i;
  }
}

void Lines::flush() {
  align_heads();
  align_comments();
  for (const Line& line : open_) {
    out_.append(line.indent, ' ').append(line.code);
    if (!line.comment.empty()) out_.append(line.code.empty() ? "" : "  ").append(line.comment);
    out_.push_back('\n');
  }
  open_.clear();
}

}  // namespace gpol::format
