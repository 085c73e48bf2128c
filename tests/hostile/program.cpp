#include "tests/hostile/program.h"

#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>

#include "tests/support/run_gpol.h"

namespace gpol::test {

namespace fs = std::filesystem;

namespace {

constexpr uid_t kNobody = 65534;

void limit(int resource, rlim_t most) {
  const struct rlimit both{most, most};
  if (most != RLIM_INFINITY) setrlimit(static_cast<__rlimit_resource>(resource), &both);
}

int open_or_die(const fs::path& path, int flags) {
  const int fd = open(path.c_str(), flags | O_CLOEXEC, 0666);
  if (fd < 0) _exit(126);
  return fd;
}

// In the child: everything that is asked for, then the program.
[[noreturn]] void become(const fs::path& program, const Command& command, const fs::path& said) {
  dup2(open_or_die(command.input, O_RDONLY), 0);
  const int both = open_or_die(said, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND);
  dup2(command.output.empty() ? both : open_or_die(command.output, O_WRONLY), 1);
  dup2(both, 2);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, command.largest_file);
  if (command.as_nobody && geteuid() == 0)
    if (setgroups(0, nullptr) != 0 || setgid(kNobody) != 0 || setuid(kNobody) != 0) _exit(126);
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& arg : command.args) argv.push_back(const_cast<char*>(arg.c_str()));
  argv.push_back(nullptr);
  execv(program.c_str(), argv.data());
  _exit(127);
}

double seconds(const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec); }

std::string example(const std::string& what, const std::string& with) {
  std::string text = read_text(std::string(GPOL_ROOT) + "/tests/golden/build/two_classes_one_loan.gpol");
  const auto at = text.find(what);
  if (at == std::string::npos) throw std::runtime_error("the golden has changed: no " + what);
  return text.replace(at, what.size(), with);
}

}  // namespace

Limits limits() {
#if defined(GPOL_SLOW)
  return {120, 600, 1024 * 1024};
#else
  return {};
#endif
}

Workshop::Workshop() {
  std::string name = (fs::temp_directory_path() / "gpol-hostile-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
  root_ = fs::canonical(name);
  fs::permissions(root_, fs::perms(0755));
  program_ = root_ / "gpol";  // a copy: other users may not reach the one that was built
  fs::copy_file(GPOL_PROGRAM, program_);
}

Workshop::~Workshop() {
  std::error_code ignored;
  fs::remove_all(root_, ignored);
}

fs::path Workshop::fresh() {
  const fs::path path = root_ / std::to_string(++count_);
  fs::create_directory(path);
  fs::permissions(path, fs::perms(0777));
  return path;
}

Ended Workshop::run(const Command& command) {
  const fs::path said = root_ / "said";
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) become(program_, command, said);
  const int handle = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  if (handle < 0) throw std::runtime_error("pidfd_open failed");
  struct pollfd wait_for{handle, POLLIN, 0};
  Ended ended;
  ended.late = poll(&wait_for, 1, static_cast<int>(limits().wall_seconds * 1000)) == 0;
  if (ended.late) kill(child, SIGKILL);
  close(handle);
  int status = 0;
  struct rusage cost{};
  wait4(child, &status, 0, &cost);
  ended.seconds = seconds(cost.ru_utime) + seconds(cost.ru_stime);
  ended.rss_mib = cost.ru_maxrss / 1024;
  if (WIFEXITED(status)) ended.exit = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
  ended.said = read_text(said);
  return ended;
}

Tree tree(const fs::path& directory) {
  Tree files;
  std::error_code error;
  for (fs::recursive_directory_iterator it(directory, error), end; !error && it != end; it.increment(error))
    if (std::error_code odd; it->is_regular_file(odd))
      files[fs::relative(it->path(), directory).string()] = read_text(it->path());
  return files;
}

std::string good_policy() { return example("quota 40 gpus", "quota 40 gpus"); }
std::string other_policy() { return example("quota 40 gpus", "quota 32 gpus"); }

}  // namespace gpol::test
