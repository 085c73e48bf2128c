// The functions of libgit2 that are called, found in its shared library at run time: with its fifteen libraries it
// would double the time in which gpol starts. Included by git*.cpp and changed_lines.cpp alone, as <git2.h> is.
#pragma once

#include <git2.h>

#include <string>

namespace gpol {

#define GPOL_LIBGIT2(USE)                  \
  USE(git_libgit2_init)                    \
  USE(git_libgit2_opts)                    \
  USE(git_error_last)                      \
  USE(git_repository_open_ext)             \
  USE(git_repository_free)                 \
  USE(git_repository_workdir)              \
  USE(git_repository_is_bare)              \
  USE(git_repository_is_shallow)           \
  USE(git_repository_head_unborn)          \
  USE(git_repository_index)                \
  USE(git_index_entrycount)                \
  USE(git_index_get_byindex)               \
  USE(git_index_free)                      \
  USE(git_revparse_single)                 \
  USE(git_object_peel)                     \
  USE(git_object_id)                       \
  USE(git_object_free)                     \
  USE(git_tree_walk)                       \
  USE(git_tree_entry_name)                 \
  USE(git_tree_entry_filemode)             \
  USE(git_tree_entry_id)                   \
  USE(git_blob_lookup)                     \
  USE(git_blob_rawsize)                    \
  USE(git_blob_rawcontent)                 \
  USE(git_blob_free)                       \
  USE(git_ignore_path_is_ignored)          \
  USE(git_diff_options_init)               \
  USE(git_diff_tree_to_tree)               \
  USE(git_diff_tree_to_index)              \
  USE(git_diff_tree_to_workdir_with_index) \
  USE(git_diff_num_deltas)                 \
  USE(git_diff_get_delta)                  \
  USE(git_diff_free)                       \
  USE(git_diff_buffers)                    \
  USE(git_merge_base)                      \
  USE(git_oid_tostr)                       \
  USE(git_revwalk_new)                     \
  USE(git_revwalk_push)                    \
  USE(git_revwalk_hide)                    \
  USE(git_revwalk_next)                    \
  USE(git_revwalk_free)                    \
  USE(git_commit_lookup)                   \
  USE(git_commit_message)                  \
  USE(git_commit_free)

struct LibGit2 {
#define GPOL_DECLARE(name) decltype(&::name) name = nullptr;
  GPOL_LIBGIT2(GPOL_DECLARE)
#undef GPOL_DECLARE
};

// Null: it is not there, or lacks a function; `why` says what the loader says.
const LibGit2* libgit2(std::string& why);

}  // namespace gpol
