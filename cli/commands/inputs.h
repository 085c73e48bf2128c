// Files and directories to texts. In: paths as given. Out: each policy's path and bytes, in a stable order, and GP0501,
// GP0502 or GP0104 for what cannot be read. Only regular files are read, none over 64 MiB, nor
// more than that together, nor below 64 directories. Below a directory, hidden
// entries and links to directories are left out, and a link to a file must stay inside the directory: a policy that
// somebody else wrote cannot make gpol read anything else.
#pragma once

#include <functional>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/tree/file_tree.h"
#include "compiler/source/diagnostic.h"

namespace gpol {

struct PolicyText {
  std::string path;  // as it is printed; `-` for standard input
  std::string text;
};

// A regular file of at most 64 MiB; nothing where it is none, and why. `shown`: how it is called there; empty: `path`.
std::optional<std::string> read_policy_file(const std::string& path, std::vector<Diagnostic>& out,
                                            const FileTree& tree = disk(), const std::string& shown = {});
std::optional<std::string> read_manifest_file(const std::string& path, std::vector<Diagnostic>& out,
                                              const FileTree& tree = disk());
// A file that a kustomization names and nobody gave: one in or below a repository of a PATH, or the directory of the
// run.
std::optional<std::string> read_beside(std::span<const std::string> paths, const std::string& path,
                                       const FileTree& tree = disk());
// Such a file or directory is there, and may not be read.
bool is_outside(std::span<const std::string> paths, const std::string& path, const FileTree& tree = disk());
// `excluded` (may be empty): what below a directory is passed over, files and directories.
using PassOver = std::function<bool(const std::string& path)>;
// .yaml, .yml, .json, and templates of them.
Outcome<std::vector<PolicyText>> read_manifests(std::span<const std::string> paths, std::istream& standard_input,
                                                const PassOver& excluded = {}, const FileTree& tree = disk());
Outcome<std::vector<PolicyText>> read_policies(std::span<const std::string> paths, std::istream& standard_input,
                                               const PassOver& excluded = {}, const FileTree& tree = disk());

}  // namespace gpol
