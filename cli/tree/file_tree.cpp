#include "cli/tree/file_tree.h"

namespace gpol {

namespace fs = std::filesystem;

FileTree::Type FileTree::type(const fs::path& path) const {
  std::error_code ignored;
  return type(path, ignored);
}

fs::path FileTree::weakly_canonical(const fs::path& path) const {
  std::error_code error;
  fs::path at = fs::absolute(path, error), rest;
  if (error) return path;
  for (;;) {
    const fs::path real = canonical(at, error);
    if (!error) return (rest.empty() ? real : real / rest).lexically_normal();
    if (!at.has_relative_path()) return path.lexically_normal();
    rest = rest.empty() ? at.filename() : at.filename() / rest;
    at = at.parent_path();
  }
}

}  // namespace gpol
