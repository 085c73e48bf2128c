#include "emit/write.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "compiler/source/split.h"
#include "emit/codes.h"
#include "emit/owned_index.h"
#include "emit/replace.h"
#include "emit/temporary.h"

namespace gpol {

namespace fs = std::filesystem;

namespace {

struct Target {
  std::filesystem::path path = {};  // absolute, free of links
  bool exists = false;
  std::string problem = {}, hint = {};  // problem not empty: it cannot be a target
};

Target unreachable(const std::error_code& error) {
  if (error == std::errc::too_many_symbolic_link_levels)
    return {.problem = std::string(kCircle), .hint = std::string(kMendLink)};
  return {.problem = error.message()};
}

Target not_there_yet(const fs::path& directory) {
  const fs::path parent = directory.has_parent_path() ? directory.parent_path() : fs::path(".");
  std::error_code error;
  const fs::file_status status = fs::status(parent, error);
  if (status.type() == fs::file_type::not_found)
    return {.problem = fmt::format("its parent directory `{}` does not exist", parent.string()),
            .hint = fmt::format("create `{}` first", parent.string())};
  if (status.type() == fs::file_type::none) return unreachable(error);
  if (!fs::is_directory(status))
    return {.problem = fmt::format("`{}` is not a directory", parent.string()), .hint = "give a path in a directory"};
  const fs::path real = fs::canonical(parent, error);
  if (error) return unreachable(error);
  return {.path = real / directory.filename()};
}

// Where an output directory really is: the directory behind symbolic links, or why nothing can be written there.
Target find_target(fs::path directory) {
  if (!directory.has_filename()) directory = directory.parent_path();  // "out/"
  if (directory.empty()) return {.problem = "no directory is named"};
  std::error_code error;
  const fs::file_status link = fs::symlink_status(directory, error);
  if (link.type() == fs::file_type::not_found) return not_there_yet(directory);
  if (link.type() == fs::file_type::none) return unreachable(error);
  const fs::file_status status = fs::status(directory, error);
  if (status.type() == fs::file_type::not_found)
    return {.problem = "it is a symbolic link to something that does not exist", .hint = std::string(kMendLink)};
  if (status.type() == fs::file_type::none) return unreachable(error);
  if (!fs::is_directory(status))
    return {.problem = "it is not a directory",
            .hint = "give a directory: what is built is several files, and replaces all that stood there"};
  fs::path real = fs::canonical(directory, error);
  if (error) return unreachable(error);
  return {.path = std::move(real), .exists = true};
}

Diagnostic cannot_write(const fs::path& directory, std::string_view reason, std::string hint = {}) {
  return error_at(code::CannotWrite, {}, fmt::format("`{}` cannot be written: {}", directory.string(), reason),
                  std::move(hint));
}

// A directory that something of somebody else is in.
Diagnostic foreign_output(std::string message, std::string hint) {
  return error_at(code::ForeignOutput, {}, std::move(message), std::move(hint));
}

Diagnostic foreign(const fs::path& directory, std::string_view file) {
  return foreign_output(
      fmt::format("`{0}` holds `{1}`, which no `gpol build` into `{0}` wrote", directory.string(), file),
      "give a directory that is empty, new, or was written by `gpol build` as a whole, or move the file elsewhere");
}

// What the index lists and is not as it was written is only replaced by a file of the same path, and never removed.
std::optional<Diagnostic> would_lose(const fs::path& directory, const Holdings& held,
                                     std::span<const RenderedFile> files) {
  for (const std::string& path : held.changed) {
    if (std::ranges::any_of(files, [&](const RenderedFile& file) { return file.path == path; })) continue;
    return foreign_output(
        fmt::format("`{}` holds `{}`, which is not part of the output any more and was changed since it was written",
                    directory.string(), path),
        "move the file elsewhere, or remove it");
  }
  return std::nullopt;
}

Diagnostic of_another(const fs::path& directory, std::string_view cluster) {
  return foreign_output(fmt::format("`{}` holds what was built for cluster `{}`", directory.string(), cluster),
                        "give each cluster a directory of its own, or remove that one");
}

// A path that stays inside the directory and can be written as one line of the index.
bool stays_inside(std::string_view path) {
  if (path.empty() || path == kIndexName) return false;
  for (const std::string_view component : split(path, '/'))
    if (component.empty() || component == "." || component == "..") return false;
  return std::ranges::none_of(path, [](char c) { return c == '\n' || c == '\0'; });
}

std::optional<std::string> bad_paths(std::span<const RenderedFile> files) {
  std::set<std::string_view> seen;
  for (const RenderedFile& file : files) {
    if (!stays_inside(file.path)) return fmt::format("the file name `{}` leads outside it", file.path);
    if (!seen.insert(file.path).second) return fmt::format("the file name `{}` is used twice", file.path);
  }
  return std::nullopt;
}

bool same_bytes(const fs::path& path, std::string_view bytes) {
  std::error_code error;
  return fs::file_size(path, error) == bytes.size() && !error && read_bytes(path) == bytes;
}

bool unchanged(const fs::path& directory, const Holdings& held, std::span<const RenderedFile> files,
               std::string_view index) {
  if (held.owned.size() != files.size() || !same_bytes(directory / kIndexName, index)) return false;
  // Equal in number, and no name is used twice: that each is there is enough.
  return std::ranges::all_of(files,
                             [&](const RenderedFile& file) { return same_bytes(directory / file.path, file.bytes); });
}

// What is to be written, and whether the user wants it still.
struct Work {
  std::span<const RenderedFile> files;
  std::string_view index;
  const Stop& stop;

  bool stopped(std::error_code& error) const {
    if (!error && stop && stop()) error = std::make_error_code(std::errc::interrupted);
    return static_cast<bool>(error);
  }
};

void write_set(const fs::path& directory, const Work& work, std::error_code& error) {
  write_new(directory / kIndexName, work.index, error);  // first: temporary.h
  std::set<fs::path> made;
  for (const RenderedFile& file : work.files) {
    if (work.stopped(error)) return;
    const fs::path path = directory / file.path;
    if (made.insert(path.parent_path()).second) fs::create_directories(path.parent_path(), error);
    if (!error) write_new(path, file.bytes, error);
  }
  if (!error) flush_file_system(directory, error);
}

// Puts the new set in the target's place; the old one then has the temporary's name. Somebody may have put a file into
// the old set since it was looked at: then everything goes back and nothing is lost.
std::optional<Diagnostic> put_in_place(const fs::path& shown, const Target& target, std::span<const RenderedFile> files,
                                       Temporary& temporary) {
  std::error_code error;
  if (!target.exists) {
    fs::rename(temporary.path(), target.path, error);
    if (error) return cannot_write(shown, error.message());
    temporary.leave();
    return std::nullopt;
  }
  const fs::path aside = temporary.path().native() + "-old";
  swap_directories(temporary.path(), target.path, aside, error);
  if (error) {
    const bool mount = error == std::errc::device_or_resource_busy;
    return cannot_write(shown, error.message(),
                        mount ? "a mount point cannot be replaced: give a directory in it" : "");
  }
  const Holdings old = holdings(temporary.path(), error);
  if (const auto lost = would_lose(shown, old, files); old.foreign || lost || error) {
    const std::string why = error.message();
    swap_directories(temporary.path(), target.path, aside, error);
    if (error) temporary.leave();  // leave the stranger's file where it is rather than remove it
    return old.foreign ? foreign(shown, *old.foreign) : lost ? *lost : cannot_write(shown, why);
  }
  return std::nullopt;
}

std::optional<Diagnostic> replace(const fs::path& shown, const Target& target, const Work& work) {
  std::error_code error;
  const fs::path parent = target.path.parent_path();
  if (!writable(parent, error) || (target.exists && !writable_below(target.path, error)))
    return cannot_write(shown, error.message());
  if (target.exists) remove_leftovers(parent, target.path);
  Temporary temporary(parent, error);
  if (error) return cannot_write(shown, error.message());
  write_set(temporary.path(), work, error);
  if (!error && target.exists) {
    const fs::perms mode = fs::status(target.path, error).permissions();
    if (!error) fs::permissions(temporary.path(), mode, error);
  }
  if (work.stopped(error)) return cannot_write(shown, error.message());
  if (auto problem = put_in_place(shown, target, work.files, temporary)) return problem;
  // Only now: with nothing at the target, an old set of a killed run may be all that there is.
  if (!target.exists) remove_leftovers(parent, target.path);
  flush_directory(parent, error);
  if (error) return cannot_write(shown, error.message());
  return std::nullopt;
}

}  // namespace

Outcome<WriteSummary> write(const fs::path& directory, std::span<const RenderedFile> files, const Stop& stop,
                            std::string_view of) {
  Outcome<WriteSummary> outcome{{.files = static_cast<int>(files.size()), .changed = false}, {}};
  auto refused = [&](Diagnostic diagnostic) {
    outcome.diagnostics.push_back(std::move(diagnostic));
    return outcome;
  };
  if (const auto problem = bad_paths(files)) return refused(cannot_write(directory, *problem));
  const Target target = find_target(directory);
  if (!target.problem.empty()) return refused(cannot_write(directory, target.problem, target.hint));

  const std::string index = index_text(files, of);
  std::optional<DirectoryLock> lock;
  if (target.exists) {
    lock.emplace(target.path);
    if (lock->busy()) return refused(cannot_write(directory, "another run of gpol is writing it"));
    std::error_code error;
    const Holdings held = holdings(target.path, error);
    if (held.foreign) return refused(foreign(directory, *held.foreign));
    if (error) return refused(cannot_write(directory, error.message()));
    if (auto problem = would_lose(directory, held, files)) return refused(*std::move(problem));
    const std::string before = read_index(target.path).value_or("");
    if (const auto cluster = cluster_of(before); !of.empty() && !cluster.empty() && cluster != of)
      return refused(of_another(directory, cluster));
    if (held.indexed && unchanged(target.path, held, files, index)) {
      remove_leftovers(target.path.parent_path(), target.path);
      return outcome;
    }
  }
  if (auto problem = replace(directory, target, {files, index, stop})) return refused(*std::move(problem));
  outcome.value.changed = true;
  return outcome;
}

}  // namespace gpol
