#include "cli/tree/git_trees.h"

#include <algorithm>
#include <mutex>
#include <set>

namespace gpol::stored {

namespace fs = std::filesystem;

namespace {

constexpr int kMostLinks = 40;  // as Linux follows

std::error_code error_of(std::errc why) { return std::make_error_code(why); }

std::string in_submodule(const fs::path& path, const fs::path& root, const Nodes& nodes) {
  std::error_code error;
  fs::path at = fs::absolute(path, error).lexically_normal().lexically_relative(root);
  for (; !at.empty(); at = at.parent_path())
    if (const auto node = nodes.find(at.generic_string());
        node != nodes.end() && node->second.mode == GIT_FILEMODE_COMMIT)
      return {std::begin(node->second.id.id), std::end(node->second.id.id)};
  return {};
}

class StoredTree : public FileTree {
 public:
  StoredTree(const LibGit2& git, git_repository* repository, fs::path root, Nodes nodes)
      : git_(git), repository_(repository), root_(std::move(root)), nodes_(std::move(nodes)) {
    directories_.insert("");
    for (const auto& [path, node] : nodes_) {
      std::size_t end = path.size();
      if (node.mode == GIT_FILEMODE_COMMIT) directories_.insert(path);  // a submodule, of which nothing is stored
      while ((end = path.rfind('/', end - 1)) != std::string::npos)
        if (!directories_.insert(path.substr(0, end)).second || end == 0) break;
    }
  }

  Type type(const fs::path& path, std::error_code& error) const override {
    const auto real = resolve(path, error);
    return error ? Type::Absent : directories_.contains(*real) ? Type::Directory : Type::File;
  }

  fs::path canonical(const fs::path& path, std::error_code& error) const override {
    const auto real = resolve(path, error);
    return error ? fs::path() : real->empty() ? root_ : root_ / *real;
  }

  std::vector<Entry> entries(const fs::path& directory, std::error_code& error) const override {
    std::vector<Entry> found;
    const auto real = resolve(directory, error);
    if (!error && !directories_.contains(*real)) error = error_of(std::errc::not_a_directory);
    if (error) return found;
    const std::string below = real->empty() ? "" : *real + "/";
    for (auto at = nodes_.lower_bound(below); at != nodes_.end() && at->first.starts_with(below); ++at) {
      const std::size_t end = at->first.find('/', below.size());
      const std::string name = at->first.substr(below.size(), end - below.size());
      if (name.empty() || (!found.empty() && found.back().name == name)) continue;
      found.push_back({name, end != std::string::npos || at->second.mode == GIT_FILEMODE_COMMIT ? Type::Directory
                             : at->second.mode == GIT_FILEMODE_LINK                             ? Type::Link
                                                                                                : Type::File});
    }
    std::ranges::sort(found, {}, &Entry::name);
    found.erase(
        std::unique(found.begin(), found.end(), [](const Entry& a, const Entry& b) { return a.name == b.name; }),
        found.end());
    return found;
  }

  std::optional<std::string> read(const fs::path& path, std::size_t most, std::error_code& error) const override {
    const auto real = resolve(path, error);
    if (error) return std::nullopt;
    if (directories_.contains(*real)) {
      error = error_of(std::errc::is_a_directory);
      return std::nullopt;
    }
    return content(nodes_.at(*real), most, error);
  }

  bool is_repository(const fs::path& directory) const override { return directory == root_; }
  std::string elsewhere(const fs::path& path) const override { return in_submodule(path, root_, nodes_); }

 private:
  // From the root, without links: "" is the root itself.
  std::optional<std::string> resolve(const fs::path& path, std::error_code& error) const {
    error.clear();
    const auto fail = [&](std::errc why) {
      error = error_of(why);
      return std::nullopt;
    };
    fs::path rest = fs::absolute(path, error);
    if (error) return std::nullopt;
    // What leads to the root may be a link itself.
    rest = rest.lexically_normal().lexically_relative(root_);
    if (rest.empty() || *rest.begin() == "..") {
      std::error_code ignored;
      rest = fs::weakly_canonical(path, ignored).lexically_relative(root_);
      if (rest.empty() || *rest.begin() == "..") return fail(std::errc::no_such_file_or_directory);
    }
    std::string at;
    int links = 0;
    std::vector<fs::path> parts(rest.begin(), rest.end());
    std::ranges::reverse(parts);  // the next one is the last
    while (!parts.empty()) {
      const std::string part = parts.back().string();
      parts.pop_back();
      if (part.empty() || part == ".") continue;
      if (part == "..") {
        if (at.empty()) return fail(std::errc::no_such_file_or_directory);  // it leads out of the repository
        const std::size_t end = at.rfind('/');
        at.resize(end == std::string::npos ? 0 : end);
        continue;
      }
      const std::string next = at.empty() ? part : at + "/" + part;
      if (directories_.contains(next)) {
        at = next;
        continue;
      }
      const auto node = nodes_.find(next);
      if (node == nodes_.end()) return fail(std::errc::no_such_file_or_directory);
      if (node->second.mode != GIT_FILEMODE_LINK) {
        if (std::ranges::any_of(parts, [](const fs::path& more) { return !more.empty(); }))
          return fail(std::errc::not_a_directory);
        return next;
      }
      if (++links > kMostLinks) return fail(std::errc::too_many_symbolic_link_levels);
      const auto target = content(node->second, 4096, error);
      if (!target) return std::nullopt;
      if (target->starts_with('/')) return fail(std::errc::no_such_file_or_directory);
      const fs::path leads(*target);
      std::vector<fs::path> inner(leads.begin(), leads.end());
      parts.insert(parts.end(), inner.rbegin(), inner.rend());
    }
    return at;
  }

  std::optional<std::string> content(const Node& node, std::size_t most, std::error_code& error) const {
    const std::lock_guard lock(reading_);  // libgit2's objects are for one thread at a time
    git_blob* found = nullptr;
    if (git_.git_blob_lookup(&found, repository_, &node.id) != 0) {
      error = error_of(std::errc::io_error);  // of a partial clone, or broken
      return std::nullopt;
    }
    const auto blob = owned(found, git_.git_blob_free);
    const auto size = static_cast<std::size_t>(git_.git_blob_rawsize(found));
    if (size > most) {
      error = error_of(std::errc::file_too_large);
      return std::nullopt;
    }
    return std::string(static_cast<const char*>(git_.git_blob_rawcontent(found)), size);
  }

  const LibGit2& git_;
  git_repository* repository_;
  fs::path root_;
  Nodes nodes_;
  std::set<std::string> directories_;
  mutable std::mutex reading_;
};

// The disk, of which some is not listed.
class WorkTree : public FileTree {
 public:
  WorkTree(const LibGit2& git, git_repository* repository, fs::path root, Nodes tracked, bool submodules)
      : git_(git),
        repository_(repository),
        root_(std::move(root)),
        tracked_(std::move(tracked)),
        submodules_(submodules) {}

  Type type(const fs::path& path, std::error_code& error) const override { return disk().type(path, error); }
  fs::path canonical(const fs::path& path, std::error_code& error) const override {
    return disk().canonical(path, error);
  }
  std::optional<std::string> read(const fs::path& path, std::size_t most, std::error_code& error) const override {
    return disk().read(path, most, error);
  }
  bool is_repository(const fs::path& directory) const override { return disk().is_repository(directory); }

  std::vector<Entry> entries(const fs::path& directory, std::error_code& error) const override {
    std::vector<Entry> found = disk().entries(directory, error);
    std::error_code unknown;
    const fs::path below = fs::weakly_canonical(directory, unknown).lexically_relative(root_);
    if (below.empty() || *below.begin() == ".." || (below != "." && passes_over(below.generic_string()))) return found;
    std::erase_if(found, [&](const Entry& entry) {
      const bool not_listed = passes_over((below / entry.name).lexically_normal().generic_string());
      if (not_listed && entry.name != ".git") passed_over_.insert(directory / entry.name);
      return not_listed;
    });
    return found;
  }
  std::string elsewhere(const fs::path& path) const override {
    return submodules_ ? std::string() : in_submodule(path, root_, tracked_);
  }
  std::vector<fs::path> passed_over() const override { return {passed_over_.begin(), passed_over_.end()}; }

 private:
  bool passes_over(const std::string& path) const { return is_submodule(path) || (ignored(path) && !is_tracked(path)); }
  bool is_submodule(const std::string& path) const {
    const auto node = tracked_.find(path);
    return node != tracked_.end() && node->second.mode == GIT_FILEMODE_COMMIT;
  }
  bool is_tracked(const std::string& path) const {
    if (const auto at = tracked_.lower_bound(path); at != tracked_.end() && at->first == path) return true;
    const auto inside = tracked_.lower_bound(path + "/");
    return inside != tracked_.end() && inside->first.starts_with(path + "/");
  }
  bool ignored(const std::string& path) const {
    int ignored = 0;
    return git_.git_ignore_path_is_ignored(&ignored, repository_, path.c_str()) == 0 && ignored == 1;
  }

  const LibGit2& git_;
  git_repository* repository_;
  fs::path root_;
  Nodes tracked_;
  bool submodules_;
  mutable std::set<fs::path> passed_over_;
};

}  // namespace

std::unique_ptr<FileTree> stored_tree(const LibGit2& git, git_repository* repository, fs::path root, Nodes nodes) {
  return std::make_unique<StoredTree>(git, repository, std::move(root), std::move(nodes));
}

std::unique_ptr<FileTree> work_tree(const LibGit2& git, git_repository* repository, fs::path root, Nodes tracked,
                                    bool submodules) {
  return std::make_unique<WorkTree>(git, repository, std::move(root), std::move(tracked), submodules);
}

}  // namespace gpol::stored
