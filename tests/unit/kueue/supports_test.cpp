#include <map>
#include <string>

#include "checker/kueue/gates.h"
#include "checker/kueue/model.h"
#include "compiler/cluster/feature_gates.h"
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
  CHECK(named([](Cluster& c) { c.config.version = "0.17.8"; }).empty());
  CHECK(named([](Cluster& c) { c.config.version = "0.14.2"; }) == "Kueue v0.14.2 (known: v0.15 to v0.19)");
  CHECK(named([](Cluster& c) { c.config.version = "0.20.0"; }) == "Kueue v0.20.0 (known: v0.15 to v0.19)");
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

TEST_CASE("the gates that decide are those that the table of all gates says are modelled, with their defaults") {
  std::map<std::string, bool> here, there;
  for (const auto& gate : kueue::kGates) here[std::string(gate.name)] = gate.by_default;
  for (const auto name : kueue::kGatesLeftOut) here[std::string(name)] = false;
  for (const FeatureGate& gate : feature_gates())
    if (gate.changed == FeatureGate::If::Modelled) there[std::string(gate.name)] = gate.by_default;
  CHECK(here == there);
}

TEST_CASE("a feature gate is understood, or it is said why not") {
  CHECK(gate_not_understood("VisibilityOnDemand", false).empty());
  CHECK(gate_not_understood("PriorityBoost", true).empty());
  CHECK(gate_not_understood("WorkloadValidateResourcesAreNonNegative", true).empty());
  CHECK(gate_not_understood("WorkloadValidateResourcesAreNonNegative", false) == "changes what is not modelled");
  CHECK(gate_not_understood("HierarchicalCohorts", false).find("cannot be changed") == 0);
  CHECK(gate_not_understood("VisibilityOnDemnad", true).find("is no feature gate") == 0);
  CHECK(gate_not_understood("AllAlpha", true).find("switches many") == 0);
}
