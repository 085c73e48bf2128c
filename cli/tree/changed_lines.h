// Which lines differ between two texts. Out: one entry for each run of them, in the order of the text after; empty,
// too, where libgit2, which finds them, is not there.
#pragma once

#include <string>
#include <vector>

namespace gpol {

struct ChangedLines {
  int line = 0;        // the first, of the text after; where lines are only gone, the one before them
  std::string within;  // the last line before them that begins with a letter: "tenant chat {"; empty: there is none
  std::vector<std::string> was, is;
};
std::vector<ChangedLines> changed_lines(const std::string& before, const std::string& after);

}  // namespace gpol
