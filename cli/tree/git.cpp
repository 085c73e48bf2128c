#include "cli/tree/git.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/tree/git_trees.h"

namespace gpol {

namespace fs = std::filesystem;
using namespace stored;

namespace {

constexpr std::size_t kMostFiles = 2'000'000;

}  // namespace

struct GitRepository::Inside {
  const LibGit2& git;
  Owned<git_repository> repository;
  fs::path root;

  std::string said() const {
    const git_error* error = git.git_error_last();
    return error != nullptr && error->message != nullptr ? error->message : "unknown";
  }

  Owned<git_object> find(const std::string& revision, git_object_t type) const {
    git_object *found = nullptr, *peeled = nullptr;
    if (git.git_revparse_single(&found, repository.get(), revision.c_str()) == 0) {
      const auto object = owned(found, git.git_object_free);
      if (git.git_object_peel(&peeled, found, type) != 0) peeled = nullptr;
    }
    return owned(peeled, git.git_object_free);
  }

  GitError no_such(const std::string& revision) const {
    const bool shallow = git.git_repository_is_shallow(repository.get()) == 1;
    return {fmt::format("there is no revision `{}` in the repository of `{}`", revision, root.string()),
            shallow ? "the clone is shallow: `git fetch --unshallow` brings all of it"
                    : "`git log --oneline --all` shows which there are"};
  }

  // `merged`: a file of which there are several versions is an error.
  std::variant<Nodes, GitError> index_nodes(bool merged) const {
    git_index* found = nullptr;
    if (git.git_repository_index(&found, repository.get()) != 0)
      return GitError{fmt::format("the index cannot be read: {}", said()), "`git status` tells more"};
    const auto index = owned(found, git.git_index_free);
    Nodes nodes;
    const std::size_t count = std::min(git.git_index_entrycount(found), kMostFiles);
    for (std::size_t i = 0; i < count; ++i) {
      const git_index_entry* entry = git.git_index_get_byindex(found, i);
      const int stage = (entry->flags & GIT_INDEX_ENTRY_STAGEMASK) >> GIT_INDEX_ENTRY_STAGESHIFT;
      if (stage != 0 && merged)
        return GitError{fmt::format("`{}` is not merged yet: the index has several versions of it", entry->path),
                        "resolve the conflict, and `git add` it"};
      // Nothing of a file that is only intended to be added is staged.
      if (merged && (entry->flags_extended & GIT_INDEX_ENTRY_INTENT_TO_ADD) != 0) continue;
      nodes.emplace_hint(nodes.end(), entry->path, Node{entry->mode, entry->id});
    }
    return nodes;
  }

  // A policy or manifest that git leaves out of the work tree on purpose; empty: there is none.
  std::string not_checked_out() const {
    git_index* found = nullptr;
    if (git.git_repository_index(&found, repository.get()) != 0) return {};
    const auto index = owned(found, git.git_index_free);
    for (std::size_t i = 0; i < git.git_index_entrycount(found); ++i) {
      const git_index_entry* entry = git.git_index_get_byindex(found, i);
      const std::string end = fs::path(entry->path).extension().string();
      const bool read = end == ".gpol" || end == ".yaml" || end == ".yml" || end == ".json";
      if (read && (entry->flags_extended & GIT_INDEX_ENTRY_SKIP_WORKTREE) != 0 && !disk().exists(root / entry->path))
        return entry->path;
    }
    return {};
  }

  std::unique_ptr<FileTree> tree(Nodes nodes) const {
    return stored_tree(git, repository.get(), root, std::move(nodes));
  }
};

GitRepository::GitRepository(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
GitRepository::~GitRepository() = default;

GitRepository::Result<std::unique_ptr<GitRepository>> GitRepository::open() {
  std::string why;
  const LibGit2* git = libgit2(why);
  if (git == nullptr)
    return GitError{fmt::format("libgit2, which reads revisions, cannot be loaded: {}", why),
                    "install it (on Debian `apt-get install libgit2-dev`), or compare two directories"};
  git_repository* found = nullptr;
  std::error_code error;
  const fs::path here = fs::canonical(fs::current_path(error), error);
  if (git->git_repository_open_ext(&found, nullptr, GIT_REPOSITORY_OPEN_FROM_ENV, nullptr) != 0) {
    const git_error* said = git->git_error_last();
    return GitError{fmt::format("`{}` is in no git repository{}", here.string(),
                                said != nullptr && said->klass != GIT_ERROR_REPOSITORY && said->message != nullptr
                                    ? fmt::format(": {}", said->message)
                                    : ""),
                    "a revision is one of a git repository; two paths are compared without one"};
  }
  auto inside = std::make_unique<Inside>(Inside{*git, owned(found, git->git_repository_free), here});
  if (const char* directory = git->git_repository_workdir(found)) {
    inside->root = fs::canonical(directory, error);
    if (error) return GitError{fmt::format("the work tree `{}` cannot be read: {}", directory, error.message()), ""};
  }
  return std::unique_ptr<GitRepository>(new GitRepository(std::move(inside)));
}

GitRepository::Result<std::unique_ptr<FileTree>> GitRepository::commit(const std::string& revision) const {
  const LibGit2& git = inside_->git;
  const auto object = inside_->find(revision, GIT_OBJECT_TREE);
  if (object == nullptr) {
    if (revision == "HEAD" && git.git_repository_head_unborn(inside_->repository.get()) == 1) return inside_->tree({});
    return inside_->no_such(revision);
  }
  struct Walk {
    const LibGit2& git;
    Nodes nodes;
  } walk{git, {}};
  const auto take = [](const char* directory, const git_tree_entry* entry, void* payload) {
    Walk& into = *static_cast<Walk*>(payload);
    const git_filemode_t mode = into.git.git_tree_entry_filemode(entry);
    if (mode == GIT_FILEMODE_TREE) return 0;
    into.nodes.emplace_hint(into.nodes.end(), std::string(directory) + into.git.git_tree_entry_name(entry),
                            Node{static_cast<std::uint32_t>(mode), *into.git.git_tree_entry_id(entry)});
    return into.nodes.size() > kMostFiles ? -1 : 0;
  };
  if (git.git_tree_walk(reinterpret_cast<const git_tree*>(object.get()), GIT_TREEWALK_PRE, take, &walk) != 0)
    return GitError{fmt::format("`{}` cannot be read: {}", revision,
                                walk.nodes.size() > kMostFiles ? "it has more than 2,000,000 files" : inside_->said()),
                    "`git fsck` tells whether the repository is whole"};
  return inside_->tree(std::move(walk.nodes));
}

GitRepository::Result<std::unique_ptr<FileTree>> GitRepository::index() const {
  auto staged = inside_->index_nodes(true);
  if (auto* nodes = std::get_if<Nodes>(&staged)) return inside_->tree(std::move(*nodes));
  return std::get<GitError>(staged);
}

GitRepository::Result<std::string> GitRepository::merge_base(const std::string& a, const std::string& b) const {
  const LibGit2& git = inside_->git;
  const auto first = inside_->find(a, GIT_OBJECT_COMMIT), second = inside_->find(b, GIT_OBJECT_COMMIT);
  if (first == nullptr) return inside_->no_such(a);
  if (second == nullptr) return inside_->no_such(b);
  git_oid base = {};
  if (git.git_merge_base(&base, inside_->repository.get(), git.git_object_id(first.get()),
                         git.git_object_id(second.get())) != 0)
    return GitError{fmt::format("`{}` and `{}` have no commit in common", a, b),
                    git.git_repository_is_shallow(inside_->repository.get()) == 1
                        ? "the clone is shallow: `git fetch --unshallow` brings all of it"
                        : fmt::format("`{}..{}` compares them as they are", a, b)};
  char text[GIT_OID_HEXSZ + 1];
  return std::string(git.git_oid_tostr(text, sizeof text, &base));
}

std::vector<std::string> GitRepository::changed(const std::string& from, Side side, const std::string& to) const {
  const LibGit2& git = inside_->git;
  const auto tree_of = [&](const std::string& revision) { return inside_->find(revision, GIT_OBJECT_TREE); };
  const auto first = tree_of(from), last = tree_of(side == Side::Commit ? to : from);
  const auto as_tree = [](const auto& object) { return reinterpret_cast<git_tree*>(object.get()); };
  git_diff_options options;
  git.git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
  options.flags = GIT_DIFF_INCLUDE_UNTRACKED | GIT_DIFF_RECURSE_UNTRACKED_DIRS | GIT_DIFF_IGNORE_SUBMODULES;
  git_diff* found = nullptr;
  git_repository* const repository = inside_->repository.get();
  const int failed =
      side == Side::Commit  ? git.git_diff_tree_to_tree(&found, repository, as_tree(first), as_tree(last), &options)
      : side == Side::Index ? git.git_diff_tree_to_index(&found, repository, as_tree(first), nullptr, &options)
                            : git.git_diff_tree_to_workdir_with_index(&found, repository, as_tree(first), &options);
  std::vector<std::string> paths;
  if (failed != 0) return paths;
  const auto diff = owned(found, git.git_diff_free);
  for (std::size_t i = 0; i < git.git_diff_num_deltas(found); ++i)
    paths.emplace_back(git.git_diff_get_delta(found, i)->new_file.path);
  return paths;
}

std::vector<std::string> GitRepository::messages(const std::string& from, const std::string& to) const {
  constexpr std::size_t kMost = 1000;
  const LibGit2& git = inside_->git;
  std::vector<std::string> texts;
  const auto first = inside_->find(from, GIT_OBJECT_COMMIT), last = inside_->find(to, GIT_OBJECT_COMMIT);
  git_revwalk* found = nullptr;
  if (last == nullptr || git.git_revwalk_new(&found, inside_->repository.get()) != 0) return texts;
  const auto walk = owned(found, git.git_revwalk_free);
  if (git.git_revwalk_push(found, git.git_object_id(last.get())) != 0) return texts;
  if (first != nullptr && git.git_revwalk_hide(found, git.git_object_id(first.get())) != 0) return texts;
  git_oid id = {};
  while (texts.size() < kMost && git.git_revwalk_next(&id, found) == 0) {
    git_commit* commit = nullptr;
    if (git.git_commit_lookup(&commit, inside_->repository.get(), &id) != 0) continue;
    const auto kept = owned(commit, git.git_commit_free);
    if (const char* text = git.git_commit_message(commit)) texts.emplace_back(text);
  }
  return texts;
}

const fs::path& GitRepository::root() const { return inside_->root; }

bool GitRepository::bare() const { return inside_->git.git_repository_is_bare(inside_->repository.get()) == 1; }

GitRepository::Result<std::unique_ptr<FileTree>> GitRepository::work_tree(bool submodules) const {
  auto tracked = inside_->index_nodes(false);
  if (const std::string missing = inside_->not_checked_out(); !missing.empty())
    return GitError{fmt::format("the checkout is sparse: `{}` is tracked, and not on the disk", missing),
                    "compare with what is staged (`--staged`), or two commits"};
  if (auto* nodes = std::get_if<Nodes>(&tracked))
    return stored::work_tree(inside_->git, inside_->repository.get(), inside_->root, std::move(*nodes), submodules);
  return std::get<GitError>(tracked);
}

}  // namespace gpol
