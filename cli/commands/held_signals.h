// Signals that end the process, held back for a while: they are delivered at the end of this object's life, with their
// usual effect, so that what must not be left half done is finished or taken back first. Signals that the process
// ignores stay ignored. For code that runs in one thread.
#pragma once

#include <csignal>

namespace gpol {

class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  // One has come.
  bool waiting() const;

 private:
  sigset_t held_, before_;
};

}  // namespace gpol
