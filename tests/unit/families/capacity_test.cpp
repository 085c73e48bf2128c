#include "tests/support/catch.h"
#include "tests/unit/families/small_cluster.h"

using namespace gpol;
using namespace gpol::test;

TEST_CASE("quotas within the sure devices are proven, one more is refuted") {
  for (const std::int64_t devices : {12, 11}) {
    SmallCluster c;
    c.serving("chat", Isolation::A, {8, 0, 0});
    c.batch("train", {4, 0, 0});
    c.intent.capacities[0].surely = {devices, 100};
    c.intent.capacities[0].at_most = {50, 100};
    const Report report = c.run(prove_capacity);
    REQUIRE(report.obligations.size() == 2);
    const Obligation& cpu = report.obligations[0];
    CHECK(cpu.subject.kind == "ResourceFlavor");
    CHECK(cpu.subject.name == "pool");
    CHECK(cpu.required);
    CHECK(cpu.verdict == (devices == 12 ? Verdict::Proven : Verdict::Refuted));
    if (devices == 12) CHECK(cpu.figures.slack == 0);
    if (devices == 11) CHECK(cpu.detail->fix);
    CHECK(report.obligations[1].verdict == Verdict::Proven);
    CHECK(report.obligations[1].figures.slack == 88);
  }
}

TEST_CASE("quota that is not charged bounds nothing") {
  SmallCluster c;
  c.serving("chat", Isolation::A, {8, 0, 0});
  c.intent.capacities[0].surely = c.intent.capacities[0].at_most = {100, 100};
  c.cluster.config.excluded_prefixes = {"nvidia.com/"};
  const Report report = c.run(prove_capacity);
  REQUIRE(report.obligations.size() == 2);
  CHECK(report.obligations[0].verdict == Verdict::Proven);
  CHECK(report.obligations[1].verdict == Verdict::Undecided);
}

TEST_CASE("class C alone counts with the most that can be there, unless it can be lent") {
  SmallCluster c;
  c.batch("train", {40, 0, 0});
  c.batch("scrape", {0, 0, 0});
  c.intent.capacities[0].has_serving = false;
  c.intent.capacities[0].surely = {0, 0};
  c.intent.capacities[0].at_most = {80, 80};
  Report report = c.run(prove_capacity);
  CHECK(report.obligations[0].verdict == Verdict::Proven);
  CHECK(report.obligations[0].figures.slack == 40);
  CHECK_FALSE(report.obligations[0].required);

  for (auto& quota : c.cluster.queues[0].groups[0].flavors[0].quotas) quota.lending = 5;
  for (auto& quota : c.cluster.queues[1].groups[0].flavors[0].quotas) quota.borrowing = 5;
  report = c.run(prove_capacity);
  CHECK(report.obligations[0].verdict == Verdict::Refuted);
}

TEST_CASE("a pool quota in a cohort counts") {
  SmallCluster c;
  c.serving("chat", Isolation::A, {8, 0, 0});
  CohortNode root{"root", "", {}, ""};
  root.groups.push_back({{0, 1}, {{0, {{3, std::nullopt, std::nullopt}, {0, std::nullopt, std::nullopt}}}}});
  c.cluster.cohorts.push_back(root);
  c.origins.cohort.emplace_back();
  c.intent.capacities[0].surely = {10, 10};
  const Report report = c.run(prove_capacity);
  CHECK(report.obligations[0].verdict == Verdict::Refuted);
  CHECK(report.obligations[1].verdict == Verdict::Proven);
}

TEST_CASE("without node facts the family is not analysed") {
  SmallCluster c;
  c.serving("chat", Isolation::A, {8, 0, 0});
  c.intent.capacities.clear();
  const Report report = c.run(prove_capacity);
  CHECK(report.obligations.empty());
  CHECK(report.analysed.empty());
}
