#include "checker/gateway/model.h"

#include <algorithm>

namespace gpol::gateway {

Proxies::Proxies(const PlannedLimit& limit, std::int64_t count)
    : count_(count), parallel_(limit.streams ? limit.streams->most : kParallelByDefault) {
  if (!limit.requests) return;
  bucket_ = limit.requests->most;
  window_ms_ = limit.requests->window_ms;
  tokens_ = bucket_ * window_ms_;
}

std::int64_t Proxies::spend(std::int64_t at_ms, std::int64_t each) {
  if (bucket_ > 0) {
    const std::int64_t since = std::min(at_ms - now_ms_, window_ms_);  // by then it is full
    tokens_ = std::min(tokens_ + bucket_ * since, bucket_ * window_ms_);
    each = std::min(each, tokens_ / window_ms_);
    tokens_ -= each * window_ms_;
  }
  now_ms_ = at_ms;
  return each;
}

std::int64_t Proxies::ask_in_turn(std::int64_t at_ms, std::int64_t each) {
  return parallel_ > open_ ? count_ * spend(at_ms, each) : 0;
}

std::int64_t Proxies::ask(std::int64_t at_ms, std::int64_t each) {
  const std::int64_t let_in = std::min(spend(at_ms, each), parallel_ - open_);
  open_ += let_in;
  return count_ * let_in;
}

std::int64_t Proxies::full_at_ms() const {
  if (bucket_ == 0 || parallel_ <= bucket_) return 0;
  return ((parallel_ - bucket_) * window_ms_ + bucket_ - 1) / bucket_;
}

std::int64_t Window::left(std::int64_t at_ms) {
  if (const std::int64_t index = at_ms / window_ms_; index != index_) index_ = index, taken_ = 0;
  return most_ - taken_;
}

std::int64_t FullProxy::answer_all() {
  std::int64_t now = longest_ms_;  // the streams that are open end
  for (; waiting_ > 0; now += longest_ms_) waiting_ -= std::min(waiting_, streams_);
  return now;
}

}  // namespace gpol::gateway
