// Whose grace is in whose deadline: by flavors, by nodes, by queues of several flavors.
#include "checker/families/batch_times.h"
#include "tests/support/catch.h"
#include "tests/unit/families/nodes_cluster.h"

namespace gpol::test {
namespace {

constexpr Millis kShort = 60'000, kLong = 1'800'000;

// Serving and one batch queue on pool `a`, the other batch queue, which takes long, on pool `b`.
struct TwoPools : NodesCluster {
  TwoPools() {
    a = pool("a", 4), b = pool("b", 4);
    quota(chat = serves("chat", 1, "root"), a, {80, 8, 8});
    quota(quick = trains("quick"), a, {80, 8, 8});
    quota(slow = trains("slow"), b, {80, 8, 8});
    end(quick, kShort), end(slow, kLong);
    intent.batch.grace = intent.batch.kill_margin = constant(kLong);
    intent.batch.only_jobs = true;
  }
  static TimeConstant constant(Millis value) {
    TimeConstant made;
    made.value = value;
    return made;
  }
  void end(std::uint32_t q, Millis value) { intent.roles[q].grace = intent.roles[q].kill_margin = constant(value); }
  std::optional<Millis> grace() const {
    const BatchCircles circles(cluster, intent);
    const auto& times = circles.of_queue(chat);
    CHECK(times.grace.has_value() == times.kill_margin.has_value());
    CHECK(circles.of_flavor(a).grace.has_value() == times.grace.has_value());
    return times.grace ? std::optional(times.grace->value) : std::nullopt;
  }
  std::uint32_t a = 0, b = 0, chat = 0, quick = 0, slow = 0;
};

}  // namespace

TEST_CASE("batch on other nodes is in no deadline, known or not") {
  TwoPools c;
  CHECK(c.grace() == kShort);
  c.intent.roles[c.slow].grace.reset(), c.intent.roles[c.slow].kill_margin.reset();
  CHECK(c.grace() == kShort);
  c.intent.batch.grace.reset(), c.intent.batch.kill_margin.reset();
  CHECK(c.grace() == kShort);
  c.intent.roles[c.quick].grace.reset(), c.intent.roles[c.quick].kill_margin.reset();
  CHECK(c.grace() == std::nullopt);
}

TEST_CASE("batch of the same flavor is") {
  TwoPools c;
  c.quota(c.slow, c.a, {0, 0, 0});
  CHECK(c.grace() == kLong);
  c.intent.roles[c.slow].grace.reset(), c.intent.roles[c.slow].kill_margin.reset();
  c.intent.batch.grace.reset(), c.intent.batch.kill_margin.reset();
  CHECK(c.grace() == std::nullopt);
}

TEST_CASE("batch whose flavor lands on the same nodes is") {
  TwoPools c;
  c.cluster.flavors[c.b].node_labels.clear();
  CHECK(c.grace() == kLong);
}

TEST_CASE("batch is that may hold both flavors of another one at once") {
  TwoPools c;
  c.quota(c.quick, c.b, {0, 0, 0});
  CHECK(c.grace() == kShort);  // a Job holds one
  c.intent.batch.only_jobs = false;
  CHECK(c.grace() == kLong);
}

TEST_CASE("batch is on the other flavor of one who serves") {
  TwoPools c;
  c.quota(c.chat, c.b, {80, 8, 8});
  CHECK(c.grace() == kLong);
}

}  // namespace gpol::test
