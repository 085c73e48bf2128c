#include "compiler/cluster/intent.h"
#include "compiler/cluster/plan_parts.h"
#include "compiler/policy/resolve.h"
#include "compiler/syntax/parse.h"
#include "tests/support/catch.h"
#include "tests/support/example.h"

using namespace gpol;

namespace {

Policy policy_of(const std::string& text) {
  SourceSet sources;
  const auto file = sources.add("test.gpol", text);
  auto parsed = parse(sources, file);
  for (const auto& d : parsed.diagnostics) FAIL_CHECK(d.message);
  auto resolved = resolve(std::vector{parsed.value});
  for (const auto& d : resolved.diagnostics) FAIL_CHECK(d.message);
  REQUIRE(resolved.value);
  return *resolved.value;
}

Planned example(const std::string& name) {
  return plan(policy_of(test::expanded_policy("examples/morning-ramp/" + name)));
}

const Queue& queue(const Planned& planned, const std::string& name) {
  for (const auto& q : planned.cluster.queues)
    if (q.name == name) return q;
  FAIL("no queue " << name);
  throw 0;
}
const QueueRole& role(const Planned& planned, const std::string& name) {
  return planned.intent.roles[static_cast<std::size_t>(&queue(planned, name) - planned.cluster.queues.data())];
}

constexpr std::size_t kGpu = 2;

TEST_CASE("the safe pattern of morning-ramp, worked out by hand") {
  const auto planned = example("morning-ramp.gpol");
  const Queue& chat = queue(planned, "chat");
  CHECK(chat.cohort.empty());
  CHECK_FALSE(chat.groups[0].flavors[0].quotas[kGpu].lending.has_value());

  const Queue& search = queue(planned, "search");
  CHECK(search.cohort == "eu-west");
  CHECK(search.preemption.reclaim_within_cohort == Reclaim::Any);
  const auto& quotas = search.groups[0].flavors[0].quotas;
  // 16 of 8 GPUs a node: (192 - 8) x 2 cpu, (2048 - 64) x 2 GiB, (110 - 10) x 2 pods; half of it may be lent at night.
  CHECK(quotas[0] == Quota{368'000, 0, 184'000});
  CHECK(quotas[1] == Quota{std::int64_t{3968} << 30, 0, std::int64_t{1984} << 30});
  CHECK(quotas[2] == Quota{16, 0, 8});
  CHECK(quotas[3] == Quota{200, 0, 100});

  const Queue& finetune = queue(planned, "finetune");
  CHECK(finetune.preemption.reclaim_within_cohort == Reclaim::Any);  // it owns spot quota
  REQUIRE(finetune.groups[0].flavors.size() == 2);
  CHECK(planned.cluster.flavors[finetune.groups[0].flavors[0].flavor].name == "shared");
  CHECK(finetune.groups[0].flavors[0].quotas[kGpu] == Quota{0, 0, 0});
  CHECK(finetune.groups[0].flavors[1].quotas[kGpu] == Quota{40, 0, 0});
}

TEST_CASE("windows change who may borrow and nothing else") {
  const auto planned = example("morning-ramp.gpol");
  REQUIRE(planned.cluster.modes.size() == 3);
  CHECK(planned.cluster.modes[0].name == "default");
  CHECK(planned.cluster.modes[0].changed.empty());
  for (const auto& mode : planned.cluster.modes) {
    CHECK(mode.changed.size() == (mode.name == "night" ? 4U : 0U));
    for (const auto& [key, quota] : mode.changed) {
      CHECK(key.queue == "finetune");
      CHECK(key.flavor == "shared");
      CHECK(quota.nominal == 0);
      CHECK(quota.lending == 0);
    }
  }
}

TEST_CASE("the intent of morning-ramp") {
  const auto planned = example("morning-ramp.gpol");
  const auto& search = role(planned, "search");
  CHECK(search.permitted == std::vector<std::int64_t>{184'000, std::int64_t{1984} << 30, 8, 100});
  CHECK(search.deadline->value == 240'000);
  CHECK(search.back_within->value == 120'000);
  CHECK(search.victims_in_turn == 2);
  CHECK(role(planned, "chat").permitted == std::vector<std::int64_t>{0, 0, 0, 0});
  CHECK(role(planned, "finetune").kind == QueueRole::Kind::Batch);
  CHECK(planned.intent.batch.only_jobs);
  CHECK(planned.intent.batch.grace->value == 60'000);
  REQUIRE(planned.intent.capacities.size() == 3);
  CHECK(planned.intent.capacities[0].surely[kGpu] == 16);  // three nodes, one of which may be lost
  CHECK(planned.intent.capacities[2].surely[kGpu] == 0);
  CHECK(planned.intent.capacities[2].at_most[kGpu] == 80);
}

TEST_CASE("overrides are written over the pattern and remember where they stand") {
  const auto planned = example("unsafe-one-cohort.gpol");
  const Queue& chat = queue(planned, "chat");
  CHECK(chat.cohort == "everyone");
  CHECK(chat.preemption.reclaim_within_cohort == Reclaim::Never);
  CHECK(chat.groups[0].flavors[0].quotas[kGpu] == Quota{16, std::nullopt, std::nullopt});
  CHECK(planned.origins.field.count("ClusterQueue/chat reclaimWithinCohort") == 1);
  CHECK(planned.origins.field.count("ClusterQueue/chat lendingLimit") == 1);
  // Nobody uses the cohort of the safe pattern, so it is not made.
  CHECK(planned.cluster.cohorts.size() == 1);
}

TEST_CASE("a batch class with no stated grace leaves the longest grace unknown") {
  auto text = std::string(R"(
cluster c { scheduler kueue; nodes n { count 4; each 8 gpus, 64 cpu, 512 GiB, 110 pods } pool p on n }
class b : B { ready within 5min } class calm : C { grace 30s; kill margin 5s } class wild : C { }
tenant s { namespace s; class b; reserve 8 gpus of p; replica 1 gpu }
tenant t { namespace t; class calm; quota 8 gpus of p } tenant u { namespace u; class wild; quota 8 gpus of p }
)");
  const auto planned = plan(policy_of(text));
  CHECK_FALSE(planned.intent.batch.grace);
  CHECK_FALSE(planned.intent.batch.only_jobs);
}

TEST_CASE("a promise that batch never holds a class takes back what an allow permits") {
  const std::string base = R"(
cluster c { scheduler kueue; nodes n { count 4; each 8 gpus, 64 cpu, 512 GiB, 110 pods } pool p on n }
class b : B { ready within 5min } class batch : C { grace 30s; kill margin 5s }
tenant s { namespace s; class b; reserve 8 gpus of p; replica 1 gpu }
tenant t { namespace t; class batch; quota 8 gpus of p }
allow t to borrow up to 4 gpus of p from s
)";
  CHECK(role(plan(policy_of(base)), "s").permitted[kGpu] == 4);
  CHECK(role(plan(policy_of(base + "prove batch never holds b\n")), "s").permitted[kGpu] == 0);
}

}  // namespace

TEST_CASE("whoever writes is granted what is emitted, as RBAC knows him") {
  const Planned planned = plan(policy_of(R"(language 1
cluster demo {
  scheduler kueue 0.19.2 { round within 5s; release within 5s }
  nodes h100 { gpu H100-80GB; count 4; each 8 gpus, 192 cpu, 2 TiB, 110 pods; daemons take 8 cpu, 64 GiB, 10 pods }
  pool shared on h100 take the rest
  writers user "system:serviceaccount:flux-system:flux", user "system:serviceaccount:broken", user "jane", group "platform"
}
class batch : C { runs Job; grace 60s; kill margin 5s }
tenant finetune { namespace ml-train; class batch; quota 8 gpus of shared }
)"));
  REQUIRE(planned.cluster.roles.size() == 2);
  REQUIRE(planned.cluster.role_bindings.size() == 1);
  using Subject = ClusterRoleBinding::Subject;
  CHECK(planned.cluster.role_bindings[0].subjects == std::vector<Subject>{{"ServiceAccount", "flux-system", "flux"},
                                                                          {"User", "", "system:serviceaccount:broken"},
                                                                          {"User", "", "jane"},
                                                                          {"Group", "", "platform"}});
  const auto granted = [&](std::size_t role, const std::string& resource, const std::string& verb) {
    for (const auto& rule : planned.cluster.roles[role].rules)
      if (std::count(rule.resources.begin(), rule.resources.end(), resource) != 0 &&
          std::count(rule.verbs.begin(), rule.verbs.end(), verb) != 0)
        return true;
    return false;
  };
  CHECK(planned.cluster.roles[1].name == "gpol-tenant");
  CHECK(granted(0, "validatingadmissionpolicybindings", "delete"));
  CHECK_FALSE(granted(0, "pods", "create"));
  CHECK(granted(1, "jobs", "create"));
  for (const char* never : {"localqueues", "workloads", "namespaces", "pods/status", "pods/binding", "pods",
                            "validatingadmissionpolicies", "validatingadmissionpolicybindings"})
    for (const char* verb : {"patch", "update"}) CHECK_FALSE(granted(1, never, verb));
}

std::size_t at(const Cluster& cluster, std::string_view queue) {
  for (std::size_t q = 0; q < cluster.queues.size(); ++q)
    if (cluster.queues[q].name == queue) return q;
  throw std::logic_error("no such queue");
}

const std::string kCutPool = R"(
cluster eu {
  scheduler kueue 0.19.2 { round within 5s; release within 5s }
  nodes h100 { gpu H100-80GB; count 4; each 8 gpus, 192 cpu, 2 TiB, 110 pods }
  pool shared on h100 take 2 nodes
  pool cut on h100 take the rest as mig { 2 x 3g.40gb }
}
class fast  : B { ready within 4min }
class batch : C { runs Job; grace 60s; kill margin 5s }
)";

TEST_CASE("a queue over whole and cut pools covers both kinds of devices, each 0 where it is not") {
  const Planned planned = plan(
      policy_of(kCutPool + "tenant s { namespace s class fast reserve 4 x 3g.40gb of cut replica 2 x 3g.40gb } "
                           "tenant t { namespace t class batch quota 8 gpus of shared quota 3 x 3g.40gb of cut }"));
  CHECK(planned.cluster.resources ==
        std::vector<std::string>{"cpu", "memory", "nvidia.com/gpu", "pods", "nvidia.com/mig-3g.40gb"});
  const Queue& batch = planned.cluster.queues[at(planned.cluster, "t")];
  const ResourceGroup& group = batch.groups.at(0);
  REQUIRE(group.covered == std::vector<std::uint32_t>{0, 1, 2, 3, 4});
  CHECK(group.flavors.at(0).quotas[2].nominal == 8);
  CHECK(group.flavors.at(0).quotas[4].nominal == 0);
  CHECK(group.flavors.at(1).quotas[2].nominal == 0);
  CHECK(group.flavors.at(1).quotas[4].nominal == 3);
  const Queue& serving = planned.cluster.queues[at(planned.cluster, "s")];
  CHECK(serving.groups.at(0).covered == std::vector<std::uint32_t>{0, 1, 3, 4});  // no GPUs: its nodes have none
  CHECK(planned.intent.roles[at(planned.cluster, "s")].replica.at(4) == 2);
}

TEST_CASE("the capacity of a cut pool is in slices, and what ships cuts it so") {
  const Planned planned =
      plan(policy_of(kCutPool + "tenant s { namespace s class fast reserve 4 x 3g.40gb of cut replica 2 x 3g.40gb }"));
  const PoolCapacity& whole = *planned.intent.capacity_of(0);
  const PoolCapacity& cut = *planned.intent.capacity_of(1);
  CHECK(whole.of_one == std::vector<std::int64_t>{192'000, std::int64_t{2} << 40, 8, 110, 0});
  CHECK(cut.of_one == std::vector<std::int64_t>{192'000, std::int64_t{2} << 40, 0, 110, 16});
  CHECK(cut.surely.at(4) == 32);
  CHECK(planned.intent.cut_of(0) == nullptr);
  const CutPool* pool = planned.intent.cut_of(1);
  REQUIRE(pool != nullptr);
  CHECK(pool->shares.at(4) == std::vector<std::int64_t>{12'000, std::int64_t{128} << 30, 0, 1, 1});  // a sixteenth
  REQUIRE(planned.cluster.mig_config_maps.size() == 1);
  const std::vector<MigConfig>& configs = planned.cluster.mig_config_maps[0].configs;
  REQUIRE(configs.size() == 2);
  CHECK(configs[0].name == "all-disabled");
  CHECK(names_a_kind(configs[1].name));
  CHECK(configs[1].name.starts_with("gpol-cut."));
  REQUIRE(configs[1].entries.size() == 1);
  CHECK(configs[1].entries[0].devices.empty());  // all of them
  CHECK(configs[1].entries[0].enabled);
  CHECK(configs[1].entries[0].slices == std::map<std::string, std::int64_t>{{"3g.40gb", 2}});
  CHECK_FALSE(configs[0].entries.at(0).enabled);
  CHECK(planned.cluster.operator_policies.at(0).mig_strategy == "mixed");
  CHECK(planned.cluster.cut_nodes.at(0).labels == std::map<std::string, std::string>{{"gpol.dev/gpu-pool", "cut"}});
}

TEST_CASE("quotas cover what the devices of their pools are") {
  const Policy policy =
      policy_of(kCutPool + "tenant t { namespace t class batch quota 8 gpus of shared quota 1 x 3g.40gb of cut }");
  CHECK(covered_on(policy, {0}) == std::vector<std::uint32_t>{0, 1, 2, 3});
  CHECK(covered_on(policy, {1}) == std::vector<std::uint32_t>{0, 1, 3, 4});
  CHECK(covered_on(policy, {0, 1}) == std::vector<std::uint32_t>{0, 1, 2, 3, 4});
}
