#include "emit/target.h"

#include <fmt/format.h>

#include <system_error>

namespace gpol {

namespace fs = std::filesystem;

namespace {

Target not_there_yet(const fs::path& directory) {
  const fs::path parent = directory.has_parent_path() ? directory.parent_path() : fs::path(".");
  std::error_code error;
  const fs::file_status status = fs::status(parent, error);
  if (status.type() == fs::file_type::not_found)
    return {.problem = fmt::format("its parent directory `{}` does not exist", parent.string()),
            .hint = fmt::format("create `{}` first", parent.string())};
  if (status.type() == fs::file_type::none) return {.problem = error.message()};
  if (!fs::is_directory(status)) return {.problem = fmt::format("`{}` is not a directory", parent.string())};
  const fs::path real = fs::canonical(parent, error);
  if (error) return {.problem = error.message()};
  return {.path = real / directory.filename()};
}

}  // namespace

Target find_target(fs::path directory) {
  if (!directory.has_filename()) directory = directory.parent_path();  // "out/"
  if (directory.empty()) return {.problem = "no directory is named"};
  std::error_code error;
  const fs::file_status link = fs::symlink_status(directory, error);
  if (link.type() == fs::file_type::not_found) return not_there_yet(directory);
  if (link.type() == fs::file_type::none) return {.problem = error.message()};
  const fs::file_status status = fs::status(directory, error);
  if (status.type() == fs::file_type::not_found)
    return {.problem = "it is a symbolic link to something that does not exist"};
  if (status.type() == fs::file_type::none) return {.problem = error.message()};
  if (!fs::is_directory(status)) return {.problem = "it is not a directory"};
  fs::path real = fs::canonical(directory, error);
  if (error) return {.problem = error.message()};
  return {.path = std::move(real), .exists = true};
}

}  // namespace gpol
