// The table of bad inputs: one entry each. `hostile.cpp` plays every entry with `gpol check` and with
// `gpol build` (large ones with `gpol build` alone), manifests with `gpol verify`.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace gpol::test {

struct Case {
  const char* name;
  std::function<void(const std::filesystem::path&)> make;  // puts the input into a fresh directory
  std::string path;                                        // relative to the directory; may be `.` or absolute
  int exit;
  std::string phrase;  // of the report
};

std::vector<Case> cases_of_text();       // what a policy says
std::vector<Case> cases_of_size();       // how much of it there is
std::vector<Case> cases_of_unproven();   // thousands of tenants, and the same wrong with each
std::vector<Case> cases_of_files();      // what stands where a policy should
std::vector<Case> cases_of_manifests();  // what `verify` is given

}  // namespace gpol::test
