#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "cli/commands/run.h"

int main(int argc, char** argv) {
  const bool colour = isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr;
  const std::vector<std::string> args(argv + 1, argv + argc);
  std::ios::sync_with_stdio(false);
  return gpol::run(args, {std::cin, std::cout, std::cerr, colour});
}
