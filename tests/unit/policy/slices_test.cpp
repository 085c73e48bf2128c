// Amounts in slices, and amounts by id.
#include "compiler/policy/resources.h"
#include "compiler/policy/units.h"
#include "tests/unit/policy/policy_text.h"

using namespace gpol;

namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

// A node has 2 GPUs, each cut into two of 3 compute slices and one of 1: 14 in all; 140 cpu, 1400 MiB and 28 pods.
const std::string kCut =
    "hardware Odd { slices 7 compute, 9 memory mig 3g.4gb { compute 3 memory 4 } mig 1g.1gb+me { compute 1 memory 1 } }"
    "cluster east { scheduler kueue nodes n { gpu Odd count 4 each 2 gpus, 141 cpu, 1400 MiB, 28 pods "
    "daemons take 1 cpu } pool p on n as mig { 2 x 3g.4gb, 1 x 1g.1gb+me } }";
const std::string kBatch = "class batch : C { } ", kServing = "class fast : B { ready within 1min } ";

std::int64_t of(const Policy& policy, const Resources& amounts, const std::string& name) {
  for (const auto& [resource, amount] : amounts)
    if (policy.resources[static_cast<std::size_t>(resource)].name == name) return amount;
  return -1;
}

TEST_CASE("amounts by id: what is not named is 0, and says nothing when two are compared") {
  Resources one, other;
  const auto far = static_cast<Resource>(9);
  one[Resource::Gpu] = 8;
  one[far] = 0;
  CHECK(one[far] == 0);
  CHECK(std::as_const(other)[far] == 0);
  CHECK_FALSE(one == other);
  other[Resource::Gpu] = 8;
  CHECK(one == other);
  other[far] = 3;
  CHECK_FALSE(one == other);
  one += other;
  CHECK(one[Resource::Gpu] == 16);
  CHECK(one[far] == 3);
  one -= other;
  one.raise_to(other);
  CHECK(one == other);
  std::vector<Resource> ids;
  one[Resource::Cpu] = 1;
  for (const auto& [resource, amount] : one) ids.push_back(resource);
  CHECK(ids == std::vector{Resource::Cpu, Resource::Gpu, far});
}

TEST_CASE("profiles are rows of the table, in the order in which devices are cut into them") {
  const test::Resolved resolved(kCut + kBatch +
                                "tenant t { namespace t class batch quota 1 x 1g.1gb+me, 2 x 3g.4gb of p }");
  const auto& table = resolved.policy().resources;
  REQUIRE(table.size() == 6);
  CHECK(table[2].name == "nvidia.com/gpu");
  CHECK(table[5].name == "nvidia.com/mig-1g.1gb.me");
  CHECK(table[5].profile == "1g.1gb+me");
  CHECK(table[5].words == "slices of `1g.1gb+me`");
  CHECK(table[4].name == "nvidia.com/mig-3g.4gb");
  for (const ResourceRow& row : table) CHECK(row.device == is_device(row.name));
  CHECK(human_amount(table[4], 2) == "2 x 3g.4gb");
}

TEST_CASE("one clause with two profiles is one amount, and keeps what is said beside them") {
  const test::Resolved resolved(kCut + kBatch +
                                "tenant t { namespace t class batch quota 1 x 1g.1gb+me, 2 x 3g.4gb, 9 cpu of p }");
  const Policy& policy = resolved.policy();
  REQUIRE(policy.tenants[0].quotas.size() == 1);
  const Resources& quota = policy.tenants[0].quotas[0].amount;
  CHECK(of(policy, quota, "nvidia.com/mig-1g.1gb.me") == 1);
  CHECK(of(policy, quota, "nvidia.com/mig-3g.4gb") == 2);
  CHECK(quota[Resource::Gpu] == 0);
  CHECK(quota[Resource::Cpu] == 9000);
  CHECK(quota[Resource::Memory] == 700 * kMiB);  // 7 of 14 compute slices
  CHECK(quota[Resource::Pods] == 14);
}

TEST_CASE("slices in every place where amounts of a pool are") {
  const test::Resolved resolved(
      kCut + kBatch + kServing +
      "cohort all { quota 1 x 3g.4gb of p } cohort team in all { lend at most 1 x 3g.4gb of p } "
      "tenant s { namespace s class fast reserve 4 x 3g.4gb, 99 cpu of p replica 2 x 3g.4gb, 30 cpu } "
      "tenant t { namespace t class batch quota 0 x 3g.4gb of p shape 1 x 3g.4gb of p } "
      "tenant u { namespace u class batch quota 1 x 3g.4gb of p "
      "queue { borrow at most 2 x 3g.4gb of p lend at most 1 x 3g.4gb of p } } "
      "service a of s { replicas 1 each 2 x 3g.4gb, 4 cpu } "
      "allow t to borrow up to 2 x 3g.4gb, 5 cpu of p from s");
  const Policy& policy = resolved.policy();
  const auto slices = [&](const Resources& amounts) { return of(policy, amounts, "nvidia.com/mig-3g.4gb"); };
  CHECK(slices(policy.cohorts[0].entries.at(0).quota) == 1);
  CHECK(slices(*policy.cohorts[1].entries.at(0).lend_at_most) == 1);
  const PoolAmount& reserve = policy.tenants[0].reserves.at(0);
  CHECK(slices(reserve.amount) == 4);
  CHECK(reserve.amount[Resource::Cpu] == 99000);
  REQUIRE(reserve.replica);
  CHECK(slices(*reserve.replica) == 2);
  CHECK((*reserve.replica)[Resource::Cpu] == 30000);
  CHECK((*reserve.replica)[Resource::Memory] == 600 * kMiB);
  CHECK((*reserve.replica)[Resource::Pods] == 1);
  CHECK(slices(policy.tenants[1].shapes.at(0).amount) == 1);
  CHECK(slices(policy.tenants[2].queue.borrow->at_most.at(0).amount) == 2);
  CHECK(slices(policy.tenants[2].queue.lend->at_most.at(0).amount) == 1);
  CHECK(slices(policy.services[0].each) == 2);
  CHECK(policy.services[0].each[Resource::Cpu] == 4000);
  CHECK(slices(policy.allows[0].amount) == 2);
  CHECK(policy.allows[0].amount[Resource::Cpu] == 5000);
  CHECK(policy.planned.empty());
}

TEST_CASE("slices that do not fit what they are taken from") {
  const auto tenants = [](const std::string& text) { return kCut + kBatch + kServing + text; };
  const auto codes = [&](const std::string& text) {
    const test::Resolved resolved(tenants(text));
    std::string all;
    for (const auto& d : resolved.outcome.diagnostics) all += d.message + "\n";
    return all;
  };
  const std::string reserve = "tenant s { namespace s class fast reserve 3 x 3g.4gb of p ";
  CHECK(codes(reserve + "replica 4 x 3g.4gb }") == "a replica of `s` asks 4 x 3g.4gb, the reserve has 3 x 3g.4gb\n");
  CHECK(codes(reserve + "replica 1 x 1g.1gb+me }") ==
        "a replica of `s` asks 1 x 1g.1gb+me, the reserve has 0 x 1g.1gb+me\n");
  CHECK(codes("tenant s { namespace s class fast reserve 9 x 3g.4gb of p replica 5 x 3g.4gb }") ==
        "a replica of `s` asks 5 x 3g.4gb, a node of `n` has 4 x 3g.4gb for pods\n");
  CHECK(codes(reserve + "replica 1 x 3g.4gb replicas 3, surge 1 }") ==
        "`replicas 3, surge 1` of `s` are 4 at once, and the reserve holds 3\n");
  CHECK(codes(reserve + "replica 1 gpu }") ==
        "the devices of pool `p` are cut: expected slices such as `2 x 3g.4gb`, found `1 gpu`\n");
  const std::string allow = " } tenant t { namespace t class batch quota 0 x 3g.4gb of p } allow t to borrow up to ";
  CHECK(codes(reserve + allow + "4 x 3g.4gb of p from s") ==
        "4 x 3g.4gb to borrow, and tenant `s` reserves 3 x 3g.4gb\n");
  CHECK(codes(reserve + allow + "0 x 3g.4gb of p from s") == "`borrow up to` of 0 slices of `3g.4gb`\n");
  CHECK(codes("tenant t { namespace t class batch quota 1 x 3g.4gb of p shape 5 x 3g.4gb of p }") ==
        "a pod of 5 x 3g.4gb cannot run on `p`, whose nodes have 4 x 3g.4gb\n");
  CHECK(codes("tenant t { namespace t class batch quota 1 x 3g.4gb of p shape 1 x 3g.4gb, 2 cpu of p }") ==
        "a shape states the slices of each pod and nothing else\n");
  CHECK(codes("tenant t { namespace t class batch quota 1 x 3g.4gb, 1 x 3g.4gb of p }") == "`3g.4gb` is given twice\n");
  CHECK(codes("tenant t { namespace t class batch quota 1 x 3g.4gb of p queue { lend at most 2 x 3g.4gb of p } }") ==
        "tenant `t` lends 2 x 3g.4gb of `p` and owns 1 x 3g.4gb\n");
}

}  // namespace
