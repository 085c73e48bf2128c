// The real gpol as a process of its own, under limits. In: a command line. Out: how it ended and what it cost and
// said. A run that hangs is killed and told as such.
#pragma once

#include <sys/resource.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace gpol::test {

struct Limits {
  double seconds = 120;       // of processor time: a stall, no benchmark; a busy machine takes three times as long
  double wall_seconds = 360;  // then it hangs
  long rss_mib = 1024;
};
// What any input may cost; where the program is instrumented or not optimised, more (and no memory figure).
Limits limits();

struct Command {
  std::vector<std::string> args;
  std::filesystem::path input = "/dev/null";  // standard input
  std::filesystem::path output = {};          // standard output, if it is not to be read
  bool as_nobody = false;                     // without root's rights, where the test has them
  rlim_t largest_file = RLIM_INFINITY;
};

struct Ended {
  int exit = -1;   // -1: by a signal
  int signal = 0;  // 0: by itself
  bool late = false;
  double seconds = 0;  // of processor time
  long rss_mib = 0;
  std::string said;  // both streams
};

// A directory for the whole run of the tests, with the program in it; open to every user.
class Workshop {
 public:
  Workshop();
  ~Workshop();
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;
  // A fresh, empty directory, open to every user.
  std::filesystem::path fresh();
  const std::filesystem::path& program() const { return program_; }
  Ended run(const Command& command);

 private:
  std::filesystem::path root_, program_;
  int count_ = 0;
};

// Every file below a directory with its bytes; empty where there is no directory.
using Tree = std::map<std::string, std::string>;
Tree tree(const std::filesystem::path& directory);

// A policy that is proven, and another one that is built differently.
std::string good_policy();
std::string other_policy();

}  // namespace gpol::test
