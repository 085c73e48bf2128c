// The examples of documents: their ```gpol blocks, with `{{cluster}}` replaced by docs/explain/preamble.gpol.
// In: the text of a page. Out: its blocks in order, each with the paragraph before it.
#pragma once

#include <string>
#include <vector>

#include "tests/support/run_gpol.h"

namespace gpol::test {

struct PageExample {
  std::string before;  // the paragraph that ends where the block begins, on one line
  std::string policy;
};

inline std::vector<PageExample> examples_on(const std::string& page) {
  const std::string preamble = read_text(GPOL_ROOT "/docs/explain/preamble.gpol");
  const std::string open = "```gpol\n", marker = "{{cluster}}\n";
  std::vector<PageExample> found;
  for (auto at = page.find(open); at != std::string::npos; at = page.find(open, at)) {
    PageExample& example = found.emplace_back();
    const auto end = page.find_last_not_of('\n', at - 1);
    const auto begin = page.rfind("\n\n", end) + 2;
    for (const char c : page.substr(begin, end + 1 - begin)) example.before += c == '\n' ? ' ' : c;
    at += open.size();
    example.policy = page.substr(at, page.find("```", at) - at);
    if (const auto mark = example.policy.find(marker); mark != std::string::npos)
      example.policy.replace(mark, marker.size(), preamble);
  }
  return found;
}

}  // namespace gpol::test
