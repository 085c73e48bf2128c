#include "cli/commands/inputs.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <istream>
#include <optional>
#include <set>

#include "cli/codes.h"
#include "compiler/policy/codes.h"
#include "compiler/source/codes.h"
#include "compiler/source/edit_distance.h"

namespace gpol {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLargest = std::size_t{64} << 20U;
constexpr std::string_view kCircle = "it is a link that leads in a circle";
constexpr int kDeepest = 64;  // directories below a PATH

// What is looked for below a directory.
struct Wanted {
  std::span<const std::string_view> extensions;
  std::string_view some, all, several, file;  // in words
};
constexpr std::string_view kPolicyEnd[] = {".gpol"},
                           kManifestEnds[] = {".yaml", ".yml", ".json", ".tpl", ".tftpl", ".j2"};
constexpr Wanted kPolicies{kPolicyEnd, "a policy", "the policy", "policies", ".gpol file"};
constexpr Wanted kManifests{kManifestEnds, "manifests", "the manifests", "manifests", ".yaml, .yml or .json file"};

bool wanted(const fs::path& path, const Wanted& what) {
  if (&what == &kManifests && path.filename() == "Kustomization") return true;
  return std::find(what.extensions.begin(), what.extensions.end(), path.extension().string()) != what.extensions.end();
}

Diagnostic cannot_read(const std::string& path, std::string_view why, std::string hint = {}) {
  return {code::CannotRead, Severity::Error, {}, fmt::format("`{}` cannot be read: {}", path, why), {},
          std::move(hint)};
}

Diagnostic too_large(std::string message, std::string hint) {
  return {code::TooDeepOrLarge, Severity::Error, {}, std::move(message), {}, std::move(hint)};
}

Diagnostic too_large(const std::string& path, const Wanted& what) {
  return too_large(fmt::format("`{}` is larger than 64 MiB", path), fmt::format("split {}", what.all));
}

// The policy or directory beside a path that is not there whose name is nearest to it.
std::string near_path(const std::string& missing) {
  const fs::path path(missing);
  const fs::path parent = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::vector<std::string> names;
  std::error_code error;
  constexpr std::size_t kLooked = 1000;  // a hint is not worth more
  for (fs::directory_iterator it(parent, error), end; !error && it != end && names.size() < kLooked;
       it.increment(error)) {
    std::error_code unknown;
    if (it->path().extension() == ".gpol" || it->is_directory(unknown)) names.push_back(it->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  const auto near = nearest(path.filename().string(), candidates);
  if (!near) return {};
  return fmt::format("did you mean `{}`?", path.has_parent_path() ? (path.parent_path() / *near).string() : *near);
}

struct Descriptor {
  int fd;
  explicit Descriptor(int f) : fd(f) {}
  ~Descriptor() {
    if (fd >= 0) close(fd);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
};

std::optional<std::string> read_file(const std::string& path, const std::string& shown, const Wanted& what,
                                     std::vector<Diagnostic>& out) {
  // Not blocking: opening a FIFO must not wait for a writer.
  const Descriptor file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat status = {};
  if (file.fd < 0 || fstat(file.fd, &status) != 0) {
    const int why = errno;
    if (why == ELOOP)
      out.push_back(cannot_read(shown, std::string(kCircle), "mend the link, or remove it"));
    else
      out.push_back(cannot_read(shown, std::strerror(why), why == ENOENT ? near_path(shown) : std::string()));
    return std::nullopt;
  }
  if (S_ISDIR(status.st_mode)) {
    out.push_back(cannot_read(shown, "it is a directory", "give a file"));
    return std::nullopt;
  }
  if (!S_ISREG(status.st_mode)) {
    out.push_back(cannot_read(shown, "it is not a regular file",
                              fmt::format("give `-` to read {} from standard input", what.some)));
    return std::nullopt;
  }
  const std::size_t expected = static_cast<std::size_t>(std::max<off_t>(status.st_size, 0)) + 1;
  std::string text;
  for (;;) {
    const std::size_t had = text.size();
    // The end of the file is met in the byte beyond its size: thousands of small files stay small.
    const std::size_t room = had < expected ? expected - had : 65536;
    text.resize(had + std::min(room, kLargest + 1));
    const ssize_t got = read(file.fd, text.data() + had, text.size() - had);
    text.resize(had + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0) {
      out.push_back(cannot_read(shown, std::strerror(errno)));
      return std::nullopt;
    }
    if (text.size() > kLargest) {
      out.push_back(too_large(shown, what));
      return std::nullopt;
    }
    if (got == 0) return text;
  }
}

}  // namespace

std::optional<std::string> read_policy_file(const std::string& path, std::vector<Diagnostic>& out) {
  return read_file(path, path, kPolicies, out);
}

std::optional<std::string> read_policy_file(const std::string& path, const std::string& shown,
                                            std::vector<Diagnostic>& out) {
  return read_file(path, shown, kPolicies, out);
}

std::optional<std::string> read_manifest_file(const std::string& path, std::vector<Diagnostic>& out) {
  return read_file(path, path, kManifests, out);
}

namespace {

bool inside(const fs::path& file, const fs::path& root) {
  std::error_code error;
  const fs::path real = fs::canonical(file, error);
  const fs::path top = error ? fs::path() : fs::canonical(root, error);
  if (error) return false;
  return std::mismatch(top.begin(), top.end(), real.begin(), real.end()).first == top.end();
}

void find_files(const Wanted& what, const fs::path& root, const fs::path& directory, int depth,
                std::vector<std::string>& found, std::vector<Diagnostic>& out) {
  std::error_code error;
  fs::directory_iterator entries(directory, error);
  if (depth > kDeepest)
    return out.push_back(too_large(fmt::format("`{}` is more than {} directories deep", directory.string(), kDeepest),
                                   fmt::format("give the directories that hold {}", what.several)));
  for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
    const fs::path path = entries->path();
    std::error_code unknown;
    const fs::file_status status = entries->symlink_status(unknown);
    // Hidden files are applied by kubectl as all others are; hidden directories are tools'.
    if (path.filename().string().front() == '.' && (&what == &kPolicies || fs::is_directory(status))) continue;
    if (fs::is_directory(status)) {
      find_files(what, root, path, depth + 1, found, out);
    } else if (wanted(path, what)) {
      if (fs::is_symlink(status) && fs::is_directory(path, unknown)) continue;
      if (fs::is_symlink(status) && fs::status(path, unknown).type() == fs::file_type::not_found)
        out.push_back(cannot_read(path.string(), "it is a link that leads nowhere", "mend the link, or remove it"));
      else if (unknown == std::errc::too_many_symbolic_link_levels)
        out.push_back(cannot_read(path.string(), std::string(kCircle), "mend the link, or remove it"));
      else if (fs::is_symlink(status) && !inside(path, root))
        out.push_back(cannot_read(path.string(), fmt::format("it is a link that leads out of `{}`", root.string()),
                                  "give the file itself as a PATH"));
      else
        found.push_back(path.string());
    }
  }
  if (error) out.push_back(cannot_read(directory.string(), error.message()));
}

std::optional<std::string> read_stream(std::istream& in, const Wanted& what, std::vector<Diagnostic>& out) {
  std::string text;
  char block[65536];
  while (in.read(block, sizeof block) || in.gcount() > 0) {
    text.append(block, static_cast<std::size_t>(in.gcount()));
    if (text.size() > kLargest) {
      out.push_back(too_large("-", what));
      return std::nullopt;
    }
  }
  if (in.bad()) {
    out.push_back(cannot_read("-", "standard input failed"));
    return std::nullopt;
  }
  return text;
}

}  // namespace

namespace {

Outcome<std::vector<PolicyText>> read_texts(const Wanted& what, std::span<const std::string> paths,
                                            std::istream& standard_input) {
  Outcome<std::vector<PolicyText>> result;
  std::set<std::string> seen;
  std::size_t total = 0;
  const auto take = [&](const std::string& path, std::optional<std::string> text) {
    if (!text || total > kLargest) return;
    total += text->size();
    if (total <= kLargest) return result.value.push_back({path, std::move(*text)});
    result.diagnostics.push_back(too_large(
        fmt::format("the {} up to `{}` are larger than 64 MiB together, the rest is not read", what.several, path),
        "check them in several runs"));
  };
  for (const std::string& path : paths) {
    std::error_code error;
    if (path == "-") {
      take(path, read_stream(standard_input, what, result.diagnostics));
    } else if (fs::is_directory(path, error)) {
      std::vector<std::string> found;
      const std::size_t problems = result.diagnostics.size();
      find_files(what, path, path, 0, found, result.diagnostics);
      std::sort(found.begin(), found.end());
      if (found.empty() && result.diagnostics.size() == problems)
        result.diagnostics.push_back({code::NoPolicy,
                                      Severity::Error,
                                      {},
                                      fmt::format("`{}` holds no {}", path, what.file),
                                      {},
                                      fmt::format("give a {}, or a directory that holds one", what.file)});
      for (const std::string& file : found)
        if (total <= kLargest && seen.insert(fs::path(file).lexically_normal().string()).second)
          take(file, read_file(file, file, what, result.diagnostics));
    } else if (seen.insert(fs::path(path).lexically_normal().string()).second) {
      take(path, read_file(path, path, what, result.diagnostics));
    }
  }
  return result;
}

}  // namespace

std::optional<std::string> read_beside(std::span<const std::string> paths, const std::string& path) {
  std::error_code error;
  const bool allowed = std::any_of(paths.begin(), paths.end(), [&](const std::string& given) {
    fs::path root = fs::canonical(given, error);
    if (error) return false;
    for (fs::path at = root; at.has_relative_path(); at = at.parent_path())
      if (fs::exists(at / ".git", error)) {
        root = at;
        break;
      }
    return inside(path, root) || inside(path, fs::current_path(error));
  });
  std::vector<Diagnostic> ignored;
  return allowed ? read_file(path, path, kManifests, ignored) : std::nullopt;
}

Outcome<std::vector<PolicyText>> read_policies(std::span<const std::string> paths, std::istream& standard_input) {
  return read_texts(kPolicies, paths, standard_input);
}

Outcome<std::vector<PolicyText>> read_manifests(std::span<const std::string> paths, std::istream& standard_input) {
  return read_texts(kManifests, paths, standard_input);
}

}  // namespace gpol
