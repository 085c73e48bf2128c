// What the two sides of `gpol diff` are read from. In: the words after the command, the disk, the repository of the
// working directory. Out: for each side a FileTree and PATHs in it, or a usage error (exit 2): no such revision, a path
// that neither side has.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "cli/commands/options.h"
#include "cli/tree/git.h"

namespace gpol {

// A side as it is read.
struct DiffSource {
  std::string name;                // "HEAD~1", "the index", "old/"
  const FileTree* tree = nullptr;  // never null
  std::vector<std::string> paths;  // empty: this side has none of them
  std::string root = ".";          // all that could be read: the work tree, or the PATH itself
  bool stored = false;             // a commit or the index: a directory that is empty is a submodule there
  std::string revision = {};       // empty: it is no commit

  std::string below(const std::string& path) const;  // of a path on this side: as it is called on both
  std::vector<std::string> policy_paths() const;     // those of `paths` in which policies are looked for
};

struct DiffSources {
  std::unique_ptr<GitRepository> repository;  // null: two paths; before its trees, which it must outlive
  std::vector<std::unique_ptr<FileTree>> trees;
  DiffSource before, after;
};

bool is_policy(const std::string& path);  // by its name

std::variant<DiffSources, UsageError> find_sources(const DiffOptions& options);

// Policies that are the same text with the same imports on both sides, below the same gpol.yaml: the path of the side
// after, and that of the side before.
std::map<std::string, std::string> same_policies(const DiffSources& sources);

// How many changed files stand outside of the PATHs, a gpol.yaml above them apart, which counts for them.
std::size_t changed_outside(const DiffSources& sources, const DiffOptions& options);

}  // namespace gpol
