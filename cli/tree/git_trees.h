// What git stores as FileTrees: a commit or the index, and the work tree without what git ignores. For git.cpp alone.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "cli/tree/file_tree.h"
#include "cli/tree/libgit2.h"

namespace gpol::stored {

// Whatever libgit2 gives out is freed where it goes out of scope.
template <class T>
using Owned = std::unique_ptr<T, void (*)(T*)>;

template <class T, class Free>
Owned<T> owned(T* value, Free free) {
  return Owned<T>(value, free);
}

struct Node {
  std::uint32_t mode = 0;
  git_oid id = {};
};
using Nodes = std::map<std::string, Node>;  // files, links and submodules by their path from the root

std::unique_ptr<FileTree> stored_tree(const LibGit2& git, git_repository* repository, std::filesystem::path root,
                                      Nodes nodes);
std::unique_ptr<FileTree> work_tree(const LibGit2& git, git_repository* repository, std::filesystem::path root,
                                    Nodes tracked, bool submodules);

}  // namespace gpol::stored
