// A change and what is to be said of it: a file tests/diff/NAME.pair. Lines of it, in their order:
//   # what the change is
//   base NAME                 both sides begin as tests/diff/bases/NAME
//   before FILE: OLD => NEW   in both sides; `\n` is a line break; OLD must be there exactly once
//   edit FILE: OLD => NEW     in the side after alone, as all below
//   move FILE => FILE         reverse FILE (its documents)     list FILE (its documents as one List)
//   split FILE: TEXT => FILE  from TEXT on into a file that is imported
//   split-document FILE: TEXT => FILE  the documents with TEXT go into another file
//   exit N                    headline TEXT (its beginning; may be empty)
//   says TEXT                 in what is printed
//   exposed NAME FLAVOR RESOURCE UNITS   in the JSON; those not named are not there, where one is
// What is printed stands beside it in NAME.expected, rewritten with GPOL_UPDATE_GOLDEN=1.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gpol::test {

struct Pair {
  std::string title;
  int exit = 0;
  std::string headline;
  std::vector<std::string> says;
  struct Exposed {
    std::string name, flavor, resource;
    double units = 0;
    friend bool operator==(const Exposed&, const Exposed&) = default;
  };
  std::vector<Exposed> exposed;
};

// Writes both sides into `into`/before and `into`/after. Throws std::runtime_error for a line that means nothing.
Pair set_up(const std::filesystem::path& file, const std::filesystem::path& into);

}  // namespace gpol::test
