#include "checker/kueue/model.h"
#include "tests/support/catch.h"
#include "tests/unit/kueue/cluster_builder.h"

using namespace gpol;
using namespace gpol::testing;

TEST_CASE("a plain classical cluster is covered") {
  Builder b;
  b.queue("q", "c", {.nominal = 1});
  b.cluster.config.gates["PrioritySortingWithinCohort"] = true;  // as it is by default
  b.cluster.config.wait_for_pods_ready = KueueConfig::WaitForPodsReady{};
  CHECK(kueue::supports(b.cluster).empty());
}

TEST_CASE("what the model does not cover is named") {
  const auto named = [](auto change) {
    Builder b;
    b.queue("q", "c", {.nominal = 1});
    change(b.cluster);
    return kueue::supports(b.cluster);
  };
  CHECK(named([](Cluster& c) { c.config.fair_sharing = true; }).empty());
  CHECK(named([](Cluster& c) { c.config.gates["PriorityBoost"] = true; }).empty());
  CHECK(named([](Cluster& c) { c.config.wait_for_pods_ready = KueueConfig::WaitForPodsReady{"", "", true}; }).empty());
  CHECK(named([](Cluster& c) { c.config.gates["ConcurrentAdmission"] = true; }) ==
        "feature gate ConcurrentAdmission=true");
  CHECK(named([](Cluster& c) { c.flavors[0].topology = "racks"; }) == "topology of ResourceFlavor h100");
  CHECK(named([](Cluster& c) { c.queues[0].admission_checks = {"prov"}; }) == "admission checks of ClusterQueue q");
  CHECK(named([](Cluster& c) { c.config.version = "0.17.8"; }) == "Kueue 0.17.8 (modelled: 0.19.2)");
  CHECK(named([](Cluster& c) {
          c.queues[0].admission_checks = {"prov"};
          c.flavors[0].topology = "racks";
        }) == "topology of ResourceFlavor h100; admission checks of ClusterQueue q");
}

TEST_CASE("the switches that no proof rests on are named where they are not as by default") {
  const auto named = [](auto change) {
    Builder b;
    b.queue("q", "c", {.nominal = 1});
    change(b.cluster.config);
    return kueue::unproven_switches(b.cluster);
  };
  CHECK(named([](KueueConfig&) {}).empty());
  CHECK(named([](KueueConfig& c) { c.gates["PrioritySortingWithinCohort"] = true; }).empty());
  CHECK(named([](KueueConfig& c) { c.gates["VisibilityOnDemand"] = false; }).empty());
  CHECK(named([](KueueConfig& c) { c.gates["PrioritySortingWithinCohort"] = false; }) ==
        "feature gate PrioritySortingWithinCohort=false");
  CHECK(named([](KueueConfig& c) {
          c.wait_for_pods_ready = KueueConfig::WaitForPodsReady{"", "", true};
          c.gates["MultiKueueOrchestratedPreemption"] = true;
        }) == "waitForPodsReady.blockAdmission; feature gate MultiKueueOrchestratedPreemption=true");
}
