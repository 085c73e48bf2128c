#include "cli/commands/diff_sides.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <sstream>

#include "cli/commands/modules.h"
#include "cli/config/config.h"
#include "compiler/source/lookup.h"

namespace gpol {

namespace fs = std::filesystem;

namespace {

bool is_path(const std::string& word) { return word == "-" || disk().exists(word); }

// "main..", "..topic", "a...b"; nothing: it is no range, and "../queues" is a path.
struct Range {
  std::string from, to;
  bool from_base = false;  // three dots: from the newest commit that both have
};
std::optional<Range> range_of(const std::string& word) {
  const std::size_t at = word.find("..");
  if (at == std::string::npos || word.starts_with("../") || word.starts_with("./") || word.starts_with("/"))
    return std::nullopt;
  Range range;
  range.from_base = word.compare(at, 3, "...") == 0;
  range.from = word.substr(0, at);
  range.to = word.substr(at + (range.from_base ? 3 : 2));
  if (range.from.empty()) range.from = "HEAD";
  if (range.to.empty()) range.to = "HEAD";
  return range;
}

// A step that fails ends it all: the words of a GitError are those of a usage error.
class Finder {
 public:
  explicit Finder(const DiffOptions& options) : options_(options), paths_(options.words) {}

  std::variant<DiffSources, UsageError> find() {
    const bool found =
        paths_.size() == 2 && !options_.staged && is_path(paths_[0]) && is_path(paths_[1]) ? two_paths() : revisions();
    if (!found) return mistake_;
    return std::move(sources_);
  }

 private:
  bool fail(std::string message, std::string hint) {
    mistake_ = {std::move(message), std::move(hint)};
    return false;
  }

  bool two_paths() {
    if (paths_[0] == "-" && paths_[1] == "-") return fail("one side alone can be standard input", "give a path");
    sources_.before = {paths_[0], &disk(), {paths_[0]}};
    sources_.after = {paths_[1], &disk(), {paths_[1]}};
    sources_.after.root = disk().is_directory(paths_[1]) ? paths_[1] : fs::path(paths_[1]).parent_path().string();
    if (sources_.after.root.empty()) sources_.after.root = ".";
    return true;
  }

  bool revisions() {
    if (paths_.empty() && !options_.staged)
      return fail("gpol diff needs two sides",
                  "`gpol diff HEAD` compares the work tree, `gpol diff main...` this branch, `gpol diff old/ new/` two "
                  "directories");
    auto opened = GitRepository::open();
    if (auto* error = std::get_if<GitError>(&opened)) {
      const auto missing = std::ranges::find_if_not(paths_, is_path);
      if (paths_.size() == 2 && missing != paths_.end() && !options_.staged)
        return fail(fmt::format("`{}` is no path, and {}", *missing, error->message), error->hint);
      return fail(error->message, error->hint);
    }
    sources_.repository = std::move(std::get<std::unique_ptr<GitRepository>>(opened));
    const std::string first = paths_.empty() ? std::string() : paths_.front();
    if (const auto range = range_of(first); range && !options_.staged) {
      paths_.erase(paths_.begin());
      return from_revision(range->from, range->from_base ? range->to : "") && to_revision(range->to) && settle();
    }
    if (options_.staged) {
      std::string from = "HEAD";
      if (!first.empty() && (!is_path(first) || has_commit(first))) {
        from = first;
        paths_.erase(paths_.begin());
      }
      return from_revision(from) && take(sources_.after, sources_.repository->index(), "the index") && settle();
    }
    if (!has_commit(first) && is_path(first))
      return fail(fmt::format("`{}` is a path, and no revision", first),
                  fmt::format("`gpol diff HEAD {}` compares it with the last commit", first));
    paths_.erase(paths_.begin());
    if (!has_commit(first))
      return fail(fmt::format("`{}` is neither a path nor a revision", first),
                  paths_.empty() ? "`git log --oneline --all` shows which revisions there are"
                                 : "two paths that are there, or a revision and paths, are compared");
    if (!from_revision(first)) return false;
    if (!paths_.empty() && !is_path(paths_.front()) && !sources_.before.tree->exists(paths_.front())) {
      const std::string second = paths_.front();
      if (!has_commit(second))
        return fail(fmt::format("`{}` is neither a revision nor a path of either side", second),
                    "`git log --oneline --all` shows which revisions there are");
      paths_.erase(paths_.begin());
      return to_revision(second) && settle();
    }
    if (paths_ == std::vector<std::string>{"-"}) {
      sources_.after = {"-", &disk(), {"-"}};
      sources_.before.paths = {"."};
      return true;
    }
    if (sources_.repository->bare())
      return fail("the repository is bare: there is no work tree to compare with",
                  fmt::format("name two revisions: `gpol diff {}..HEAD`", first));
    if (!take(sources_.after, sources_.repository->work_tree(false), "the work tree")) return false;
    sources_.after.stored = false;
    return settle();
  }

  bool has_commit(const std::string& word) const {
    return std::holds_alternative<std::unique_ptr<FileTree>>(sources_.repository->commit(word));
  }

  bool from_revision(const std::string& from, const std::string& merged_into = {}) {
    std::string commit = from;
    if (!merged_into.empty()) {
      auto base = sources_.repository->merge_base(from, merged_into);
      if (auto* error = std::get_if<GitError>(&base)) return fail(error->message, error->hint);
      commit = std::get<std::string>(base);
    }
    sources_.before.revision = commit;
    return take(sources_.before, sources_.repository->commit(commit),
                merged_into.empty() ? from : fmt::format("where `{}` left `{}`", merged_into, from));
  }
  bool to_revision(const std::string& to) {
    sources_.after.revision = to;
    return take(sources_.after, sources_.repository->commit(to), to);
  }
  bool take(DiffSource& side, GitRepository::Result<std::unique_ptr<FileTree>> found, std::string name) {
    if (auto* error = std::get_if<GitError>(&found)) return fail(error->message, error->hint);
    sources_.trees.push_back(std::move(std::get<std::unique_ptr<FileTree>>(found)));
    side.tree = sources_.trees.back().get();
    side.name = std::move(name);
    side.stored = true;
    return true;
  }

  // The root of the work tree, from the working directory.
  std::string whole() const {
    std::error_code error;
    const fs::path here = fs::canonical(fs::current_path(error), error);
    const fs::path root = sources_.repository->root().lexically_relative(here);
    return root.empty() ? sources_.repository->root().string() : root.string();
  }

  bool settle() {
    if (paths_.empty()) paths_.emplace_back(".");  // as `gpol verify`
    sources_.after.root = whole();
    for (std::string& path : paths_) {
      std::error_code error;
      const fs::path inside =
          fs::weakly_canonical(fs::absolute(path), error).lexically_relative(sources_.repository->root());
      if (inside.empty() || *inside.begin() == "..")
        return fail(fmt::format("`{}` is outside of the repository `{}`", path, sources_.repository->root().string()),
                    "give a path inside of it, or compare two directories");
      // What gpol.yaml says is of the directory that it is in.
      if (fs::path(path).filename() == kConfigName) {
        path = fs::path(path).parent_path().string();
        if (path.empty()) path = ".";
      }
      const bool was = sources_.before.tree->exists(path), is = sources_.after.tree->exists(path);
      if (!was && !is)
        return fail(fmt::format("`{}` is neither in {} nor in {}", path, sources_.before.name, sources_.after.name),
                    "paths are those of the working directory");
      if (was) sources_.before.paths.push_back(path);
      if (is) sources_.after.paths.push_back(path);
    }
    return true;
  }

  const DiffOptions& options_;
  std::vector<std::string> paths_;
  DiffSources sources_;
  UsageError mistake_;
};

}  // namespace

std::variant<DiffSources, UsageError> find_sources(const DiffOptions& options) { return Finder(options).find(); }

std::string DiffSource::below(const std::string& path) const {
  fs::path shown = fs::path(path).lexically_normal();
  if (paths.size() == 1) shown = shown.lexically_relative(fs::path(paths.front()).lexically_normal());
  return shown.empty() ? "." : shown.generic_string();
}

bool is_policy(const std::string& path) { return path.ends_with(".gpol"); }

std::vector<std::string> DiffSource::policy_paths() const {
  std::vector<std::string> found;
  for (const std::string& path : paths)
    if (path != "-" && (is_policy(path) || tree->is_directory(path))) found.push_back(path);
  return found;
}

std::map<std::string, std::string> same_policies(const DiffSources& sources) {
  std::map<std::string, PolicyText> all[2];  // before, after
  std::string configs[2];
  for (const std::size_t i : {0U, 1U}) {
    const DiffSource& side = i == 0 ? sources.before : sources.after;
    if (side.paths.empty() || contains(side.paths, "-")) return {};
    std::vector<Diagnostic> ignored;
    const Config config = find_config(side.paths, ignored, *side.tree);
    configs[i] = config.text;
    std::istringstream nothing;
    const PassOver excluded = [&](const std::string& path) { return config.excludes(path); };
    for (PolicyText& text : read_policies(side.policy_paths(), nothing, excluded, *side.tree).value)
      all[i].try_emplace(side.below(text.path), std::move(text));
  }
  std::map<std::string, std::string> same;
  const auto imports = [](const PolicyText& text, const DiffSource& side) {
    std::vector<std::string> texts;
    SourceSet read;
    const auto modules = read_modules(text, read, *side.tree);
    for (FileId file = 0; file < read.size(); ++file) texts.push_back(read.text(file));
    return texts;
  };
  for (const auto& [path, is] : all[1])
    if (const auto was = all[0].find(path); configs[0] == configs[1] && was != all[0].end() &&
                                            was->second.text == is.text &&
                                            (is.text.find("import") == std::string::npos ||
                                             imports(is, sources.after) == imports(was->second, sources.before)))
      same.emplace(is.path, was->second.path);
  return same;
}

std::size_t changed_outside(const DiffSources& sources, const DiffOptions& options) {
  if (sources.repository == nullptr || sources.after.paths == std::vector<std::string>{"-"}) return 0;
  using Side = GitRepository::Side;
  const Side side = options.staged ? Side::Index : sources.after.revision.empty() ? Side::WorkTree : Side::Commit;
  std::vector<fs::path> paths;
  for (const DiffSource* one : {&sources.before, &sources.after})
    for (const std::string& path : one->paths) {
      std::error_code error;
      paths.push_back(fs::weakly_canonical(fs::absolute(path), error).lexically_relative(sources.repository->root()));
    }
  const auto leads_out = [](const fs::path& from_one_to_other) {
    return from_one_to_other.empty() || *from_one_to_other.begin() == "..";
  };
  const auto changed = sources.repository->changed(sources.before.revision, side, sources.after.revision);
  return static_cast<std::size_t>(std::ranges::count_if(changed, [&](const fs::path& file) {
    return std::ranges::none_of(paths, [&](const fs::path& path) {
      return !leads_out(file.lexically_relative(path)) ||
             (file.filename() == kConfigName && !leads_out(path.lexically_relative(file.parent_path())));
    });
  }));
}

}  // namespace gpol
