// The gpol.yaml of a run: found from its first PATH upwards to the root of the repository, nearest first, as `git` and
// `ruff` find theirs. In: the PATHs. Out: what it says. Flags beat it, it beats labels.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/config/config_file.h"
#include "cli/tree/file_tree.h"
#include "compiler/source/diagnostic.h"

namespace gpol {

inline constexpr const char* kConfigName = "gpol.yaml";

struct Config {
  std::string path;       // as it is printed; empty: there is none
  std::string directory;  // absolute
  std::string text;
  ConfigFile said;
  bool whole = false;  // a PATH is its directory: what it names must be there
  const FileTree* tree = &disk();

  bool is(const std::string& file) const;  // the configuration file itself
  bool excludes(const std::string& path) const;
  bool includes(const std::string& path) const;
};

// What is wrong with it is added to `out` (GP0604): nothing of it counts then.
Config find_config(std::span<const std::string> paths, std::vector<Diagnostic>& out, const FileTree& tree = disk());
// Where one would be written: the root of the repository of the first PATH; outside of one the PATH's directory.
std::string config_directory(std::span<const std::string> paths);

}  // namespace gpol
