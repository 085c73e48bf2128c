// One directory or file put in another's place, by the system calls that std::filesystem does not have. All report by
// std::error_code and never throw.
#pragma once

#include <filesystem>
#include <string_view>
#include <system_error>

namespace gpol {

inline constexpr std::string_view kCircle = "it is a link that leads in a circle";
inline constexpr std::string_view kMendLink = "mend the link, or remove it";

// A lock on a directory that ends with the process, however that ends: it keeps two runs off one output directory and
// tells a temporary in use from one that a killed run left. Never waits. Where there are no locks nobody is in the way.
class DirectoryLock {
 public:
  explicit DirectoryLock(const std::filesystem::path& directory);
  ~DirectoryLock();
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;
  // Somebody else holds it, or has by now removed it or put another directory in its place.
  bool busy() const { return busy_; }
  // This one holds it: nobody else is at work in it. Neither is true where there are no locks.
  bool held() const { return held_; }

 private:
  int descriptor_ = -1;
  bool busy_ = false, held_ = false;
};

// A new file; one that exists is an error. Reports a full disk.
void write_new(const std::filesystem::path& path, std::string_view bytes, std::error_code& error);

// A new file beside `file`, with its mode, owner and group, on the disk when it returns: its path. After an error
// nothing is left of it.
std::filesystem::path write_beside(const std::filesystem::path& file, std::string_view bytes, std::error_code& error);

// Everything written to the directory's file system is on the disk when it returns.
void flush_file_system(const std::filesystem::path& directory, std::error_code& error);
void flush_directory(const std::filesystem::path& directory, std::error_code& error);

// May this process write the file, or create and remove entries in the directory?
bool writable(const std::filesystem::path& path, std::error_code& error);
// And in every directory below it?
bool writable_below(const std::filesystem::path& directory, std::error_code& error);

// Swaps two directories in one step. Where the file system cannot do that, in two by way of `aside`, a free name.
void swap_directories(const std::filesystem::path& a, const std::filesystem::path& b,
                      const std::filesystem::path& aside, std::error_code& error);

// The two steps: for a moment nothing stands at `b`. If the second fails the first is undone.
void swap_in_two_steps(const std::filesystem::path& a, const std::filesystem::path& b,
                       const std::filesystem::path& aside, std::error_code& error);

}  // namespace gpol
