// Regular expressions in the syntax of RE2. In: a pattern. Out: its parts as a tree, or why it is not read.
#pragma once

#include <bitset>
#include <string_view>
#include <vector>

namespace gpol::manifest::kustomize {

// Thrown by parse_pattern alone, and caught by the one who calls it.
struct WrongPattern {};    // to RE2
struct UnknownPattern {};  // to us: RE2 may know it

// What is repeated is compiled once for each time.
struct PatternPart {
  enum class Is { Nothing, Set, Begin, End, Sequence, Choice, Repeat } is = Is::Nothing;
  std::bitset<256> set = {};
  std::vector<PatternPart> parts = {};
  int least = 0, most = -1;  // -1: any number
};
PatternPart parse_pattern(std::string_view text);

}  // namespace gpol::manifest::kustomize
