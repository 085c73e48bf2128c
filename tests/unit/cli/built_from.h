// For the tests of `build --from`: a build into a directory of the test, from an earlier one there.
#pragma once

#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

namespace gpol::test {

inline std::string without(std::string text, const std::string& from, const std::string& to) {
  const auto begin = text.find(from);
  REQUIRE(begin != std::string::npos);
  const auto end = text.find(to, begin);
  REQUIRE(end != std::string::npos);
  return text.erase(begin, end + to.size() - begin);
}

inline std::string with(std::string text, const std::string& what, const std::string& instead) {
  const auto at = text.find(what);
  INFO(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), instead);
}

// Builds into `out` of the directory, from an earlier build in `from` unless it is empty.
inline Ran build(const Scratch& dir, const std::string& policy, const std::string& from = "out",
                 const std::vector<std::string>& more = {}) {
  write_text(dir / "p.gpol", policy);
  std::vector<std::string> args{"build", (dir / "p.gpol").string(), "-o", (dir / "out").string()};
  if (!from.empty()) args.insert(args.end(), {"--from", (dir / from).string()});
  args.insert(args.end(), more.begin(), more.end());
  return run_gpol(args);
}

inline bool says(const Ran& ran, const std::string& part) { return ran.out.find(part) != std::string::npos; }

}  // namespace gpol::test
