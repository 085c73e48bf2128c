#include "checker/families/codes.h"
#include "tests/support/catch.h"
#include "tests/unit/families/small_cluster.h"

using namespace gpol;
using namespace gpol::test;

namespace {

const std::string kGpu = "nvidia.com/gpu";

}  // namespace

TEST_CASE("a lending limit of 0 keeps everybody out") {
  SmallCluster c;
  c.serving("chat", Isolation::B, {8, 0, 0});
  c.batch("train", {4, std::nullopt, std::nullopt});
  const Report report = c.run(prove_claim);
  REQUIRE(report.obligations.size() == 4);
  const Obligation& chat = find(report, Family::Claim, "chat", kGpu);
  CHECK(chat.verdict == Verdict::Proven);
  CHECK(chat.required);
  CHECK(chat.figures.reserve == 8);
  CHECK(chat.figures.claimable == 0);
  CHECK(chat.figures.unit == Unit::Devices);
  const Obligation& train = find(report, Family::Claim, "train", "cpu");
  CHECK(train.verdict == Verdict::Proven);
  CHECK_FALSE(train.required);
  CHECK(train.figures.reserve == 0);
}

TEST_CASE("class A is not proven beside batch: pods that end hold devices after their quota is free") {
  SmallCluster c;
  c.serving("chat", Isolation::A, {8, 0, 0});
  c.batch("train", {4, std::nullopt, std::nullopt});
  const Report report = c.run(prove_claim);
  const Obligation& chat = find(report, Family::Claim, "chat", kGpu);
  CHECK(chat.verdict == Verdict::Undecided);
  CHECK(chat.figures.claimable == 0);
  REQUIRE(chat.detail);
  CHECK(chat.detail->fix);
  c.intent.capacities.clear();  // where no nodes are described the claim is about quota alone
  CHECK(find(c.run(prove_claim), Family::Claim, "chat", kGpu).verdict == Verdict::Proven);
}

TEST_CASE("without a lending limit batch can hold the whole reserve, and a story shows it") {
  SmallCluster c;
  c.serving("chat", Isolation::A, {8, 0, std::nullopt});
  c.batch("train", {4, std::nullopt, std::nullopt});
  const Report report = c.run(prove_claim);
  const Obligation& chat = find(report, Family::Claim, "chat", kGpu);
  CHECK(chat.verdict == Verdict::Refuted);
  CHECK(chat.code == code::Claim);
  CHECK(chat.figures.claimable == 8);
  REQUIRE(chat.detail);
  CHECK(chat.detail->story.size() >= 2);
  CHECK(chat.detail->fix);
  CHECK(find(report, Family::Claim, "chat", "cpu").verdict == Verdict::Refuted);
  CHECK_FALSE(find(report, Family::Claim, "chat", "cpu").detail->story.empty());
}

TEST_CASE(
    "quota that is not charged says nothing of who holds the devices; quota that is asked for otherwise, no story") {
  const auto verdict = [](Transformation transformation, Quota quota) {
    SmallCluster c;
    c.serving("chat", Isolation::B, quota);
    c.batch("train", {4, std::nullopt, std::nullopt});
    if (!transformation.input.empty()) c.cluster.config.transformations = {std::move(transformation)};
    return find(c.run(prove_claim), Family::Claim, "chat", kGpu).verdict;
  };
  const Quota kept{8, 0, 0}, lent{8, 0, std::nullopt};
  CHECK(verdict({}, kept) == Verdict::Proven);
  CHECK(verdict({kGpu, true, "", {}}, kept) == Verdict::Undecided);
  CHECK(verdict({kGpu, false, "", {{"credits", "1"}}}, kept) == Verdict::Proven);
  CHECK(verdict({"mig", true, "", {{kGpu, "1"}}}, kept) == Verdict::Proven);
  CHECK(verdict({kGpu, false, "", {{"credits", "1"}}}, lent) == Verdict::Undecided);
  CHECK(verdict({"mig", true, "", {{kGpu, "1"}}}, lent) == Verdict::Refuted);
}

TEST_CASE("class B may be held up to what is permitted") {
  for (const std::int64_t limit : {8, 9}) {
    SmallCluster c;
    c.serving("search", Isolation::B, {16, 0, std::nullopt}, "root", 8);
    c.batch("train", {0, limit, 0});
    const Report report = c.run(prove_claim);
    const Obligation& o = find(report, Family::Claim, "search", kGpu);
    CHECK(o.figures.claimable == limit);
    CHECK(o.verdict == (limit == 8 ? Verdict::Proven : Verdict::Refuted));
    if (limit == 8) {
      REQUIRE(o.detail);
      CHECK(o.detail->message.find("8 GPUs") != std::string::npos);
    }
  }
}

TEST_CASE("another serving queue counts with its reserve only, a drained queue not at all") {
  SmallCluster c;
  c.serving("chat", Isolation::A, {8, 0, std::nullopt});
  const auto other = c.serving("search", Isolation::B, {4, std::nullopt, 0});
  CHECK(find(c.run(prove_claim), Family::Claim, "chat", kGpu).figures.claimable == 0);
  c.intent.roles[other].reserve = {6, 6};  // more than its nominal: two units are borrowed
  CHECK(find(c.run(prove_claim), Family::Claim, "chat", kGpu).figures.claimable == 2);
  const auto train = c.batch("train", {0, std::nullopt, 0});
  CHECK(find(c.run(prove_claim), Family::Claim, "chat", kGpu).figures.claimable == 8);
  c.cluster.queues[train].stop = StopPolicy::HoldAndDrain;
  CHECK(find(c.run(prove_claim), Family::Claim, "chat", kGpu).figures.claimable == 2);
}

TEST_CASE("a queue that does not list a resource holds none of it") {
  SmallCluster c;
  c.serving("chat", Isolation::A, {8, 0, std::nullopt});
  const auto train = c.batch("train", {0, std::nullopt, 0});
  auto& group = c.cluster.queues[train].groups[0];
  group.covered = {0};
  group.flavors[0].quotas.resize(1);
  const Report report = c.run(prove_claim);
  CHECK(find(report, Family::Claim, "chat", kGpu).figures.claimable == 0);
  CHECK(find(report, Family::Claim, "chat", "cpu").figures.claimable == 8);
}

TEST_CASE("a lending limit on the cohort around serving protects as well") {
  SmallCluster c;
  c.cluster.cohorts.push_back({"root", "", {}, ""});
  CohortNode inner{"serving", "root", {}, ""};
  inner.groups.push_back({{0, 1}, {{0, {{0, std::nullopt, 0}, {0, std::nullopt, 0}}}}});
  c.cluster.cohorts.push_back(inner);
  c.serving("chat", Isolation::B, {8, 0, std::nullopt}, "serving");
  c.batch("train", {4, std::nullopt, std::nullopt});
  CHECK(find(c.run(prove_claim), Family::Claim, "chat", kGpu).verdict == Verdict::Proven);
  c.cluster.cohorts[1].groups.clear();
  CHECK(find(c.run(prove_claim), Family::Claim, "chat", kGpu).figures.claimable == 8);
}

TEST_CASE("what one window leaves behind counts in every other") {
  SmallCluster c;
  c.serving("search", Isolation::B, {16, 0, std::nullopt}, "root", 8);
  c.batch("train", {0, 0, 0});
  Mode night{"night", {}};
  night.changed[{"train", "pool", kGpu}] = {0, 8, 0};
  c.cluster.modes.push_back(night);
  const Report report = c.run(prove_claim);
  CHECK(find(report, Family::Claim, "search", kGpu).figures.claimable == 8);
  CHECK(find(report, Family::Claim, "search", "cpu").figures.claimable == 0);
}

TEST_CASE("windows that change more than borrowing limits leave the claim undecided, and say so") {
  SmallCluster c;
  c.serving("search", Isolation::B, {16, 0, 0}, "root", 8);
  Mode night{"night", {}};
  night.changed[{"search", "pool", kGpu}] = {12, 0, 0};
  c.cluster.modes.push_back(night);
  const Report report = c.run(prove_claim);
  CHECK(find(report, Family::Claim, "search", "cpu").verdict == Verdict::Proven);
  const Obligation& gpu = find(report, Family::Claim, "search", kGpu);
  CHECK(gpu.verdict == Verdict::Undecided);
  REQUIRE(gpu.detail);
  CHECK(gpu.detail->reason.find("windows") != std::string::npos);
}

TEST_CASE("equal local questions are asked once, whatever the number of queues") {
  SmallCluster small;
  SmallCluster large;
  for (SmallCluster* c : {&small, &large}) {
    c->serving("chat", Isolation::A, {8, 0, 0});
    c->batch("train", {4, 3, 2});
  }
  for (int i = 0; i < 50; ++i) {
    large.serving("s" + std::to_string(i), Isolation::A, {5 + i, 0, 0});
    large.batch("b" + std::to_string(i), {i, 7, 2});
  }
  std::vector<Formula> few;
  std::vector<Formula> many;
  small.run(prove_claim, &few);
  large.run(prove_claim, &many);
  CHECK(few.size() == many.size());
  CHECK(few.size() >= 6);
}
