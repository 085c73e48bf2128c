// One golden test: a policy, what gpol says of it (beside it, `.expected`) and what `build` writes (`.out/`).
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gpol::test {

struct Golden {
  std::filesystem::path policy;    // relative to the root of the repository
  std::filesystem::path expected;  // beside it
  std::filesystem::path written;   // directory with what `build` writes; need not exist
  std::vector<std::string> args;  // `{}`: the policy, `{stem}`: its path without .gpol, `{out}`: the directory to write
  bool reads_stdin = false;       // the policy is standard input
};

// tests/golden/<topic>/<name>.gpol, sorted. The default command is the topic where it is one (`fmt` has the policy as
// standard input), else check; the first line `# args: ...` overrides it. An unknown directive throws.
std::vector<Golden> goldens(const std::filesystem::path& root);
// examples/<name>/*.gpol: `check` of each.
std::vector<Golden> examples(const std::filesystem::path& root);

struct Outcome {
  int code = 0;
  std::string text;                                        // both streams and the exit code, paths normalised
  std::vector<std::pair<std::string, std::string>> files;  // what was written, sorted
};
Outcome play(const Golden& golden, const std::filesystem::path& scratch);

// The code annotations of a policy: `#~ GP0201 GP0203` at the end of a line.
using Findings = std::set<std::pair<int, std::string>>;
Findings annotations(const std::string& policy);
// What a JSON report finds in this file: diagnostics, and required obligations that are not proven.
Findings findings(const std::string& json_report, const std::string& file);

std::vector<std::pair<std::string, std::string>> files_below(const std::filesystem::path& directory);

// The first line in which two texts differ, for people; empty when equal.
std::string difference(const std::string& expected, const std::string& found);

}  // namespace gpol::test
