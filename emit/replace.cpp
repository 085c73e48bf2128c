#include "emit/replace.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "emit/temporary.h"

namespace gpol {

namespace fs = std::filesystem;

namespace {

std::error_code last_error() { return {errno, std::system_category()}; }

class Descriptor {
 public:
  Descriptor(const fs::path& path, int flags) : Descriptor(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  explicit Descriptor(int opened) : value_(opened) {}
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return value_; }
  bool close() {  // some file systems report a full disk only here
    return ::close(std::exchange(value_, -1)) == 0;
  }

 private:
  int value_;
};

void write_all(const Descriptor& file, std::string_view bytes, std::error_code& error) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      error = last_error();
      return;
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

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
  write_all(file, bytes, error);
  if (!error && !file.close()) error = last_error();
}

fs::path write_beside(const fs::path& file, std::string_view bytes, std::error_code& error) {
  struct stat like{};
  if (::stat(file.c_str(), &like) != 0) {
    error = last_error();
    return {};
  }
  int opened = -1;
  // Closed to others until it has the owner and the mode of the file.
  const fs::path path = with_fresh_name(file.parent_path(), error, [&](const fs::path& name) {
    opened = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
    return opened >= 0;
  });
  if (error) return {};
  Descriptor fresh(opened);
  struct stat made{};
  const auto check = [&](int result) {
    if (!error && result != 0) error = last_error();
  };
  check(::fstat(fresh.get(), &made));
  if (!error && (made.st_uid != like.st_uid || made.st_gid != like.st_gid))
    check(::fchown(fresh.get(), like.st_uid, like.st_gid));
  if (!error) check(::fchmod(fresh.get(), like.st_mode & 07777U));
  if (!error) write_all(fresh, bytes, error);
  if (!error) check(::fsync(fresh.get()));
  if (!error && !fresh.close()) error = last_error();
  if (!error) return path;
  ::unlink(path.c_str());
  return {};
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

bool writable(const fs::path& path, std::error_code& error) {
  const int enter = fs::is_directory(path, error) ? X_OK : 0;
  if (!error && ::faccessat(AT_FDCWD, path.c_str(), W_OK | enter, AT_EACCESS) == 0) return true;
  if (error) return false;
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
