// gpol, stopped at a chosen step of what it does to files. In: a command line, the number of the step and a signal.
// Out: how it ended. Steps are the system calls that create, write, rename or remove something, counted from 1 in the
// order in which the program makes them, so the same number is the same place in every run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gpol::test {

struct Traced {
  bool possible = false;  // false: this system lets nobody be traced
  int exit = -1, signal = 0;
  std::vector<long> steps;  // the system calls that were counted
};

// The signal is sent right before step `at`; with 0 none is sent.
Traced run_traced(const std::filesystem::path& program, const std::vector<std::string>& args, std::size_t at,
                  int signal);

// Which of the steps put one directory in another's place.
std::vector<std::size_t> renames(const Traced& traced);

}  // namespace gpol::test
