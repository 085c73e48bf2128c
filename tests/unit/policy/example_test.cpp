// The good path: every value of the morning-ramp example, checked by hand.
#include "tests/support/example.h"
#include "tests/unit/policy/policy_text.h"

namespace gpol {

namespace {

constexpr std::int64_t kGiB = std::int64_t{1} << 30;

std::string example() { return test::expanded_policy("examples/morning-ramp/morning-ramp.gpol"); }

Resources of(std::int64_t gpus, std::int64_t cpu, std::int64_t gib, std::int64_t pods) {
  Resources all;
  all[Resource::Gpu] = gpus;
  all[Resource::Cpu] = cpu * 1000;
  all[Resource::Memory] = gib * kGiB;
  all[Resource::Pods] = pods;
  return all;
}

TEST_CASE("the morning ramp: cluster, groups and pools") {
  const test::Resolved resolved(example());
  const Policy& p = resolved.policy();
  CHECK(p.cluster == "eu-west");
  CHECK(resolved.sources.slice(p.cluster_span) == "eu-west");
  CHECK(p.kueue_version == "0.19.2");
  REQUIRE(p.round);
  CHECK(p.round->value == 5000);
  CHECK(p.round->source == "declared");
  REQUIRE(p.release);
  CHECK(p.release->value == 5000);

  REQUIRE(p.groups.size() == 2);
  CHECK(p.groups[0].name == "h100");
  CHECK(p.groups[0].gpu_model == "H100-80GB");
  CHECK(p.groups[0].each == of(8, 192, 2048, 110));
  CHECK(p.groups[0].daemons == of(0, 8, 64, 10));
  CHECK(p.groups[0].count_min == 6);
  CHECK(p.groups[0].count_max == 6);
  CHECK(p.groups[0].tolerate_lost == 1);
  CHECK_FALSE(p.groups[0].spot_notice);
  CHECK(p.groups[1].count_min == 0);
  CHECK(p.groups[1].count_max == 10);
  CHECK(p.groups[1].spot_notice == 120000);

  REQUIRE(p.pools.size() == 3);
  CHECK(p.pools[0].name == "live");
  CHECK(p.pools[0].group == 0);
  CHECK(p.pools[0].nodes_min == 3);
  CHECK(p.pools[0].nodes_max == 3);
  CHECK(p.pools[1].name == "shared");
  CHECK(p.pools[1].nodes_min == 3);
  CHECK(p.pools[1].nodes_max == 3);
  CHECK(p.pools[2].name == "burst");
  CHECK(p.pools[2].group == 1);
  CHECK(p.pools[2].nodes_min == 0);
  CHECK(p.pools[2].nodes_max == 10);
  CHECK(p.cohorts.empty());
}

TEST_CASE("the morning ramp: windows and classes") {
  const test::Resolved resolved(example());
  const Policy& p = resolved.policy();
  REQUIRE(p.windows.size() == 2);
  CHECK(p.windows[0].name == "night");
  CHECK(p.windows[0].from == 22 * 60);
  CHECK(p.windows[0].to == 6 * 60);
  CHECK(p.windows[0].zone == "Europe/Zurich");
  CHECK(p.windows[0].days == Window::Days::Daily);
  CHECK(p.windows[1].days == Window::Days::Weekdays);

  REQUIRE(p.classes.size() == 3);
  CHECK(p.classes[0].isolation == Isolation::A);
  CHECK(p.classes[1].isolation == Isolation::B);
  REQUIRE(p.classes[1].ready_within);
  CHECK(p.classes[1].ready_within->value == 240000);
  CHECK(resolved.sources.slice(p.classes[1].ready_within->span) == "4min");
  const LatencyClass& batch = p.classes[2];
  CHECK(batch.isolation == Isolation::C);
  CHECK(batch.runs == std::vector<JobKind>{JobKind::Job});
  CHECK(batch.checkpoint_every->value == 600000);
  CHECK(batch.grace->value == 60000);
  CHECK(batch.saved_in->value == 45000);
  CHECK(batch.kill_margin->value == 5000);
}

TEST_CASE("the morning ramp: tenants") {
  const test::Resolved resolved(example());
  const Policy& p = resolved.policy();
  REQUIRE(p.tenants.size() == 3);
  const Tenant &chat = p.tenants[0], &search = p.tenants[1], &finetune = p.tenants[2];
  CHECK(chat.namespaces == std::vector<std::string>{"chat-prod"});
  CHECK(chat.owner == "@chat");
  CHECK(chat.latency_class == 0);
  CHECK(chat.asks_at == 9 * 60 + 30);
  CHECK(resolved.sources.slice(chat.span) == "chat");
  CHECK(resolved.sources.slice(chat.class_span) == "class realtime");
  // A node leaves 184 cpu, 1984 GiB and 100 pods for its 8 GPUs; 16 GPUs bring twice that.
  REQUIRE(chat.reserves.size() == 1);
  CHECK(chat.reserves[0].pool == 0);
  CHECK(chat.reserves[0].amount == of(16, 368, 3968, 200));
  CHECK(resolved.sources.slice(chat.reserves[0].span) == "reserve 16 gpus of live");

  REQUIRE(search.reserves.size() == 1);
  CHECK(search.reserves[0].amount == of(16, 368, 3968, 200));
  REQUIRE(search.reserves[0].replica);
  CHECK(*search.reserves[0].replica == of(8, 128, 960, 1));
  REQUIRE(search.start.schedule);
  CHECK(search.start.schedule->value == 5000);
  CHECK(search.start.image->value == 20000);
  CHECK(search.start.weights->value == 40000);
  CHECK(search.start.load->value == 25000);
  CHECK(search.start.warm->value == 20000);
  CHECK(search.start.warm->source == "measured 2026-10");

  CHECK(finetune.reserves.empty());
  REQUIRE(finetune.quotas.size() == 1);
  CHECK(finetune.quotas[0].pool == 2);
  CHECK(finetune.quotas[0].amount == of(40, 920, 9920, 500));
  CHECK(finetune.asks_at == 120);
}

TEST_CASE("the morning ramp: the allow, the proofs and the trusts") {
  const test::Resolved resolved(example());
  const Policy& p = resolved.policy();
  REQUIRE(p.allows.size() == 1);
  CHECK(p.allows[0].borrower == 2);
  CHECK(p.allows[0].lender == 1);
  CHECK(p.allows[0].pool == 1);
  CHECK(p.allows[0].amount == of(8, 184, 1984, 100));
  CHECK(p.allows[0].window == 0);
  REQUIRE(p.allows[0].back_within);
  CHECK(p.allows[0].back_within->value == 120000);
  REQUIRE(p.prove_holds.size() == 1);
  CHECK(p.prove_holds[0].holder == 2);
  CHECK(p.prove_holds[0].held == 0);
  REQUIRE(p.prove_ready.size() == 1);
  CHECK(p.prove_ready[0].latency_class == 1);
  CHECK(p.prove_ready[0].within.value == 240000);
  REQUIRE(p.trusts.size() == 4);
  CHECK(p.trusts[1].premise == "nodes-as-declared");
  CHECK(p.trusts[1].by == "@platform");
  CHECK(p.trusts[1].reason == "the node inventory is reviewed with this policy");
  REQUIRE(p.writers.size() == 1);
  CHECK_FALSE(p.writers[0].group);
  CHECK(p.writers[0].name == "system:serviceaccount:flux-system:kustomize-controller");
}

}  // namespace

}  // namespace gpol
