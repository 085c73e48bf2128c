#include "emit/rewrite.h"

#include <fmt/format.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "emit/codes.h"
#include "emit/owned_index.h"
#include "emit/replace.h"

namespace gpol {

namespace fs = std::filesystem;

namespace {

Diagnostic cannot_write(const fs::path& file, std::string_view reason, std::string hint = {}) {
  return error_at(code::CannotWrite, {}, fmt::format("`{}` cannot be written: {}", file.string(), reason),
                  std::move(hint));
}

// Why the system refused it, in words that a user can act on.
Diagnostic cannot_write(const fs::path& file, const std::error_code& error) {
  if (error == std::errc::too_many_symbolic_link_levels) return cannot_write(file, kCircle, std::string(kMendLink));
  if (error == std::errc::not_a_directory)
    return cannot_write(file, fmt::format("`{}` is not a directory", file.parent_path().string()),
                        "give a path in a directory");
  return cannot_write(file, error.message());
}

}  // namespace

// Written under another name first, and linked to its own: a link is made only where nothing stands.
std::optional<Diagnostic> create(const fs::path& file, std::string_view text) {
  const fs::path fresh = file.string() + fmt::format(".{}.gpol-new", ::getpid());
  std::error_code error, ignored;
  write_new(fresh, text, error);
  if (error) return cannot_write(file, error);
  fs::create_hard_link(fresh, file, error);
  fs::remove(fresh, ignored);
  if (!error) return std::nullopt;
  if (error == std::errc::file_exists) return cannot_write(file, "it is there already", "give another path");
  return cannot_write(file, error);
}

std::optional<Diagnostic> rewrite(const fs::path& file, std::string_view before, std::string_view after) {
  std::error_code error;
  const fs::path target = fs::canonical(file, error);
  // A rename asks only the directory: a file that its owner made read-only is left alone.
  if (error || !writable(target, error)) return cannot_write(file, error);
  const auto there = read_bytes(target);
  if (there == after) return std::nullopt;  // the same file by another name
  if (there != before) return cannot_write(file, "it was changed meanwhile", "run gpol again");
  const fs::path fresh = write_beside(target, after, error);
  if (!error) fs::rename(fresh, target, error);
  if (!error) return std::nullopt;
  std::error_code ignored;
  if (!fresh.empty()) fs::remove(fresh, ignored);
  return cannot_write(file, error);
}

}  // namespace gpol
