#include "cli/commands/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <istream>
#include <set>

#include "checker/observe/left_out.h"
#include "cli/codes.h"
#include "compiler/policy/codes.h"
#include "compiler/source/codes.h"
#include "compiler/source/edit_distance.h"

namespace gpol {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLargest = std::size_t{64} << 20U;
constexpr std::string_view kCircle = "it is a link that leads in a circle";
constexpr int kDeepest = 64;  // directories below a PATH

// What is looked for below a directory.
struct Wanted {
  std::string_view some, all, several, file;  // in words
};
constexpr Wanted kPolicies{"a policy", "the policy", "policies", ".gpol file"};
constexpr Wanted kManifests{"manifests", "the manifests", "manifests", ".yaml, .yml or .json file"};

bool wanted(const fs::path& path, const Wanted& what) {
  if (&what == &kPolicies) return path.extension() == ".gpol";
  return path.filename() == "Kustomization" || manifest::is_manifest_file(path.string());
}

Diagnostic cannot_read(const std::string& path, std::string_view why, std::string hint = {}) {
  return error_at(code::CannotRead, {}, fmt::format("`{}` cannot be read: {}", path, why), std::move(hint));
}

Diagnostic too_large(std::string message, std::string hint) {
  return error_at(code::TooDeepOrLarge, {}, std::move(message), std::move(hint));
}

Diagnostic too_large(const std::string& path, const Wanted& what) {
  return too_large(fmt::format("`{}` is larger than 64 MiB", path), fmt::format("split {}", what.all));
}

// The policy or directory beside a path that is not there whose name is nearest to it.
std::string near_path(const FileTree& tree, const std::string& missing) {
  const fs::path path(missing);
  const fs::path parent = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::vector<std::string> names;
  std::error_code error;
  constexpr std::size_t kLooked = 1000;  // a hint is not worth more
  for (const FileTree::Entry& entry : tree.entries(parent, error)) {
    if (names.size() == kLooked) break;
    if (entry.name.ends_with(".gpol") || tree.is_directory(parent / entry.name)) names.push_back(entry.name);
  }
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  const auto near = nearest(path.filename().string(), candidates);
  if (!near) return {};
  return fmt::format("did you mean `{}`?", path.has_parent_path() ? (path.parent_path() / *near).string() : *near);
}

std::optional<std::string> read_file(const FileTree& tree, const std::string& path, const std::string& shown,
                                     const Wanted& what, std::vector<Diagnostic>& out) {
  std::error_code error;
  auto text = tree.read(path, kLargest, error);
  if (!error) return text;
  if (error == std::errc::too_many_symbolic_link_levels)
    out.push_back(cannot_read(shown, std::string(kCircle), "mend the link, or remove it"));
  else if (error == std::errc::is_a_directory)
    out.push_back(cannot_read(shown, "it is a directory", "give a file"));
  else if (error == std::errc::not_supported)
    out.push_back(cannot_read(shown, "it is not a regular file",
                              fmt::format("give `-` to read {} from standard input", what.some)));
  else if (error == std::errc::file_too_large)
    out.push_back(too_large(shown, what));
  else if (error == std::errc::io_error)
    out.push_back(
        cannot_read(shown, error.message(), "in a partial clone, bring all of it: `git fetch --refetch --no-filter`"));
  else
    out.push_back(cannot_read(shown, error.message(),
                              error == std::errc::no_such_file_or_directory ? near_path(tree, shown) : std::string()));
  return std::nullopt;
}

bool inside(const FileTree& tree, const fs::path& file, const fs::path& root) {
  std::error_code error;
  const fs::path real = tree.canonical(file, error);
  const fs::path top = error ? fs::path() : tree.canonical(root, error);
  return !error && std::mismatch(top.begin(), top.end(), real.begin(), real.end()).first == top.end();
}

// A link in a repository, of the file or of a directory above it, to something outside: whoever proposes a change of
// the repository could read that by what is printed of a mistake in it. Without a repository (an archive that was
// unpacked) the working directory is taken for it, or for a path elsewhere the directory that it names.
bool leads_out(const FileTree& tree, const fs::path& path) {
  std::error_code error;
  if (&tree != &disk()) return false;
  const fs::path file = fs::absolute(path, error).lexically_normal(), here = fs::current_path(error);
  fs::path at = file.parent_path();
  while (at.has_relative_path() && !tree.is_repository(at)) at = at.parent_path();
  if (!tree.is_repository(at)) {
    const bool below = std::mismatch(here.begin(), here.end(), file.begin(), file.end()).first == here.end();
    at = below && here.has_relative_path() ? here : file.parent_path();
  }
  return fs::exists(file, error) && !inside(tree, path, at);
}

// What stands below a PATH.
struct Search {
  const FileTree& tree;
  const Wanted& what;
  const PassOver& excluded;
  fs::path root;
  std::vector<std::string> found;
  std::vector<Diagnostic>& out;

  void look_into(const fs::path& directory, int depth) {
    using Type = FileTree::Type;
    if (depth > kDeepest)
      return out.push_back(too_large(fmt::format("`{}` is more than {} directories deep", directory.string(), kDeepest),
                                     fmt::format("give the directories that hold {}", what.several)));
    std::error_code error;
    for (const FileTree::Entry& entry : tree.entries(directory, error)) {
      const fs::path path = directory / entry.name;
      // Asked of everything, so that whoever asks can count it.
      if (excluded && excluded(path.string())) continue;
      // Hidden files are applied by kubectl as all others are; hidden directories are tools'.
      if (entry.name.front() == '.' && (&what == &kPolicies || entry.type == Type::Directory)) continue;
      if (entry.type == Type::Directory)
        look_into(path, depth + 1);
      else if (wanted(path, what))
        take(path, entry.type);
    }
    if (error) out.push_back(cannot_read(directory.string(), error.message()));
  }

  void take(const fs::path& path, FileTree::Type type) {
    if (type != FileTree::Type::Link) return found.push_back(path.string());
    std::error_code error;
    const FileTree::Type leads_to = tree.type(path, error);
    if (leads_to == FileTree::Type::Directory) return;
    if (error == std::errc::too_many_symbolic_link_levels)
      out.push_back(cannot_read(path.string(), std::string(kCircle), "mend the link, or remove it"));
    else if (leads_to == FileTree::Type::Absent)
      out.push_back(cannot_read(path.string(), "it is a link that leads nowhere", "mend the link, or remove it"));
    else if (!inside(tree, path, root))
      out.push_back(cannot_read(path.string(), fmt::format("it is a link that leads out of `{}`", root.string()),
                                "give the file itself as a PATH"));
    else
      found.push_back(path.string());
  }
};

std::optional<std::string> read_stream(std::istream& in, const Wanted& what, std::vector<Diagnostic>& out) {
  std::string text;
  char block[65536];
  while (in.read(block, sizeof block) || in.gcount() > 0) {
    text.append(block, static_cast<std::size_t>(in.gcount()));
    if (text.size() > kLargest) {
      out.push_back(too_large("-", what));
      return std::nullopt;
    }
  }
  if (in.bad()) {
    out.push_back(cannot_read("-", "standard input failed"));
    return std::nullopt;
  }
  return text;
}

Outcome<std::vector<PolicyText>> read_texts(const Wanted& what, std::span<const std::string> paths,
                                            std::istream& standard_input, const PassOver& excluded,
                                            const FileTree& tree) {
  Outcome<std::vector<PolicyText>> result;
  std::set<std::string> seen;
  std::size_t total = 0;
  const auto take = [&](const std::string& path, std::optional<std::string> text) {
    if (!text || total > kLargest) return;
    total += text->size();
    if (total <= kLargest) return result.value.push_back({path, std::move(*text)});
    result.diagnostics.push_back(too_large(
        fmt::format("the {} up to `{}` are larger than 64 MiB together, the rest is not read", what.several, path),
        "check them in several runs"));
  };
  for (const std::string& path : paths) {
    if (path == "-") {
      take(path, read_stream(standard_input, what, result.diagnostics));
    } else if (tree.is_directory(path)) {
      const std::size_t problems = result.diagnostics.size();
      Search search{tree, what, excluded, path, {}, result.diagnostics};
      search.look_into(path, 0);
      std::ranges::sort(search.found);
      if (search.found.empty() && result.diagnostics.size() == problems)
        result.diagnostics.push_back(error_at(
            code::NoPolicy, {}, fmt::format("`{}` holds no {}", path, what.file),
            fmt::format("give a {}, or a directory that holds one{}", what.file,
                        tree.passed_over().empty() ? "" : "; what git ignores is read where a PATH names it")));
      for (const std::string& file : search.found)
        if (total <= kLargest && seen.insert(fs::path(file).lexically_normal().string()).second)
          take(file, read_file(tree, file, file, what, result.diagnostics));
    } else if (leads_out(tree, path)) {
      result.diagnostics.push_back(
          cannot_read(path, "it is a link that leads out of the repository", "give the file itself as a PATH"));
    } else if (seen.insert(fs::path(path).lexically_normal().string()).second) {
      take(path, read_file(tree, path, path, what, result.diagnostics));
    }
  }
  return result;
}

bool may_read(std::span<const std::string> paths, const std::string& path, const FileTree& tree) {
  std::error_code error;
  return std::ranges::any_of(paths, [&](const std::string& given) {
    fs::path root = tree.canonical(given, error);
    if (error) return false;
    for (fs::path at = root; at.has_relative_path(); at = at.parent_path())
      if (tree.is_repository(at)) {
        root = at;
        break;
      }
    return inside(tree, path, root) || inside(tree, path, fs::current_path(error));
  });
}

}  // namespace

std::optional<std::string> read_policy_file(const std::string& path, std::vector<Diagnostic>& out, const FileTree& tree,
                                            const std::string& shown) {
  return read_file(tree, path, shown.empty() ? path : shown, kPolicies, out);
}

std::optional<std::string> read_manifest_file(const std::string& path, std::vector<Diagnostic>& out,
                                              const FileTree& tree) {
  return read_file(tree, path, path, kManifests, out);
}

std::optional<std::string> read_beside(std::span<const std::string> paths, const std::string& path,
                                       const FileTree& tree) {
  std::vector<Diagnostic> ignored;
  return may_read(paths, path, tree) && tree.elsewhere(path).empty() ? read_file(tree, path, path, kManifests, ignored)
                                                                     : std::nullopt;
}

bool is_outside(std::span<const std::string> paths, const std::string& path, const FileTree& tree) {
  return !tree.elsewhere(path).empty() ||
         ((tree.is_directory(path) || tree.is_file(path)) && !may_read(paths, path, tree));
}

Outcome<std::vector<PolicyText>> read_policies(std::span<const std::string> paths, std::istream& standard_input,
                                               const PassOver& excluded, const FileTree& tree) {
  return read_texts(kPolicies, paths, standard_input, excluded, tree);
}

Outcome<std::vector<PolicyText>> read_manifests(std::span<const std::string> paths, std::istream& standard_input,
                                                const PassOver& excluded, const FileTree& tree) {
  return read_texts(kManifests, paths, standard_input, excluded, tree);
}

}  // namespace gpol
