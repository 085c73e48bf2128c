// Fillings of a node and how many nodes they can close, on numbers that can be worked out by hand.
#include "checker/nodes/blocking.h"
#include "tests/support/catch.h"

using namespace gpol::nodes;

namespace {

const auto kAny = [](const auto&) { return true; };

// Resources: gpu, cpu, pods.
PodKind serving(Amounts each, std::int64_t alone, std::int64_t beside = 0) {
  return {true, each, {false, false, false}, each, alone, beside, {}};
}
PodKind any_shape(Amounts most) { return {false, {0, 0, 1}, {true, true, false}, {}, 0, 0, std::move(most)}; }
PodKind of_shape(std::int64_t gpus, Amounts most) {
  return {false, {gpus, 0, 1}, {false, true, false}, {}, 0, 0, std::move(most)};
}

Question about(Amounts replica, std::vector<PodKind> kinds, Amounts batch, Amounts together) {
  return {{8, 80, 10}, std::move(replica), std::move(kinds), std::move(batch), std::move(together)};
}

std::int64_t closed(const Question& q, std::int64_t nodes) {
  const auto found = fillings(q);
  REQUIRE(found);
  const Closed result = most_closed(q, *found, nodes, kAny);
  std::int64_t by_each = 0;
  for (const std::int64_t most : most_closed_by(q, *found, nodes)) by_each = std::min(nodes, by_each + most);
  CHECK(by_each >= result.at_least);
  CHECK(result.at_least == result.at_most);
  return result.at_least;
}

}  // namespace

TEST_CASE("pods of any shape close a node each to a replica of a whole node") {
  const Amounts four{4, 40, 20};
  CHECK(closed(about({8, 80, 1}, {any_shape(four)}, four, {8, 80, 20}), 3) == 3);
  // By GPUs four nodes, by cpu forty millicores more: pods are what ends it.
  CHECK(closed(about({8, 80, 1}, {any_shape(four)}, four, {8, 80, 20}), 100) == 20);
}

TEST_CASE("pods of a whole node close no more nodes than they fill") {
  const Amounts eight{8, 80, 20};
  CHECK(closed(about({8, 80, 1}, {of_shape(8, eight)}, eight, {8, 80, 20}), 3) == 1);
  CHECK(closed(about({8, 80, 1}, {of_shape(4, eight)}, eight, {8, 80, 20}), 3) == 2);
}

TEST_CASE("cpu strands GPUs: a pod of few GPUs closes a node by its cpu") {
  const Amounts most{4, 80, 20};
  // The replica takes 2 GPUs and 20 cpu: closed by 7 GPUs, or by 61 cpu of one pod.
  CHECK(closed(about({2, 20, 1}, {of_shape(2, most)}, most, {100, 100, 100}), 3) == 1);
  const Amounts more{4, 122, 20};
  CHECK(closed(about({2, 20, 1}, {of_shape(2, more)}, more, {100, 200, 100}), 3) == 2);
}

TEST_CASE("replicas of their own kind leave a rest") {
  // Two replicas of three GPUs close a node of eight.
  CHECK(closed(about({3, 30, 1}, {serving({3, 30, 1}, 4)}, {0, 0, 0}, {0, 0, 0}), 2) == 2);
  CHECK(closed(about({3, 30, 1}, {serving({3, 30, 1}, 3)}, {0, 0, 0}, {0, 0, 0}), 2) == 1);
}

TEST_CASE("serving pods that share quota with batch leave it less") {
  const Amounts eight{8, 80, 20};
  const Question q = about({8, 80, 1}, {serving({8, 80, 1}, 0, 1), of_shape(8, eight)}, eight, {8, 80, 20});
  CHECK(closed(q, 3) == 1);
  Question apart = q;
  apart.kinds[0].alone = 1;
  apart.kinds[0].beside = 0;
  CHECK(closed(apart, 3) == 2);
}

TEST_CASE("pods that ask for nothing close a node by their number alone") {
  const Amounts none{0, 0, 25};
  CHECK(closed(about({1, 1, 1}, {any_shape(none)}, none, {100, 100, 100}), 5) == 2);
}

TEST_CASE("a replica larger than a node finds every node closed by nothing") {
  const auto found = fillings(about({9, 1, 1}, {}, {0, 0, 0}, {0, 0, 0}));
  REQUIRE(found);
  REQUIRE(found->size() == 1);
  CHECK(most_closed(about({9, 1, 1}, {}, {0, 0, 0}, {0, 0, 0}), *found, 7, kAny).at_least == 7);
}

TEST_CASE("no limit limits nothing, and too many kinds are not listed") {
  const Amounts endless{kNoLimit, kNoLimit, kNoLimit};
  CHECK(closed(about({8, 80, 1}, {any_shape(endless)}, endless, endless), 1'000'000) == 1'000'000);
  std::vector<PodKind> kinds;
  for (std::int64_t k = 0; k < 12; ++k) kinds.push_back(serving({1, k, 1}, 100));
  CHECK_FALSE(fillings(about({1, 1, 1}, kinds, {0, 0, 0}, {0, 0, 0})));
}

TEST_CASE("of two nodes no resource alone closes both, be it by how many fillings") {
  const Amounts batch{16, 160, 16};
  Question q = about({1, 1, 1}, {serving({1, 1, 1}, 0, 47), any_shape(batch)}, batch, {63, 700, 63});
  q.node = {32, 1280, 110};
  const auto found = fillings(q);
  REQUIRE(found);
  CHECK(most_closed_by(q, *found, 2) == std::vector<std::int64_t>{1, 0, 0});
  q.together[0] = 64;  // a GPU more
  CHECK(most_closed_by(q, *found, 2).front() == 2);
}

TEST_CASE("a way that is not accepted is not returned, and others are tried") {
  const Amounts four{4, 40, 20};
  const Question q = about({8, 80, 1}, {any_shape(four)}, four, {8, 80, 20});
  const auto found = fillings(q);
  REQUIRE(found);
  int asked = 0;
  Closed result = most_closed(q, *found, 3, [&](const auto&) { return ++asked == 3; });
  CHECK(asked == 3);
  REQUIRE(result.nodes.size() == found->size());
  CHECK(within_limits(q, *found, result.nodes));
  result = most_closed(q, *found, 3, [](const auto&) { return false; });
  CHECK(result.at_least == 3);
  CHECK(result.nodes.empty());
}

TEST_CASE("pods of two sizes share what their owner has") {
  PodKind small = serving({1, 10, 1}, 16), large = serving({8, 80, 1}, 2);
  small.owner = large.owner = 0;
  Question q = about({8, 80, 1}, {small, large}, {0, 0, 0}, {0, 0, 0});
  q.owned = {{2, 20, 100}};
  CHECK(closed(q, 3) == 2);  // two of one GPU
  q.owned = {{9, 90, 100}};
  CHECK(closed(q, 12) == 9);
  q.owned = {{9, 90, 4}};
  CHECK(closed(q, 12) == 4);
}
