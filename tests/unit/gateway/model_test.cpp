// The model of proxies: figures are worked out by hand; tests/gateway holds them against real Envoys.
#include "checker/gateway/model.h"
#include "tests/support/catch.h"

using namespace gpol;
using gateway::Proxies;

namespace {

PlannedLimit limit(std::optional<std::int64_t> streams, std::int64_t requests = 0, std::int64_t window_ms = 1000) {
  PlannedLimit made;
  if (streams) made.streams = {*streams, 0, true};
  if (requests > 0) made.requests = {requests, window_ms, true};
  return made;
}

}  // namespace

TEST_CASE("proxies: each lets in as many as may be open at once") {
  Proxies proxies(limit(3), 2);
  CHECK(proxies.ask(0, 5) == 6);
  CHECK(proxies.open() == 6);
  CHECK(proxies.ask(10, 5) == 0);
  CHECK(proxies.ask_in_turn(10, 5) == 0);
}

TEST_CASE("proxies: without a bound Envoy Gateway's own counts") {
  Proxies proxies(limit({}), 1);
  CHECK(proxies.ask(0, 5000) == 1024);
}

TEST_CASE("proxies: a bucket is full at first, is filled evenly, and never holds more than it did") {
  Proxies proxies(limit(1000, 50), 1);
  CHECK(proxies.ask(0, 80) == 50);
  CHECK(proxies.ask(0, 1) == 0);
  CHECK(proxies.ask(19, 1) == 0);
  CHECK(proxies.ask(20, 80) == 1);  // one every 20 ms
  CHECK(proxies.ask(1020, 80) == 50);
  CHECK(proxies.ask(9000, 80) == 50);
}

TEST_CASE("proxies: what finds no place has spent a token") {
  Proxies proxies(limit(2, 4), 1);
  CHECK(proxies.ask(0, 3) == 2);
  CHECK(proxies.ask(0, 1) == 0);
  Proxies in_turn(limit(2, 4), 3);
  CHECK(in_turn.ask_in_turn(0, 9) == 12);
  CHECK(in_turn.ask_in_turn(500, 9) == 6);
  CHECK(in_turn.open() == 0);
}

TEST_CASE("proxies: a limit of a minute lets all of it in at once") {
  Proxies proxies(limit({}, 600, 60'000), 3);
  CHECK(proxies.ask(0, 1000) == 1800);
  CHECK(proxies.ask(1000, 1000) == 30);
}

TEST_CASE("proxies: they are full as soon as the bucket let in as many as may be open") {
  CHECK(Proxies(limit(200, 50), 3).full_at_ms() == 3000);
  CHECK(Proxies(limit(50, 50), 3).full_at_ms() == 0);
  CHECK(Proxies(limit(200), 3).full_at_ms() == 0);
  CHECK(Proxies(limit(8, 3), 1).full_at_ms() == 1667);
}
