#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "cli/commands/run.h"

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file over the user's limit is then an error like a full disk
  const bool colour = isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr;
  const std::vector<std::string> args(argv + 1, argv + argc);
  std::ios::sync_with_stdio(false);
  return gpol::run(args, {std::cin, std::cout, std::cerr, colour});
}
