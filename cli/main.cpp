#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "cli/commands/run.h"

namespace {

// The wheel carries tzdata for machines without (packaging/wheel.sh). The machine's own, which is kept up to date, goes
// before it.
void find_time_zones() {
  namespace fs = std::filesystem;
  std::error_code failed;
  if (std::getenv("TZDIR") != nullptr || fs::exists("/usr/share/zoneinfo/UTC", failed)) return;
  const fs::path carried = fs::read_symlink("/proc/self/exe", failed).parent_path().parent_path() / "gpol/zoneinfo";
  if (!failed && fs::exists(carried / "UTC", failed)) setenv("TZDIR", carried.c_str(), 0);
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file over the user's limit is then an error like a full disk
  find_time_zones();
  const bool colour = isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr;
  const std::vector<std::string> args(argv + 1, argv + argc);
  std::ios::sync_with_stdio(false);
  return gpol::run(args, {std::cin, std::cout, std::cerr, colour, isatty(STDERR_FILENO) == 1});
}
