// Long work shows itself: one line on a terminal, from one second on, which is gone when the work is done. In: the
// terminal, or nullptr where there is none (nothing is printed then). The methods may be called from any thread.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <iosfwd>
#include <mutex>
#include <string>
#include <thread>

namespace gpol {

class Progress {
 public:
  explicit Progress(std::ostream* terminal);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // So many of these (`policies`) are to be done now; none is.
  void begin(std::string what, std::size_t count);
  void done_one();

 private:
  void show();

  std::ostream* terminal_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false, shown_ = false;
  std::string what_;
  std::size_t count_ = 0, done_ = 0;
  std::thread painter_;
};

}  // namespace gpol
