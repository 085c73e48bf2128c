#include "cli/commands/diff_unread.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "checker/observe/rests.h"
#include "cli/commands/diff_changes.h"
#include "compiler/source/lookup.h"
#include "compiler/source/text.h"

namespace gpol {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostFiles = 20'000, kMostBytes = std::size_t{4} << 20U, kMostCompared = std::size_t{256} << 20U;

std::set<std::string> names_of(const PolicyReport& bundle) {
  std::set<std::string> names;
  if (bundle.planned != nullptr)
    for (const Queue& queue : bundle.planned->cluster.queues) names.insert(queue.name);
  return names;
}

// A document of a ClusterQueue of this name, by its text alone: it need not be valid.
bool declares(const std::string& text, const std::string& name) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find("\n---", at), text.size());
    const std::string_view document = std::string_view(text).substr(at, end - at);
    if (document.find("ClusterQueue") != std::string_view::npos)
      for (const std::string_view before : {"name: ", "name: \"", "name: '", "\"name\": \"", "\"name\":\""})
        for (std::size_t found = document.find(before); found != std::string_view::npos;
             found = document.find(before, found + 1)) {
          const std::string_view rest = document.substr(found + before.size());
          // Not `kubernetes.io/metadata.name: train` of a selector.
          if (found > 0 && std::string_view(" \t\n{,").find(document[found - 1]) == std::string_view::npos) continue;
          if (rest.starts_with(name) &&
              (rest.size() == name.size() ||
               std::string_view("\n\r \"',}").find(rest[name.size()]) != std::string_view::npos))
            return true;
        }
    at = end + 1;
  }
  return false;
}

// Every file of the tree, hidden ones too; .git apart.
class Finder {
 public:
  Finder(const FileTree& tree, const std::set<std::string>& wanted) : tree_(tree), wanted_(wanted) {}
  std::map<std::string, std::string> found;  // queue -> where

  void look(const fs::path& directory, int depth = 0) {
    std::error_code error;
    if (depth > 32) return;
    for (const FileTree::Entry& entry : tree_.entries(directory, error)) {
      if (++looked_ > kMostFiles || found.size() == wanted_.size()) return;
      const fs::path path = directory / entry.name;
      if (entry.type == FileTree::Type::Directory) {
        if (entry.name != ".git") look(path, depth + 1);
      } else if (manifest::is_manifest_file(entry.name)) {
        const auto text = tree_.read(path, kMostBytes, error);
        if (text && text->find("ClusterQueue") != std::string::npos)
          for (const std::string& name : wanted_)
            if (declares(*text, name)) found.emplace(name, path.lexically_normal().string());
      }
    }
  }

 private:
  const FileTree& tree_;
  const std::set<std::string>& wanted_;
  std::size_t looked_ = 0;
};

// Where a file stood that cannot be read as one any more; empty: it is simply gone, or it is read.
std::string stands_in(const DiffSource& source, const fs::path& file) {
  const FileTree& tree = *source.tree;
  std::error_code error;
  if (const auto text = tree.read(file, kMostBytes, error); text && text->starts_with("version https://git-lfs"))
    return fmt::format("a pointer of git-lfs, `{}`", file.string());
  for (fs::path at = file.parent_path(); source.stored && !at.empty() && at != at.root_path(); at = at.parent_path()) {
    if (tree.type(at, error) != FileTree::Type::Directory) continue;
    return tree.entries(at, error).empty() && !error ? fmt::format("a submodule, `{}`", at.string()) : std::string();
  }
  return {};
}

}  // namespace

std::vector<Removed> unread_queues(const PolicyReport& before, const PolicyReport& after, const RunReport& all_after,
                                   const DiffSources& sources) {
  const DiffSource& source = sources.after;
  std::vector<Removed> out;
  const std::set<std::string> is = names_of(after);
  std::set<std::string> gone;
  for (const std::string& name : names_of(before))
    if (!is.contains(name)) gone.insert(name);
  if (gone.empty()) return out;
  const auto tell = [&](const std::string& name, const std::string& where) {
    out.push_back({fmt::format(
        "`{}` is not looked at beside the others any more, and stands in {}: nothing is known of what it takes", name,
        where)});
    gone.erase(name);
  };
  for (const PolicyReport& other : all_after.policies)
    if (other.planned != nullptr && &other != &after && other.report != after.report)
      for (const std::string& name : names_of(other))
        if (gone.contains(name)) tell(name, fmt::format("`{}`, a bundle of its own", other.bundle));
  Finder finder(*source.tree, gone);
  if (!gone.empty() && source.paths != std::vector<std::string>{"-"}) finder.look(source.root);
  const auto found = finder.found;
  for (const auto& [name, where] : found) tell(name, fmt::format("`{}`", where));
  for (std::size_t q = 0; q < before.planned->cluster.queues.size() && !gone.empty(); ++q) {
    const std::string name = before.planned->cluster.queues[q].name;
    const Span at = q < before.planned->origins.queue.size() ? before.planned->origins.queue[q] : Span{};
    if (!gone.contains(name) || !at.known()) continue;
    if (const std::string where = stands_in(source, before.sources->path(at.file)); !where.empty()) tell(name, where);
  }
  if (gone.empty() || sources.repository == nullptr) return out;
  // What a submodule that is new holds is not stored here.
  std::error_code error;
  const auto modules = [&](const DiffSource& side) {
    return side.tree->read(sources.repository->root() / ".gitmodules", kMostBytes, error).value_or("");
  };
  if (const std::string now = modules(source); !now.empty() && now != modules(sources.before))
    for (const std::string& name : std::set<std::string>(gone)) tell(name, "a submodule that is new, perhaps");
  return out;
}

namespace {

constexpr std::string_view kScript = "a script, or a program that writes manifests";

// What was not read of a side, by its path below the side's own: each file, those of folders too.
class UnreadFiles {
 public:
  explicit UnreadFiles(const DiffSource& side) : side_(side) {}
  std::map<std::string, Unread> found;

  // `is_meant`: of the names of files in folders, those that are.
  void add(const Unread& one, int depth = 0, bool (*is_meant)(std::string_view) = manifest::is_manifest_file) {
    if (depth > 32 || found.size() > kMostFiles || fs::path(one.path).filename() == ".git") return;
    std::error_code error;
    if (!side_.tree->is_directory(one.path)) {
      if ((depth > 0 || one.why == kScript) && !is_meant(one.path)) return;
      Unread& known = found.emplace(below(side_, one.path), one).first->second;
      known.counts = known.counts || one.counts;
      known.in_part = known.in_part || one.in_part;
      return;
    }
    for (const FileTree::Entry& entry : side_.tree->entries(one.path, error))
      add({(fs::path(one.path) / entry.name).lexically_normal().string(), one.why, one.counts}, depth + 1, is_meant);
  }

 private:
  const DiffSource& side_;
};

bool is_script(std::string_view name) {
  return contains({".sh", ".tf", ".jsonnet", ".libsonnet", ".cue", ".k", ".pkl"}, fs::path(name).extension().string());
}

bool names_queues(std::string_view text) {
  const std::string low = lowered(text);
  return low.find("clusterqueue") != std::string::npos || low.find("kueue.x-k8s.io") != std::string::npos;
}

// A verdict rests on it though it is not read. Of a template of pods none does.
bool decides(const Unread& file, std::string_view text) {
  if (file.why == kScript) return names_queues(text);
  return manifest::rests_on(text) == manifest::Rests::Figures || manifest::names_premise(text) ||
         manifest::configures_devices(text);
}

}  // namespace

std::vector<Removed> not_compared(const Verified& before, const Verified& after, const DiffSources& sources) {
  const auto unread = [](const Verified& side, const DiffSource& source) {
    UnreadFiles files(source);
    if (source.paths == std::vector<std::string>{"-"}) return files.found;
    for (const Unread& one : side.unread) files.add(one);
    for (const std::string& path : source.paths) files.add({path, kScript}, 0, is_script);
    return files.found;
  };
  const auto was = unread(before, sources.before), is = unread(after, sources.after);
  std::set<std::string> too_large;
  const auto text_of = [&](const DiffSource& side, const std::string& name) {
    std::error_code error;
    const fs::path path = side.paths.size() == 1 ? fs::path(side.paths.front()) / name : fs::path(name);
    if (std::string commit = side.tree->elsewhere(path); !commit.empty()) return std::optional(std::move(commit));
    auto text = side.tree->read(path.lexically_normal(), kMostCompared, error);
    if (!text && error == std::errc::file_too_large) too_large.insert(name);
    return text;
  };
  std::vector<Removed> out;
  const auto compare = [&](const std::string& name, const Unread& file) {
    const auto old = text_of(sources.before, name), now = text_of(sources.after, name);
    if (too_large.contains(name))
      out.push_back({fmt::format("`{}` is larger than 256 MiB ({})", file.path, file.why), {}, false, "not compared"});
    else if (old != now && (file.counts || decides(file, old.value_or("")) || decides(file, now.value_or(""))))
      out.push_back({fmt::format("`{}` differs ({})", file.path, file.why), {}, false, "not compared"});
  };
  for (const auto& [name, file] : is) compare(name, file);
  for (const auto& [name, file] : was)
    if (!is.contains(name) && (file.in_part || !text_of(sources.after, name))) compare(name, file);
  return out;
}

std::vector<Removed> declared_twice(const PolicyReport& fresh, const RunReport& before, const RunReport& after) {
  std::vector<Removed> out;
  std::set<std::string> was;
  bool clusters = fresh.built;  // an overlay is a cluster of its own
  for (const PolicyReport& bundle : before.policies)
    for (const std::string& name : names_of(bundle)) clusters = !was.insert(name).second || clusters;
  // Where bundles shared names before, they are clusters side by side, and so is this one.
  if (clusters) return out;
  for (const std::string& name : names_of(fresh))
    for (const PolicyReport& other : after.policies)
      if (other.report != fresh.report && was.contains(name) && names_of(other).contains(name)) {
        out.push_back({fmt::format("`{}` is declared in `{}`, too: which of the two is applied is not known", name,
                                   fresh.bundle)});
        break;
      }
  return out;
}

}  // namespace gpol
