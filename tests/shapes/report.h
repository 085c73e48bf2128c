// One run of gpol on a folder. In: what is expected of it. Out: what it answered, and each difference in words.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/shapes/expect.h"

namespace gpol::test {

struct Answered {
  std::string verdict;  // empty: no document came
  double seconds = 0;   // of processor time
  std::vector<std::string> differences;
};

Answered answer(const std::filesystem::path& folder, const ExpectedRun& expected);

}  // namespace gpol::test
