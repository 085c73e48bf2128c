// One golden test: a policy, what gpol says of it (beside it, `.expected`) and what `build` writes (`.out/`). Without
// the table of premises and how many are trusted, which are the same of most policies: where they are what a golden is
// about, the table stands in a file of its own (`.premises`). Reports of examples are kept in full.
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
  std::filesystem::path premises;  // beside it; need not exist
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

// What `check --format json` prints of a policy of the repository, told relative to its root. Asked once in this
// process.
const std::string& json_report(const std::filesystem::path& policy);

// The code annotations of a policy: `#~ GP0201 GP0203` at the end of a line.
using Findings = std::set<std::pair<int, std::string>>;
Findings annotations(const std::string& policy);
// What a JSON report finds in this file: diagnostics, and required obligations that are not proven.
Findings findings(const std::string& json_report, const std::string& file);

using Files = std::vector<std::pair<std::string, std::string>>;  // names, texts
Files files_below(const std::filesystem::path& directory);

// A report for people, its table of premises apart.
struct Parted {
  std::string text;      // without the table, nor how many are trusted
  std::string premises;  // the table; may be empty
};
Parted parted(const std::string& report);

// The revisions that manifests speak of.
std::set<std::string> revisions(const Files& files);

// What `build` wrote against what is committed of it: `.gpol-owned`, the hash of each file, and in full those files
// that are read. Of an example these are all but its guards, of a golden those that it is about: an empty one is
// filled.
struct Written {
  std::filesystem::path directory;
  bool of_example = false;
  bool in_full(const std::string& name) const;
  int update(const Files& found) const;              // how many files were another one
  std::string difference(const Files& found) const;  // of each file that differs a few lines; empty when equal
};

// The first line in which two texts differ, for people; empty when equal.
std::string difference(const std::string& expected, const std::string& found);

// The first word about how a proof is done, which no report says; empty where there is none.
std::string speaks_of_the_proof(const std::string& report);

// Where a line and a column, in code points, are in the text. A byte order mark is no column.
std::size_t offset_of(const std::string& text, std::size_t line, std::size_t column);

// GPOL_UPDATE_GOLDEN=1: what differs is rewritten.
bool updating();
// 1 where the file had another text.
int update_file(const std::filesystem::path& path, const std::string& text);

// The root of the repository is the current directory while it lives.
struct Root {
  std::filesystem::path before = std::filesystem::current_path();
  Root() { std::filesystem::current_path(GPOL_ROOT); }
  ~Root() { std::filesystem::current_path(before); }
  Root(const Root&) = delete;
  Root& operator=(const Root&) = delete;
};

}  // namespace gpol::test
