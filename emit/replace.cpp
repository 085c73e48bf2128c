#include "emit/replace.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

namespace gpol {

namespace fs = std::filesystem;

namespace {

std::error_code last_error() { return {errno, std::system_category()}; }

class Descriptor {
 public:
  Descriptor(const fs::path& path, int flags) : value_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return value_; }
  bool close() {  // some file systems report a full disk only here
    const int value = std::exchange(value_, -1);
    return ::close(value) == 0;
  }

 private:
  int value_;
};

}  // namespace

DirectoryLock::DirectoryLock(const fs::path& directory)
    : descriptor_(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) {
  if (descriptor_ < 0) {
    busy_ = errno == ENOENT;
    return;
  }
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    busy_ = errno == EWOULDBLOCK;
    return;
  }
  struct stat locked{};
  struct stat there{};
  busy_ = ::fstat(descriptor_, &locked) == 0 &&
          (::lstat(directory.c_str(), &there) != 0 || locked.st_ino != there.st_ino || locked.st_dev != there.st_dev);
  held_ = !busy_;
}

DirectoryLock::~DirectoryLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void write_new(const fs::path& path, std::string_view bytes, std::error_code& error) {
  error.clear();
  Descriptor file(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
  if (file.get() < 0) {
    error = last_error();
    return;
  }
  while (!bytes.empty()) {
    const ssize_t written = ::write(file.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      error = last_error();
      return;
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  if (!file.close()) error = last_error();
}

void flush_file_system(const fs::path& directory, std::error_code& error) {
  error.clear();
  const Descriptor descriptor(directory, O_RDONLY | O_DIRECTORY);
  if (descriptor.get() < 0 || ::syncfs(descriptor.get()) != 0) error = last_error();
}

void flush_directory(const fs::path& directory, std::error_code& error) {
  error.clear();
  const Descriptor descriptor(directory, O_RDONLY | O_DIRECTORY);
  // EINVAL: a file system that does not flush directories on request.
  if (descriptor.get() < 0 || (::fsync(descriptor.get()) != 0 && errno != EINVAL)) error = last_error();
}

bool writable(const fs::path& directory, std::error_code& error) {
  error.clear();
  if (::faccessat(AT_FDCWD, directory.c_str(), W_OK | X_OK, AT_EACCESS) == 0) return true;
  error = last_error();
  return false;
}

bool writable_below(const fs::path& directory, std::error_code& error) {
  if (!writable(directory, error)) return false;
  for (fs::recursive_directory_iterator it(directory, error), end; !error && it != end; it.increment(error))
    if (it->symlink_status(error).type() == fs::file_type::directory && !writable(it->path(), error)) return false;
  return !error;
}

void swap_directories(const fs::path& a, const fs::path& b, const fs::path& aside, std::error_code& error) {
  error.clear();
  if (::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0) return;
  error = last_error();
  const bool not_supported = error == std::errc::invalid_argument || error == std::errc::function_not_supported;
  if (not_supported) swap_in_two_steps(a, b, aside, error);
}

void swap_in_two_steps(const fs::path& a, const fs::path& b, const fs::path& aside, std::error_code& error) {
  fs::rename(b, aside, error);
  if (error) return;
  fs::rename(a, b, error);
  std::error_code ignored;
  if (error) {
    fs::rename(aside, b, ignored);
  } else {
    fs::rename(aside, a, error);
  }
}

}  // namespace gpol
