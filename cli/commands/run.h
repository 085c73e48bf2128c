// The whole command line as one function, so that tests call it in their own process. In: the arguments after the
// program's name and the world (streams, whether colour may be used). Out: the exit code of README.md, Commands:
// 0 proven, 1 refuted or an error in the input, 2 could not run, 3 undecided, 4 internal error.
#pragma once

#include <iosfwd>
#include <span>
#include <string>

namespace gpol {

struct World {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  bool colour = false;
  bool terminal = false;  // err is one: long work may show itself there
};

int run(std::span<const std::string> args, const World& world);

}  // namespace gpol
