// A git repository as it is, read in this process through libgit2: nothing is checked out, no filter, hook or program
// is run. In: the working directory and what git's own variables say (GIT_DIR, GIT_INDEX_FILE, GIT_WORK_TREE, as a hook
// has them). Out: FileTrees of its commits and its index, whose paths are those of the work tree; of a bare repository,
// of the working directory. libgit2 is loaded when one is opened, and not before.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "cli/tree/file_tree.h"

namespace gpol {

struct GitError {
  std::string message, hint;
};

class GitRepository {
 public:
  template <class Value>
  using Result = std::variant<Value, GitError>;

  static Result<std::unique_ptr<GitRepository>> open();
  ~GitRepository();
  GitRepository(const GitRepository&) = delete;
  GitRepository& operator=(const GitRepository&) = delete;

  // The repository must outlive its trees. `HEAD` of a repository without a commit is the empty tree.
  Result<std::unique_ptr<FileTree>> commit(const std::string& revision) const;
  Result<std::unique_ptr<FileTree>> index() const;
  // The disk, less what git ignores and what stands in submodules: what could be committed. A directory that is ignored
  // itself is listed when it is asked for.
  // `submodules`: files of them that somebody names are read.
  Result<std::unique_ptr<FileTree>> work_tree(bool submodules) const;
  // The newest commit that both have, as its id.
  Result<std::string> merge_base(const std::string& a, const std::string& b) const;
  // What two sides have different, from the root; a side that is no revision is the index or the work tree. Empty, too,
  // where git cannot tell.
  enum class Side : std::uint8_t { Commit, Index, WorkTree };
  std::vector<std::string> changed(const std::string& from, Side side, const std::string& to = {}) const;
  // Messages of the commits that `to` has and `from` has not, newest first, at most 1,000; empty where either is none.
  std::vector<std::string> messages(const std::string& from, const std::string& to) const;

  const std::filesystem::path& root() const;  // where its files stand, or would stand
  bool bare() const;

 private:
  struct Inside;

  explicit GitRepository(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

}  // namespace gpol
