// The files that a command reads: those of the disk, of the index of a git repository, or of one of its commits. In:
// paths, relative to the working directory or absolute, of `/`. Out: what is there; std::errc where it is not, as the
// system says it. All commands that read a policy or manifests read them through one of these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

namespace gpol {

class FileTree {
 public:
  enum class Type : std::uint8_t { Absent, File, Directory, Link, Other };
  struct Entry {
    std::string name;
    Type type;  // Link: not followed
  };

  FileTree() = default;
  FileTree(const FileTree&) = delete;
  FileTree& operator=(const FileTree&) = delete;
  virtual ~FileTree() = default;

  // Of what a path leads to, links followed: never Link.
  virtual Type type(const std::filesystem::path& path, std::error_code& error) const = 0;
  // Absolute and without links. An error where it leads nowhere.
  virtual std::filesystem::path canonical(const std::filesystem::path& path, std::error_code& error) const = 0;
  // Sorted by name. What could be listed before an error is given all the same.
  virtual std::vector<Entry> entries(const std::filesystem::path& directory, std::error_code& error) const = 0;
  // Of a regular file at most `most` bytes; errors: is_a_directory, file_too_large, not_supported (neither a file nor a
  // directory), and those of the system.
  virtual std::optional<std::string> read(const std::filesystem::path& path, std::size_t most,
                                          std::error_code& error) const = 0;
  // What `entries` was asked for and did not list.
  virtual std::vector<std::filesystem::path> passed_over() const { return {}; }
  // The commit of the submodule that it stands in and of which nothing is read, as bytes; empty: it stands in none.
  virtual std::string elsewhere(const std::filesystem::path&) const { return {}; }
  // A directory that is the root of a git repository.
  virtual bool is_repository(const std::filesystem::path& directory) const = 0;

  Type type(const std::filesystem::path& path) const;
  bool is_directory(const std::filesystem::path& path) const { return type(path) == Type::Directory; }
  bool is_file(const std::filesystem::path& path) const { return type(path) == Type::File; }
  bool exists(const std::filesystem::path& path) const { return type(path) != Type::Absent; }
  // As far as it is there without links, the rest as it is written.
  std::filesystem::path weakly_canonical(const std::filesystem::path& path) const;
};

// Of the process; lives as long as it.
const FileTree& disk();

}  // namespace gpol
