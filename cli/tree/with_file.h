// Another tree, in which one file is of another text. In: both, which must outlive it; the file's absolute path.
#pragma once

#include <string>

#include "cli/tree/file_tree.h"

namespace gpol {

class WithFile : public FileTree {
 public:
  WithFile(const FileTree& base, std::filesystem::path path, std::string text)
      : base_(base), path_(std::move(path)), text_(std::move(text)) {}

  Type type(const std::filesystem::path& path, std::error_code& error) const override;
  std::filesystem::path canonical(const std::filesystem::path& path, std::error_code& error) const override;
  std::vector<Entry> entries(const std::filesystem::path& directory, std::error_code& error) const override;
  std::optional<std::string> read(const std::filesystem::path& path, std::size_t most,
                                  std::error_code& error) const override;
  std::string elsewhere(const std::filesystem::path& path) const override { return base_.elsewhere(path); }
  std::vector<std::filesystem::path> passed_over() const override { return base_.passed_over(); }
  bool is_repository(const std::filesystem::path& directory) const override { return base_.is_repository(directory); }

 private:
  bool is(const std::filesystem::path& path) const;

  const FileTree& base_;
  std::filesystem::path path_;
  std::string text_;
};

}  // namespace gpol
