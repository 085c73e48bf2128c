#include "compiler/source/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace gpol {

unsigned processors() { return std::max(1U, std::thread::hardware_concurrency()); }

void in_parallel(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& body) {
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  std::exception_ptr what;
  const auto work = [&] {
    try {
      for (std::size_t i = next++; i < count && !failed; i = next++) body(i);
    } catch (...) {  // memory; told on the caller's thread
      if (!failed.exchange(true)) what = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  try {
    for (std::size_t t = 1; t < std::min<std::size_t>(threads, count); ++t) others.emplace_back(work);
  } catch (const std::system_error&) {
  }
  work();
  for (std::thread& thread : others) thread.join();
  if (what) std::rethrow_exception(what);
}

}  // namespace gpol
