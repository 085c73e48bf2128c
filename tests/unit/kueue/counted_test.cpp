// What of a request Kueue counts (pkg/workload/workload.go), by hand.
#include "checker/kueue/counted.h"

#include "tests/support/catch.h"

using namespace gpol;
using kueue::Request;

namespace {

// Resources 0..3; the queue covers all but the last.
Cluster cluster_with(std::vector<Transformation> transformations, std::vector<std::string> excluded = {}) {
  Cluster cluster;
  cluster.resources = {"cpu", "gpu", "credits", "raw"};
  cluster.flavors = {{"f", {}, {}, {}, ""}};
  cluster.modes = {{"base", {}}};
  Queue queue;
  queue.name = "q";
  queue.groups = {{{0, 1, 2}, {{0, {{8000, {}, {}}, {8, {}, {}}, {8, {}, {}}}}}}};
  queue.namespaces.present = true;
  cluster.queues = {queue};
  cluster.config.transformations = std::move(transformations);
  cluster.config.excluded_prefixes = std::move(excluded);
  return cluster;
}

std::vector<Request> counted(const Cluster& cluster, std::vector<Request> requests, std::int64_t pods = 1) {
  kueue::WorkloadSpec spec;
  spec.requests = std::move(requests);
  spec.count = pods;
  return kueue::counted(cluster, spec).requests;
}

}  // namespace

TEST_CASE("an input is kept or replaced, and what comes of it is added to what is asked for") {
  CHECK(counted(cluster_with({{"raw", true, "", {{"gpu", "2"}}}}), {{1, 1}, {3, 3}}) ==
        std::vector<Request>{{1, 1 + 2 * 3}});
  CHECK(counted(cluster_with({{"raw", false, "", {{"gpu", "2"}}}}), {{3, 3}}) == std::vector<Request>{{1, 6}, {3, 3}});
  CHECK(counted(cluster_with({{"raw", true, "", {}}}), {{0, 500}, {3, 3}}) == std::vector<Request>{{0, 500}});
}

TEST_CASE("fractions are rounded up for every pod, after all has been added") {
  const Cluster half = cluster_with({{"raw", true, "", {{"gpu", "0.5"}}}, {"gpu", false, "", {{"credits", "0.5"}}}});
  CHECK(counted(half, {{3, 1}}) == std::vector<Request>{{1, 1}});
  CHECK(counted(half, {{3, 3}}, 3) == std::vector<Request>{{1, 3}});
  const Cluster two = cluster_with({{"raw", true, "", {{"credits", "0.5"}}}, {"gpu", true, "", {{"credits", "0.5"}}}});
  CHECK(counted(two, {{1, 1}, {3, 1}}) == std::vector<Request>{{2, 1}});
  CHECK(counted(cluster_with({{"raw", true, "", {{"cpu", "0.0001"}}}}), {{3, 11}}) == std::vector<Request>{{0, 2}});
}

TEST_CASE("cpu counts in thousandths as an input and as a multiplier") {
  CHECK(counted(cluster_with({{"cpu", true, "", {{"credits", "3"}}}}), {{0, 1500}}) == std::vector<Request>{{2, 5}});
  const Cluster multiplied = cluster_with({{"raw", true, "cpu", {{"credits", "2"}}}});
  CHECK(counted(multiplied, {{0, 1500}, {3, 3}}) == std::vector<Request>{{0, 1500}, {2, 9}});
  CHECK(counted(multiplied, {{3, 3}}) == std::vector<Request>{{2, 6}});  // nobody asks for the multiplier
}

TEST_CASE("an allowance lowers what others make, never what is asked for") {
  const Cluster allowed =
      cluster_with({{"raw", true, "", {{"credits", "-2"}}}, {"gpu", false, "", {{"credits", "1"}}}});
  CHECK(counted(allowed, {{1, 3}, {3, 1}}) == std::vector<Request>{{1, 3}, {2, 1}});
  CHECK(counted(allowed, {{2, 4}, {3, 1}}) == std::vector<Request>{{2, 4}});
}

TEST_CASE("what is excluded is neither counted nor transformed nor a multiplier") {
  const Cluster excluded =
      cluster_with({{"raw", true, "cpu", {{"credits", "1"}}}, {"cpu", false, "", {{"gpu", "1"}}}}, {"cp"});
  CHECK(counted(excluded, {{0, 2000}, {3, 3}}) == std::vector<Request>{{2, 3}});
}

TEST_CASE("amounts beyond 64 bits stay at the end of them") {
  const Cluster huge = cluster_with({{"raw", true, "gpu", {{"credits", "999999999999999999"}}}});
  CHECK(counted(huge, {{1, INT64_MAX}, {3, INT64_MAX}}) == std::vector<Request>{{1, INT64_MAX}, {2, INT64_MAX}});
}

TEST_CASE(
    "what a transformation makes and nobody offers keeps a workload out, unless undeclared resources are ignored") {
  for (const bool ignored : {false, true}) {
    Cluster cluster = cluster_with({{"gpu", false, "", {{"nowhere", "1"}}}});
    if (ignored) cluster.config.quota_check_strategy = "IgnoreUndeclared";
    kueue::Model model(kueue::compile(cluster), 0);
    kueue::WorkloadSpec spec;
    spec.requests = {{1, 1}};
    const auto id = model.submit(spec);
    model.settle();
    CHECK((model.state(id) == kueue::WorkloadState::Admitted) == ignored);
  }
}

TEST_CASE("what counts otherwise is named") {
  const Cluster cluster = cluster_with({{"raw", true, "", {{"gpu", "1"}}}, {"gpu", false, "", {}}}, {"cp"});
  const auto how = [&](const char* resource) { return kueue::counted_otherwise(cluster.config, resource); };
  CHECK(how("cpu") == "resources.excludeResourcePrefixes leaves out cpu");
  CHECK(how("gpu") == "resources.transformations with the input gpu");
  CHECK(how("credits").empty());
  CHECK(kueue::made_of_others(cluster.config, "gpu") == "resources.transformations make gpu of raw");
  CHECK(kueue::uncharged(cluster.config, "raw"));
  CHECK(kueue::uncharged(cluster.config, "cpu"));
  CHECK_FALSE(kueue::uncharged(cluster.config, "gpu"));
}
