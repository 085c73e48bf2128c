// Proxies of a gateway that are alike, as Envoy counts: each for itself, first the bucket of requests
// (local_ratelimit: full at first, and filled evenly), then the requests that are open at once (circuit breaker), so
// that a request which finds no place there has spent a token. It is replayed for every story, and held against a real
// Envoy (tests/gateway). Times in ms, never backwards.
#pragma once

#include <cstdint>

#include "compiler/cluster/intent.h"

namespace gpol::gateway {

class Proxies {
 public:
  // Of what is counted per proxy; `count` proxies.
  Proxies(const PlannedLimit& limit, std::int64_t count);

  // So many ask each proxy at once. Out: how many all proxies let in; these stay open.
  std::int64_t ask(std::int64_t at_ms, std::int64_t each);
  // The same, each answered before the next asks: none stays open.
  std::int64_t ask_in_turn(std::int64_t at_ms, std::int64_t each);
  std::int64_t open() const { return count_ * open_; }
  // When each has let in as many as may be open at once, if all are asked all the time and nothing is answered.
  std::int64_t full_at_ms() const;
  std::int64_t bucket() const { return bucket_; }  // 0: there is none

 private:
  std::int64_t spend(std::int64_t at_ms, std::int64_t each);  // out: how many had a token

  std::int64_t count_, parallel_, bucket_ = 0, window_ms_ = 1000;
  std::int64_t tokens_ = 0;  // of each, times window_ms_
  std::int64_t open_ = 0;    // of each
  std::int64_t now_ms_ = 0;
};

// The rate-limit service (envoyproxy/ratelimit src/limiter/cache_key.go): so many in each window, and all windows begin
// anew at whole multiples of their length.
class Window {
 public:
  explicit Window(const PlannedLimit::Amount& requests) : most_(requests.most), window_ms_(requests.window_ms) {}
  std::int64_t left(std::int64_t at_ms);
  void take(std::int64_t at_ms, std::int64_t requests) { taken_ += left(at_ms) >= requests ? requests : 0; }

 private:
  std::int64_t most_, window_ms_, index_ = 0, taken_ = 0;
};

// A proxy whose streams are all open, each for as long as the longest answer takes, and what waits for a connection.
class FullProxy {
 public:
  FullProxy(std::int64_t streams, std::int64_t waiting, std::int64_t longest_ms)
      : streams_(streams), waiting_(waiting), longest_ms_(longest_ms) {}
  // When the last one that waits now is answered, in ms from now.
  std::int64_t answer_all();

 private:
  std::int64_t streams_, waiting_, longest_ms_;
};

}  // namespace gpol::gateway
