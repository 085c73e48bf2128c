#include "tests/hostile/traced.h"

#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>

namespace gpol::test {

namespace {

[[noreturn]] void become_traced(const std::filesystem::path& program, const std::vector<std::string>& args) {
  const int nothing = open("/dev/null", O_RDWR);
  for (int fd = 0; fd < 3; ++fd) dup2(nothing, fd);
  setenv("ASAN_OPTIONS", "detect_leaks=0", 1);  // the leak detector wants to trace as well
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& arg : args) argv.push_back(const_cast<char*>(arg.c_str()));
  argv.push_back(nullptr);
  if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(126);
  raise(SIGSTOP);
  execv(program.c_str(), argv.data());
  _exit(127);
}

bool is_rename(long call) {
  switch (call) {
#ifdef SYS_rename
    case SYS_rename:
#endif
#ifdef SYS_renameat
    case SYS_renameat:
#endif
    case SYS_renameat2:
      return true;
    default:
      return false;
  }
}

bool changes_files(long call, const std::uint64_t* args) {
  switch (call) {
#ifdef SYS_mkdir
    case SYS_mkdir:
    case SYS_rmdir:
    case SYS_unlink:
    case SYS_chmod:
#endif
    case SYS_mkdirat:
    case SYS_unlinkat:
    case SYS_fchmodat:
    case SYS_fsync:
    case SYS_syncfs:
      return true;
#ifdef SYS_open
    case SYS_open:
      return (args[1] & O_CREAT) != 0;
#endif
    case SYS_openat:
      return (args[2] & O_CREAT) != 0;
    case SYS_write:
      return args[0] > 2;  // not the report
    default:
      return is_rename(call);
  }
}

}  // namespace

Traced run_traced(const std::filesystem::path& program, const std::vector<std::string>& args, std::size_t at,
                  int signal) {
  Traced traced;
  const pid_t child = fork();
  if (child == 0) become_traced(program, args);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return traced;
  const auto options = reinterpret_cast<void*>(std::uintptr_t{PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL});
  traced.possible = ptrace(PTRACE_SETOPTIONS, child, nullptr, options) == 0;
  std::uintptr_t pass_on = 0;
  for (;;) {
    ptrace(PTRACE_SYSCALL, child, nullptr, reinterpret_cast<void*>(pass_on));
    pass_on = 0;
    if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) break;
    if (WSTOPSIG(status) != (SIGTRAP | 0x80)) {
      if (WSTOPSIG(status) != SIGTRAP) pass_on = static_cast<std::uintptr_t>(WSTOPSIG(status));  // not of exec
      continue;
    }
    struct __ptrace_syscall_info info{};
    const auto size = reinterpret_cast<void*>(sizeof info);
    if (ptrace(PTRACE_GET_SYSCALL_INFO, child, size, &info) <= 0) traced.possible = false;
    if (info.op != PTRACE_SYSCALL_INFO_ENTRY) continue;
    const auto call = static_cast<long>(info.entry.nr);
    if (!changes_files(call, info.entry.args)) continue;
    traced.steps.push_back(call);
    if (traced.steps.size() == at) kill(child, signal);
  }
  if (WIFEXITED(status)) traced.exit = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) traced.signal = WTERMSIG(status);
  return traced;
}

std::vector<std::size_t> renames(const Traced& traced) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < traced.steps.size(); ++i)
    if (is_rename(traced.steps[i])) found.push_back(i + 1);
  return found;
}

}  // namespace gpol::test
