#include "emit/target.h"

#include <fmt/format.h>

#include <system_error>

namespace gpol {

namespace fs = std::filesystem;

namespace {

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

}  // namespace

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

}  // namespace gpol
