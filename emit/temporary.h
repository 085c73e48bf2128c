// Directories beside an output directory: a set being written, or an old one being removed. Each is locked for as long
// as its run lives, and its index (owned_index.h) is the first file that is put into it and the last that is removed:
// so what a killed run left is known for gpol's at whatever step it died, and a live run's is left alone. Errors come
// as std::error_code; nothing is thrown.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "emit/replace.h"

namespace gpol {

inline constexpr std::string_view kTemporaryPrefix = ".gpol-tmp-";

// `make` is called with fresh names under `parent` until one is not taken: errno says EEXIST of one that is.
template <class Make>
std::filesystem::path with_fresh_name(const std::filesystem::path& parent, std::error_code& error, Make make) {
  const std::string prefix = std::string(kTemporaryPrefix) + std::to_string(::getpid()) + "-";
  for (int attempt = 0; attempt < 1000; ++attempt) {
    std::filesystem::path path = parent / (prefix + std::to_string(attempt));
    if (make(path)) {
      error.clear();
      return path;
    }
    error = {errno, std::system_category()};
    if (errno != EEXIST) break;
  }
  return {};
}

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
