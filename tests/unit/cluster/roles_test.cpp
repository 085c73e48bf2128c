// Who is protected where labels alone say it.
#include "compiler/cluster/roles.h"

#include "tests/support/catch.h"

using namespace gpol;

namespace {

Cluster labelled() {
  Cluster cluster;
  cluster.resources = {"nvidia.com/gpu", "cpu", "memory"};
  cluster.flavors = {{"f", {}, {}, {}, ""}, {"g", {}, {}, {}, ""}};
  Queue queue;
  queue.name = "q";
  queue.labels = {{"gpol.dev/role", "serving"}, {"gpol.dev/class", "B"}};
  constexpr std::int64_t kGiB = std::int64_t{1} << 30;
  queue.groups = {{{0, 1, 2},
                   {{0, {{4, {}, {}}, {3500, {}, {}}, {9 * kGiB, {}, {}}}},
                    {1, {{2, {}, {}}, {8000, {}, {}}, {8 * kGiB, {}, {}}}}}}};
  cluster.queues = {queue};
  return cluster;
}

}  // namespace

TEST_CASE("the reserve is each nominal quota, the demand so many pods of one unit each") {
  const Intent intent = intent_from_labels(labelled());
  REQUIRE(intent.roles.size() == 1);
  const QueueRole& role = intent.roles[0];
  CHECK(role.kind == QueueRole::Kind::Serving);
  CHECK(role.isolation == Isolation::B);
  CHECK(role.reserve.size() == 6);
  CHECK(role.reserve[1] == 3500);
  CHECK(role.unit_demand == 3 + 2);  // whole cores: 3 of the first flavor; 2 devices of the second
  CHECK(intent.capacities.empty());
}

TEST_CASE("a pod takes one flavor of every group: the one with room for the fewest decides") {
  Cluster cluster = labelled();
  cluster.resources.push_back("rdma/hca");
  cluster.queues[0].groups.push_back({{3}, {{2, {{4, {}, {}}}}}});
  cluster.flavors.push_back({"h", {}, {}, {}, ""});
  CHECK(intent_from_labels(cluster).roles[0].unit_demand == 4);
}

TEST_CASE("without a class the strict reading counts; without a role it owns its quota all the same") {
  Cluster cluster = labelled();
  cluster.queues[0].labels.erase("gpol.dev/class");
  CHECK(intent_from_labels(cluster).roles[0].isolation == Isolation::A);
  cluster.queues[0].labels.clear();
  const Intent intent = intent_from_labels(cluster);
  CHECK(intent.roles[0].kind == QueueRole::Kind::None);
  CHECK(intent.roles[0].reserve.size() == 6);
  CHECK_FALSE(intent.roles[0].unit_demand);
}

TEST_CASE("a labelled priority class gives its role one priority, unless there are two or batch's is open") {
  Cluster cluster = labelled();
  Queue batch = cluster.queues[0];
  batch.name = "b";
  batch.labels = {{"gpol.dev/role", "batch"}};
  cluster.queues.push_back(batch);
  CHECK_FALSE(intent_from_labels(cluster).roles[1].priority);
  cluster.priority_classes = {
      {"people", 100, {{"gpol.dev/role", "serving"}}}, {"jobs", 10, {{"gpol.dev/role", "batch"}}}, {"other", 7, {}}};
  CHECK(intent_from_labels(cluster).roles[0].priority == 100);
  CHECK(intent_from_labels(cluster).roles[1].priority == 10);
  cluster.queues[1].labels["gpol.dev/batch-priority"] = "any";
  CHECK_FALSE(intent_from_labels(cluster).roles[1].priority);
  cluster.priority_classes.push_back({"vip", 101, {{"gpol.dev/role", "serving"}}});
  CHECK_FALSE(intent_from_labels(cluster).roles[0].priority);
}
