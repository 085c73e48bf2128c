#include "checker/kueue/forest.h"

#include <algorithm>

#include "tests/support/catch.h"
#include "tests/unit/kueue/cluster_builder.h"

using namespace gpol;
using namespace gpol::kueue;
using namespace gpol::testing;

namespace {

// The worked example of the reference on Kueue (section 2), checked there against the real cache.
Cluster worked_example() {
  Builder b;
  b.cohort("root", "", {.nominal = 10});
  b.cohort("sv", "root", {.nominal = 4, .borrowing = 5, .lending = 6});
  b.cohort("bt", "root", {.nominal = 2, .borrowing = 8});
  b.queue("s1", "sv", {.nominal = 8, .lending = 3});
  b.queue("s2", "sv", {.nominal = 4, .borrowing = 2, .lending = 4});
  b.queue("b1", "bt", {.nominal = 6});
  b.queue("b2", "bt", {.nominal = 0, .borrowing = 12});
  return b.cluster;
}

struct Forest {
  Shape shape;
  Limits limits;
  Usage usage;
  Node node(const std::string& name) const {
    return static_cast<Node>(std::find(shape.names.begin(), shape.names.end(), name) - shape.names.begin());
  }
  void hold(const std::string& name, std::int64_t amount) { usage.add(shape, limits, node(name), amount); }
  std::int64_t left(const std::string& name) const { return available(shape, limits, usage, node(name)); }
};

Forest forest_of(const Cluster& cluster) {
  Forest f;
  f.shape = shape_of(cluster);
  f.limits = limits_of(cluster, f.shape, 0, 0, nullptr);
  return f;
}

}  // namespace

TEST_CASE("the worked example in three levels") {
  Forest f = forest_of(worked_example());
  f.hold("s1", 2);
  f.hold("b1", 8);
  f.hold("b2", 5);
  struct Row {
    const char* name;
    std::int64_t subtree, local, used, left, potential;
  };
  for (const Row& row :
       {Row{"s1", 8, 5, 2, 19, 21}, Row{"s2", 4, 0, 0, 6, 6}, Row{"sv", 11, 5, 0, 16, 16}, Row{"b1", 6, 0, 8, 3, 16},
        Row{"b2", 0, 0, 5, 3, 12}, Row{"bt", 8, 0, 13, 3, 16}, Row{"root", 24, 0, 13, 11, 24}}) {
    INFO(row.name);
    const Node v = f.node(row.name);
    CHECK(f.limits.subtree[v] == row.subtree);
    CHECK(f.limits.local[v] == row.local);
    CHECK(f.usage.of(v) == row.used);
    CHECK(f.left(row.name) == row.left);
    CHECK(f.limits.potential[v] == row.potential);
  }
}

TEST_CASE("removing what was added leaves nothing anywhere") {
  Forest f = forest_of(worked_example());
  f.hold("s1", 7);
  f.hold("s2", 6);
  f.hold("s1", -7);
  f.hold("s2", -6);
  for (Node v = 0; v < f.shape.parent.size(); ++v) CHECK(f.usage.of(v) == 0);
}

TEST_CASE("what is removed first leaves the parent") {
  Forest f = forest_of(worked_example());
  f.hold("s1", 7);  // keeps 5, spills 2 into sv, which keeps them
  CHECK(f.usage.of(f.node("sv")) == 2);
  CHECK(f.usage.of(f.node("root")) == 0);
  f.hold("s1", -3);
  CHECK(f.usage.of(f.node("s1")) == 4);
  CHECK(f.usage.of(f.node("sv")) == 0);
}

TEST_CASE("a cohort in debt eats what a lending limit of 0 protects") {
  Builder b;
  b.cohort("root", "", {.nominal = 4});
  b.queue("serving", "root", {.nominal = 8, .lending = 0});
  b.queue("batch", "root", {.nominal = 0});
  Forest f = forest_of(b.cluster);
  f.hold("batch", 4);
  CHECK(f.left("serving") == 8);
  b.cluster.cohorts[0].groups[0].flavors[0].quotas[0].nominal = 0;
  f.limits = limits_of(b.cluster, f.shape, 0, 0, nullptr);
  CHECK(f.left("root") == -4);
  CHECK(f.left("serving") == 4);
}

TEST_CASE("a lending limit does not limit the queue's own borrowing") {
  Builder b;
  b.queue("lender", "c", {.nominal = 4, .lending = 0});
  b.queue("other", "c", {.nominal = 6});
  const Forest f = forest_of(b.cluster);
  CHECK(f.left("lender") == 10);
  CHECK(f.left("other") == 6);
}

TEST_CASE("a queue without a cohort has its nominal quota and nothing else") {
  Builder b;
  b.queue("alone", "", {.nominal = 5});
  Forest f = forest_of(b.cluster);
  f.hold("alone", 3);
  CHECK(f.left("alone") == 2);
  CHECK(f.limits.potential[0] == 5);
}

TEST_CASE("usage never depletes what is unlimited") {
  Builder b;
  b.queue("endless", "c", {.nominal = kUnlimited});
  b.queue("other", "c", {.nominal = 1});
  Forest f = forest_of(b.cluster);
  f.hold("other", 1000);
  CHECK(f.left("other") == kUnlimited);
  CHECK(f.left("endless") == kUnlimited);
  CHECK(f.limits.potential[1] == kUnlimited);

  // Kept to itself, but for the 3 it lends: unlimited less 3 is unlimited, and nothing of it is seen above.
  b.cluster.queues[0].groups[0].flavors[0].quotas[0].lending = 3;
  f = forest_of(b.cluster);
  CHECK(f.limits.local[0] == kUnlimited);
  CHECK(f.limits.subtree[f.node("c")] == 1);
}

TEST_CASE("sums saturate") {
  Builder b;
  b.queue("a", "c", {.nominal = kUnlimited - 1});
  b.queue("b", "c", {.nominal = kUnlimited - 1});
  const Forest f = forest_of(b.cluster);
  CHECK(f.limits.subtree[f.node("c")] == kUnlimited);
}

TEST_CASE("cohorts that are only named follow those with an object, by name") {
  Builder b;
  b.cohort("middle", "top");
  b.queue("q", "zeta");
  b.queue("r", "middle");
  const Shape shape = shape_of(b.cluster);
  CHECK(shape.names == std::vector<std::string>{"q", "r", "middle", "top", "zeta"});
  CHECK(shape.parent == std::vector<Node>{4, 2, 3, kRoot, kRoot});
  CHECK(shape.children[2] == std::vector<Node>{1});
  std::vector<std::size_t> at(shape.parent.size());
  for (std::size_t i = 0; i < shape.bottom_up.size(); ++i) at[shape.bottom_up[i]] = i;
  for (Node v = 0; v < shape.parent.size(); ++v)
    if (shape.parent[v] != kRoot) CHECK(at[v] < at[shape.parent[v]]);
}

TEST_CASE("a cycle of cohorts, and what hangs below it, is cut out") {
  Builder b;
  b.cohort("a", "b");
  b.cohort("b", "a");
  b.cohort("below", "a");
  b.cohort("fine", "");
  b.queue("lost", "below", {.nominal = 3});
  b.queue("sound", "fine", {.nominal = 3});
  const Forest f = forest_of(b.cluster);
  for (const char* name : {"a", "b", "below", "lost"}) CHECK(f.shape.in_cycle[f.node(name)]);
  for (const char* name : {"fine", "sound"}) CHECK_FALSE(f.shape.in_cycle[f.node(name)]);
  CHECK(f.shape.bottom_up.size() == f.shape.parent.size());
  CHECK(f.limits.subtree[f.node("fine")] == 3);
}

TEST_CASE("a mode changes the limits of the queues that it names") {
  Builder b;
  b.queue("serving", "c", {.nominal = 8});
  b.queue("batch", "c", {.nominal = 0, .borrowing = 0});
  b.cluster.modes.push_back({"night", {{{"batch", "h100", "gpu"}, {.nominal = 0, .borrowing = 4, .lending = {}}}}});
  const Shape shape = shape_of(b.cluster);
  CHECK(limits_of(b.cluster, shape, 0, 0, nullptr).potential[1] == 0);
  CHECK(limits_of(b.cluster, shape, 0, 0, &b.cluster.modes[1]).potential[1] == 4);
  bool exact = false;
  CHECK(widest_limits(b.cluster, shape, 0, 0, exact).potential[1] == 4);
  CHECK(exact);
}

TEST_CASE("modes that differ in more than a borrowing limit have no exact widest limits") {
  Builder b;
  b.queue("serving", "c", {.nominal = 8});
  b.cluster.modes.push_back({"night", {{{"serving", "h100", "gpu"}, {.nominal = 4, .borrowing = {}, .lending = {}}}}});
  bool exact = true;
  widest_limits(b.cluster, shape_of(b.cluster), 0, 0, exact);
  CHECK_FALSE(exact);
}
