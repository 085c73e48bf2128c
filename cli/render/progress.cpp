#include "cli/render/progress.h"

#include <fmt/format.h>

#include <chrono>
#include <ostream>
#include <system_error>

namespace gpol {

Progress::Progress(std::ostream* terminal) : terminal_(terminal) {
  if (terminal_ == nullptr) return;
  try {
    painter_ = std::thread([this] { show(); });
  } catch (const std::system_error&) {  // no thread to be had: no line
  }
}

Progress::~Progress() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  ended_.notify_all();
  if (painter_.joinable()) painter_.join();
  if (shown_) *terminal_ << "\r\x1b[K" << std::flush;
}

void Progress::begin(std::string what, std::size_t count) {
  const std::lock_guard lock(mutex_);
  what_ = std::move(what);
  count_ = count;
  done_ = 0;
}

void Progress::done_one() {
  const std::lock_guard lock(mutex_);
  ++done_;
}

void Progress::show() {
  using namespace std::chrono_literals;
  const auto began = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  for (auto pause = 1000ms; !ended_.wait_for(lock, pause, [this] { return over_; }); pause = 200ms) {
    const auto passed = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - began);
    *terminal_ << (count_ == 0 ? fmt::format("\rreading, {} s\x1b[K", passed.count())
                               : fmt::format("\r{} of {} {}, {} s\x1b[K", done_, count_, what_, passed.count()))
               << std::flush;
    shown_ = true;
  }
}

}  // namespace gpol
