// What a service runs, in an update and after lost nodes, against its reserve.
#include "compiler/cluster/intent.h"
#include "tests/unit/policy/policy_text.h"

namespace gpol {

namespace {

// Nodes of eight GPUs in `big`, of which one may be lost; of four in `small`, of which two may be.
std::string with(const std::string& tenant) {
  return "cluster east { scheduler kueue "
         "nodes b { count 9 each 8 gpus, 192 cpu, 2 TiB, 110 pods tolerate 1 lost } "
         "nodes s { count 9 each 4 gpus, 96 cpu, 1 TiB, 110 pods tolerate 2 lost } "
         "nodes k { count 9 each 4 gpus, 96 cpu, 1 TiB, 110 pods } "
         "pool big on b pool small on s pool kept on k } class standard : B { ready within 4min } "
         "tenant t { namespace t class standard " +
         tenant + " }";
}

bool fits(const std::string& tenant) {
  const test::Resolved resolved(with(tenant));
  const auto lines = resolved.lines();
  if (lines.empty()) return true;
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].substr(0, 6) == "GP0309");
  return false;
}

}  // namespace

TEST_CASE("replicas and surge fit the reserve exactly, or they do not") {
  CHECK(fits("reserve 12 gpus of kept replica 4 gpus replicas 2, surge 1"));
  CHECK(fits("reserve 12 gpus of kept replica 4 gpus replicas 3, surge 0"));
  CHECK_FALSE(fits("reserve 12 gpus of kept replica 4 gpus replicas 3, surge 1"));
  CHECK_FALSE(fits("reserve 11 gpus of kept replica 4 gpus replicas 2, surge 1"));
  // By cpu there are fewer: a share of 24 a GPU, and a replica of more.
  CHECK(fits("reserve 12 gpus of kept replica 1 gpus, 48 cpu replicas 5, surge 1"));
  CHECK_FALSE(fits("reserve 12 gpus of kept replica 1 gpus, 48 cpu replicas 6, surge 1"));
}

TEST_CASE("what stands on the nodes that may be lost asks again, as many as fit there or as there are") {
  CHECK(fits("reserve 16 gpus of big replica 4 gpus replicas 2, surge 0"));
  CHECK_FALSE(fits("reserve 15 gpus of big replica 4 gpus replicas 2, surge 0"));
  CHECK(fits("reserve 24 gpus of big replica 4 gpus replicas 3, surge 1"));  // two of four on the lost node
  CHECK_FALSE(fits("reserve 20 gpus of big replica 4 gpus replicas 3, surge 1"));
  CHECK(fits("reserve 8 gpus of small replica 4 gpus replicas 1, surge 0"));
  CHECK(fits("reserve 20 gpus of small replica 4 gpus replicas 3, surge 0"));  // one on each of two nodes
  CHECK_FALSE(fits("reserve 16 gpus of small replica 4 gpus replicas 3, surge 0"));
}

TEST_CASE("several pools hold them together, and outside the queue lost pods take nothing") {
  CHECK(fits("reserve 8 gpus of kept reserve 20 gpus of small replica 4 gpus replicas 4, surge 1"));
  CHECK_FALSE(fits("reserve 8 gpus of kept reserve 16 gpus of small replica 4 gpus replicas 4, surge 1"));
  CHECK(fits("reserve 8 gpus of small replica 4 gpus replicas 1, surge 1 outside the queue"));
  CHECK_FALSE(fits("reserve 8 gpus of small replica 4 gpus replicas 1, surge 1"));
}

TEST_CASE("the turns are those of the whole reserve, whatever it says that it runs") {
  const auto turns = [](const std::string& tenant) {
    return plan(test::Resolved(with(tenant)).policy()).intent.roles.at(0).victims_in_turn;
  };
  CHECK(turns("reserve 24 gpus of big replica 4 gpus") == 6);
  CHECK(turns("reserve 24 gpus of big replica 4 gpus replicas 3, surge 1") == 6);
}

TEST_CASE("a policy says back what it was told") {
  const auto runs =
      test::Resolved(with("reserve 12 gpus of kept replica 4 gpus replicas 2, surge 1")).policy().tenants[0].runs;
  REQUIRE(runs);
  CHECK(runs->count == 2);
  CHECK(runs->surge == 1);
}

}  // namespace gpol
