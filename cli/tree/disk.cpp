// The disk as it is.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "cli/tree/file_tree.h"

namespace gpol {

namespace fs = std::filesystem;

namespace {

struct Descriptor {
  int fd;
  explicit Descriptor(int f) : fd(f) {}
  ~Descriptor() {
    if (fd >= 0) close(fd);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
};

FileTree::Type type_of(fs::file_type type) {
  using Type = FileTree::Type;
  return type == fs::file_type::regular                                    ? Type::File
         : type == fs::file_type::directory                                ? Type::Directory
         : type == fs::file_type::symlink                                  ? Type::Link
         : type == fs::file_type::none || type == fs::file_type::not_found ? Type::Absent
                                                                           : Type::Other;
}

class Disk : public FileTree {
 public:
  Type type(const fs::path& path, std::error_code& error) const override {
    return type_of(fs::status(path, error).type());
  }

  fs::path canonical(const fs::path& path, std::error_code& error) const override { return fs::canonical(path, error); }

  std::vector<Entry> entries(const fs::path& directory, std::error_code& error) const override {
    std::vector<Entry> found;
    for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error)) {
      std::error_code unknown;
      found.push_back({at->path().filename().string(), type_of(at->symlink_status(unknown).type())});
    }
    std::ranges::sort(found, {}, &Entry::name);
    return found;
  }

  std::optional<std::string> read(const fs::path& path, std::size_t most, std::error_code& error) const override {
    const auto fail = [&](int why) {
      error = {why, std::generic_category()};
      return std::nullopt;
    };
    // Not blocking: opening a FIFO must not wait for a writer.
    const Descriptor file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    struct stat status = {};
    if (file.fd < 0 || fstat(file.fd, &status) != 0) return fail(errno);
    if (S_ISDIR(status.st_mode)) return fail(EISDIR);
    if (!S_ISREG(status.st_mode)) return fail(ENOTSUP);
    const std::size_t expected = static_cast<std::size_t>(std::max<off_t>(status.st_size, 0)) + 1;
    std::string text;
    for (;;) {
      const std::size_t had = text.size();
      // The end of the file is met in the byte beyond its size: thousands of small files stay small.
      const std::size_t room = had < expected ? expected - had : 65536;
      text.resize(had + std::min(room, most + 1));
      const ssize_t got = ::read(file.fd, text.data() + had, text.size() - had);
      text.resize(had + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
      if (got < 0) return fail(errno);
      if (text.size() > most) return fail(EFBIG);
      if (got == 0) return text;
    }
  }

  bool is_repository(const fs::path& directory) const override {
    std::error_code error;
    return fs::exists(directory / ".git", error);
  }
};

}  // namespace

const FileTree& disk() {
  static const Disk whole;
  return whole;
}

}  // namespace gpol
