#include "cli/commands/held_signals.h"

namespace gpol {

namespace {
constexpr int kEnding[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
}

HeldSignals::HeldSignals() {
  sigemptyset(&held_);
  for (const int signal : kEnding) {
    struct sigaction action{};
    // One that is ignored would wait like the others while it is held, and look like a wish to stop.
    if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler != SIG_IGN) sigaddset(&held_, signal);
  }
  pthread_sigmask(SIG_BLOCK, &held_, &before_);
}

HeldSignals::~HeldSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

bool HeldSignals::waiting() const {
  sigset_t pending;
  if (sigpending(&pending) != 0) return false;
  for (const int signal : kEnding)
    if (sigismember(&pending, signal) == 1 && sigismember(&held_, signal) == 1) return true;
  return false;
}

}  // namespace gpol
