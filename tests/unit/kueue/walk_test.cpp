#include "checker/kueue/walk.h"

#include <algorithm>

#include "tests/support/catch.h"
#include "tests/unit/kueue/cluster_builder.h"

using namespace gpol;
using namespace gpol::kueue;
using namespace gpol::testing;

namespace {

struct Walked {
  PathBounds path;
  std::vector<Holding> witness;
};

Walked walk(const Cluster& cluster, Node owner, std::vector<std::int64_t> at_most = {}) {
  const Shape shape = shape_of(cluster);
  const Limits limits = limits_of(cluster, shape, 0, 0, nullptr);
  at_most.resize(shape.queues, kUnlimited);
  const Behaviour behaviour{at_most};
  return {walk_path(shape, limits, walk_bounds(shape, limits, behaviour), owner),
          witness(shape, limits, behaviour, owner)};
}

}  // namespace

TEST_CASE("without a lending limit everything can be claimed") {
  Builder b;
  b.queue("serving", "gpu", {.nominal = 8, .borrowing = 0});
  b.queue("batch", "gpu", {.nominal = 4});
  const Walked w = walk(b.cluster, 0);
  CHECK(w.path.owner_available == 0);
  REQUIRE(w.witness.size() == 1);
  CHECK(w.witness[0].queue == 1);
  CHECK(w.witness[0].amount == 12);
}

TEST_CASE("a lending limit keeps the rest") {
  Builder b;
  b.queue("serving", "gpu", {.nominal = 8, .borrowing = 0, .lending = 3});
  b.queue("batch", "gpu", {.nominal = 4});
  CHECK(walk(b.cluster, 0).path.owner_available == 5);
  b.cluster.queues[0].groups[0].flavors[0].quotas[0].lending = 0;
  CHECK(walk(b.cluster, 0).path.owner_available == 8);
}

TEST_CASE("batch that may not borrow leaves everything, and needs no witness") {
  Builder b;
  b.queue("serving", "gpu", {.nominal = 8, .borrowing = 0});
  b.queue("batch", "gpu", {.nominal = 4, .borrowing = 0});
  const Walked w = walk(b.cluster, 0);
  CHECK(w.path.owner_available == 8);
  CHECK(w.witness.empty());
}

TEST_CASE("a lending limit of 0 on the cohort of all serving queues protects them from outside, not from each other") {
  Builder b;
  b.cohort("root", "");
  b.cohort("serving", "root", {.nominal = 0, .lending = 0});
  b.queue("a", "serving", {.nominal = 8, .borrowing = 0});
  b.queue("b", "serving", {.nominal = 4});
  b.queue("batch", "root", {.nominal = 2});
  CHECK(walk(b.cluster, 0).path.owner_available == 0);          // b takes all
  CHECK(walk(b.cluster, 0, {8, 4}).path.owner_available == 8);  // b keeps to its reserve
}

TEST_CASE("one queue at a higher level is named rather than many at a lower one") {
  Builder b;
  b.cohort("root", "");
  b.cohort("low", "root");
  b.queue("serving", "low", {.nominal = 8, .borrowing = 0});
  for (const char* name : {"x", "y", "z"}) b.queue(name, "low", {.nominal = 0, .borrowing = 3});
  b.queue("large", "root", {.nominal = 0});
  const Walked w = walk(b.cluster, 0);
  CHECK(w.path.owner_available == 0);
  REQUIRE(w.witness.size() == 1);
  CHECK(w.witness[0].queue == 4);
}

TEST_CASE("the borrowing limit of a cohort binds its queues together") {
  Builder b;
  b.cohort("root", "");
  b.cohort("batch", "root", {.nominal = 0, .borrowing = 3});
  b.queue("serving", "root", {.nominal = 8, .borrowing = 0});
  b.queue("b1", "batch", {.nominal = 0});
  b.queue("b2", "batch", {.nominal = 0});
  const Walked w = walk(b.cluster, 0);
  CHECK(w.path.owner_available == 5);
  CHECK(w.witness.size() == 1);
}

TEST_CASE("what is unlimited is never used up") {
  Builder b;
  b.queue("serving", "gpu", {.nominal = 8});
  b.queue("batch", "gpu", {.nominal = kUnlimited});
  CHECK(walk(b.cluster, 0).path.owner_available == kUnlimited);
  CHECK(walk(b.cluster, 0).witness.empty());
  b.cluster.queues[0].groups[0].flavors[0].quotas[0].borrowing = 0;
  CHECK(walk(b.cluster, 0).path.owner_available == 8);
}

TEST_CASE("a sum that does not fit a machine word loses nothing when a share is taken out") {
  Bounds::Sum sum;
  for (int i = 0; i < 5; ++i) sum.add(kUnlimited - 1);
  CHECK(sum.value() == kUnlimited);
  for (int i = 0; i < 4; ++i) sum.subtract(kUnlimited - 1);
  CHECK(sum.value() == kUnlimited - 1);
  sum.subtract(kUnlimited - 8);
  CHECK(sum.value() == 7);
}
