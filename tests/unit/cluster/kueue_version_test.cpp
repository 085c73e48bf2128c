#include "compiler/cluster/kueue_version.h"

#include "checker/kueue/gates.h"
#include "compiler/cluster/cluster.h"
#include "tests/support/catch.h"

using namespace gpol;

TEST_CASE("versions are three numbers, in their order") {
  CHECK(parse_kueue_version("v0.17.3") == KueueVersion{0, 17, 3});
  CHECK(parse_kueue_version("0.9.10") > parse_kueue_version("0.9.9"));
  CHECK(parse_kueue_version("1.0.0") > parse_kueue_version("0.19.2"));
  for (const char* text : {"", "v", "0.17", "0.17.", "0.17.3.1", "0.17.3-rc1", "0.17.x", "-1.2.3", "0.17.99999999999"})
    CHECK(!parse_kueue_version(text));
}

TEST_CASE("what is known of a version: quotas of 0.15 to 0.19, all of the one that was compared") {
  CHECK(rules_known(KueueConfig().version) == RulesKnown::All);
  for (const char* version : {"0.15.0", "0.16.2", "0.17.8", "0.18.4", "0.19.0", "0.19.1", "0.19.3"})
    CHECK(rules_known(version) == RulesKnown::Quotas);
  for (const char* version : {"0.14.9", "0.20.0", "1.19.2", "newest", ""})
    CHECK(rules_known(version) == RulesKnown::None);
}

TEST_CASE("the newest version has the gates and defaults that the model has") {
  for (const auto& gate : kueue::kGates) {
    CHECK(gate_default(gate.name, KueueConfig().version) == gate.by_default);
    CHECK(!gate_came_later(gate.name, KueueConfig().version));
  }
  for (const auto gate : kueue::kGatesLeftOut) CHECK(gate_default(gate, KueueConfig().version) == false);
}

TEST_CASE("gates of older versions have their defaults of then") {
  CHECK(gate_default("QuotaCheckStrategy", "0.18.4") == false);
  CHECK(gate_default("QuotaCheckStrategy", "0.19.0") == true);
  CHECK(gate_default("SchedulingEquivalenceHashing", "0.17.0") == false);
  CHECK(gate_came_later("FairSharingPreemptWithinNominal", "0.16.3"));
  CHECK(!gate_came_later("FairSharingPreemptWithinNominal", "0.17.0"));
  CHECK(!gate_default("NoSuchGate", "0.17.0"));
  CHECK(!gate_default("FlavorFungibility", "0.14.0"));

  KueueConfig config;
  config.version = "0.17.3";
  CHECK(!kueue::Gates(config).on(kueue::Gate::SchedulingEquivalenceHashing));
  config.version = "0.18.4";
  CHECK(kueue::Gates(config).on(kueue::Gate::SchedulingEquivalenceHashing));
}
