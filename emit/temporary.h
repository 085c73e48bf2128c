// Directories beside an output directory: a set being written, or an old one being removed. Each is locked for as long
// as its run lives, and its index (owned_index.h) is the first file that is put into it and the last that is removed:
// so what a killed run left is known for gpol's at whatever step it died, and a live run's is left alone. Errors come
// as std::error_code; nothing is thrown.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

#include "emit/replace.h"

namespace gpol {

inline constexpr std::string_view kTemporaryPrefix = ".gpol-tmp-";

// A new, empty, locked directory with a fresh name under `parent`. At its end it is removed with all that it holds.
class Temporary {
 public:
  Temporary(const std::filesystem::path& parent, std::error_code& error);
  ~Temporary();
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  const std::filesystem::path& path() const { return path_; }
  // It has another name by now, or somebody else's file is in it: it is not removed.
  void leave() { path_.clear(); }

 private:
  std::filesystem::path path_;
  std::optional<DirectoryLock> lock_;
};

// Removes what killed runs left under `parent`: directories named like a temporary that hold an index and nothing that
// it does not list, or nothing at all but the beginning of one. Never `except`, never what a live run may be at work
// in, never anything where the file system has no locks to tell.
void remove_leftovers(const std::filesystem::path& parent, const std::filesystem::path& except);

}  // namespace gpol
