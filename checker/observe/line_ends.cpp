#include "checker/observe/line_ends.h"

#include <algorithm>

namespace gpol::manifest {

std::optional<LineEnds> LineEnds::of(std::string_view text) {
  if (text.find('\r') == std::string_view::npos) return std::nullopt;
  LineEnds ends;
  ends.text_.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto next = std::min(text.find('\r', at), text.size());
    ends.text_.append(text.substr(at, next - at));
    if (next == text.size()) break;
    if (next + 1 == text.size() || text[next + 1] != '\n') return std::nullopt;
    ends.taken_.push_back(ends.text_.size());
    at = next + 1;
  }
  return ends;
}

std::size_t LineEnds::was(std::size_t at) const {
  const auto before = std::lower_bound(taken_.begin(), taken_.end(), at);
  return at + static_cast<std::size_t>(before - taken_.begin());
}

void LineEnds::put_back(Node& node) const {
  node.begin = static_cast<std::uint32_t>(was(node.begin));
  node.end = static_cast<std::uint32_t>(was(node.end));
  for (Node& item : node.items) put_back(item);
  for (Entry& entry : node.entries) {
    entry.begin = static_cast<std::uint32_t>(was(entry.begin));
    entry.end = static_cast<std::uint32_t>(was(entry.end));
    put_back(entry.value);
  }
}

void LineEnds::put_back(Tree& tree) const {
  if (tree.root) put_back(*tree.root);
  if (tree.refused_at) tree.refused_at = was(*tree.refused_at);
}

}  // namespace gpol::manifest
