// What is expected of `gpol verify` on a folder, written by hand before it was run. In: the text of
// tests/shapes/NAME/expect (README.md beside it says how it is written). Out: the runs, each with its arguments and
// what must come of it.
#pragma once

#include <string>
#include <vector>

namespace gpol::test {

struct ExpectedClaim {
  std::string queue, flavor, resource;
  double claimable = 0, reserve = 0;  // in base units
};

struct ExpectedBundle {
  std::string path;     // empty: the whole run
  std::string verdict;  // empty: not looked at
  std::vector<ExpectedClaim> claims;
};

struct ExpectedRun {
  std::vector<std::string> args;  // after `gpol`
  std::string verdict;
  int exit = 0;
  std::vector<ExpectedBundle> bundles;
  std::vector<std::string> refuted;  // families of which a required obligation is refuted
  std::vector<std::string> assumes;  // texts, each inside an assumption
  std::vector<std::string> words;    // texts, each inside the JSON document or the first screen
  std::vector<std::string> lacking;  // texts that are nowhere in it
  std::string known;                 // why today's answer is another one; empty: it is not
  std::string known_verdict;         // and which one
};

struct Expected {
  std::string shape;  // in one line
  bool rare = false;  // a trap that few fall into: not counted among the shapes that must answer
  std::vector<ExpectedRun> runs;
};

// Throws with the line where the text is not as README.md has it.
Expected read_expected(const std::string& text);

}  // namespace gpol::test
