#include "cli/render/unified_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace gpol {

namespace {

constexpr std::size_t kContext = 3;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

struct TextLine {
  std::string_view text;  // with its line break
  std::size_t before;     // bytes of words before it
  std::size_t words;      // bytes of words in it
};

std::vector<TextLine> lines_of(std::string_view text) {
  std::vector<TextLine> lines;
  std::size_t before = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string_view line = text.substr(at, end - at);
    auto words = static_cast<std::size_t>(std::ranges::count_if(
        line, [](char c) { return c != ' ' && c != '\t' && c != '\r' && c != '\n' && c != ';'; }));
    if (at == 0 && line.starts_with(kByteOrderMark)) words -= kByteOrderMark.size();
    lines.push_back({line, before, words});
    before += words;
    at = end;
  }
  return lines;
}

// A run of lines that are equal, or that stand in the place of each other.
struct Stretch {
  bool equal = false;
  std::size_t a = 0, a_end = 0;  // lines of the text before
  std::size_t b = 0, b_end = 0;  // and after
};

std::vector<Stretch> stretches(const std::vector<TextLine>& a, const std::vector<TextLine>& b) {
  std::vector<Stretch> out;
  for (std::size_t i = 0, k = 0; i < a.size() || k < b.size();) {
    const bool both = i < a.size() && k < b.size();
    const bool equal = both && a[i].before == b[k].before && a[i].text == b[k].text;
    if (out.empty() || out.back().equal != equal) out.push_back({equal, i, i, k, k});
    // An empty line is passed by itself: the line with words that follows it may be equal.
    const auto first = [](const TextLine& x, const TextLine& y) {
      return x.before != y.before ? x.before < y.before : x.words == 0 || y.words != 0;
    };
    const bool drop = equal || (both ? first(a[i], b[k]) : i < a.size());
    const bool add = equal || (both ? first(b[k], a[i]) : k < b.size());
    i += drop ? 1 : 0;
    k += add ? 1 : 0;
    out.back().a_end = i;
    out.back().b_end = k;
  }
  return out;
}

void print_line(std::string& out, char mark, std::string_view text) {
  out.push_back(mark);
  out.append(text);
  if (!text.ends_with('\n')) out.append("\n\\ No newline at end of file\n");
}

// Lines count from 1; of none, the number is that of the line before.
std::string range(std::size_t begin, std::size_t end) {
  const std::size_t count = end - begin;
  return count == 1 ? fmt::format("{}", begin + 1) : fmt::format("{},{}", count == 0 ? begin : begin + 1, count);
}

}  // namespace

std::string unified_diff(std::string_view path, std::string_view before, std::string_view after) {
  if (before == after) return {};
  const auto a = lines_of(before);
  const auto b = lines_of(after);
  const auto all = stretches(a, b);
  std::string out = fmt::format("--- {0}\n+++ {0}\n", path);
  for (std::size_t i = 0; i < all.size();) {
    if (all[i].equal) {
      ++i;
      continue;
    }
    // A hunk: changes with no more than twice the context between them.
    std::size_t end = i + 1;
    while (end + 1 < all.size() && all[end].a_end - all[end].a <= 2 * kContext) end += 2;
    const std::size_t lead = std::min(kContext, all[i].a);
    const std::size_t tail = end < all.size() ? std::min(kContext, all[end].a_end - all[end].a) : 0;
    const Stretch& last = all[end - 1];
    out += fmt::format("@@ -{} +{} @@\n", range(all[i].a - lead, last.a_end + tail),
                       range(all[i].b - lead, last.b_end + tail));
    for (std::size_t l = all[i].a - lead; l < all[i].a; ++l) print_line(out, ' ', a[l].text);
    for (; i < end; ++i) {
      for (std::size_t l = all[i].a; l < all[i].a_end; ++l) print_line(out, all[i].equal ? ' ' : '-', a[l].text);
      if (!all[i].equal)
        for (std::size_t l = all[i].b; l < all[i].b_end; ++l) print_line(out, '+', b[l].text);
    }
    for (std::size_t l = last.a_end; l < last.a_end + tail; ++l) print_line(out, ' ', a[l].text);
  }
  return out;
}

}  // namespace gpol
