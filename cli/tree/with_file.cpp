#include "cli/tree/with_file.h"

#include <algorithm>

namespace gpol {

namespace fs = std::filesystem;

bool WithFile::is(const fs::path& path) const {
  std::error_code ignored;
  return fs::absolute(path, ignored).lexically_normal() == path_;
}

FileTree::Type WithFile::type(const fs::path& path, std::error_code& error) const {
  error.clear();
  return is(path) ? Type::File : base_.type(path, error);
}

fs::path WithFile::canonical(const fs::path& path, std::error_code& error) const {
  error.clear();
  const fs::path real = base_.canonical(path, error);
  if (!error || !is(path)) return real;
  error.clear();
  return path_;
}

std::vector<FileTree::Entry> WithFile::entries(const fs::path& directory, std::error_code& error) const {
  std::vector<Entry> all = base_.entries(directory, error);
  const std::string name = path_.filename().string();
  const auto at = std::ranges::lower_bound(all, name, {}, &Entry::name);
  if (is(directory / name) && (at == all.end() || at->name != name)) all.insert(at, {name, Type::File});
  return all;
}

std::optional<std::string> WithFile::read(const fs::path& path, std::size_t most, std::error_code& error) const {
  error.clear();
  if (!is(path)) return base_.read(path, most, error);
  if (text_.size() <= most) return text_;
  error = std::make_error_code(std::errc::file_too_large);
  return std::nullopt;
}

}  // namespace gpol
