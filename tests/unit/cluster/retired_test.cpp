#include "compiler/cluster/retired.h"

#include "compiler/cluster/normal_form.h"
#include "compiler/cluster/plan_parts.h"
#include "compiler/policy/resolve.h"
#include "compiler/syntax/parse.h"
#include "tests/support/catch.h"
#include "tests/support/example.h"

using namespace gpol;

namespace {

Policy policy_of(const std::string& text) {
  SourceSet sources;
  auto parsed = parse(sources, sources.add("test.gpol", text));
  for (const auto& d : parsed.diagnostics) FAIL_CHECK(d.message);
  auto resolved = resolve(std::vector{parsed.value});
  for (const auto& d : resolved.diagnostics) FAIL_CHECK(d.message);
  REQUIRE(resolved.value);
  return *resolved.value;
}

Policy ramp() { return policy_of(test::expanded_policy("examples/morning-ramp/morning-ramp.gpol")); }

// Without the tenants of that name, and without what names them.
Policy without(Policy policy, const std::string& name) {
  for (std::uint32_t t = 0; t < policy.tenants.size(); ++t)
    if (policy.tenants[t].name == name) {
      std::erase_if(policy.allows, [&](const Allow& a) { return a.borrower == t || a.lender == t; });
      for (Allow& allow : policy.allows) {
        if (allow.borrower > t) --allow.borrower;
        if (allow.lender > t) --allow.lender;
      }
      policy.tenants.erase(policy.tenants.begin() + t);
      break;
    }
  return policy;
}

std::uint32_t at(const Cluster& cluster, const std::string& queue) {
  for (std::uint32_t q = 0; q < cluster.queues.size(); ++q)
    if (cluster.queues[q].name == queue) return q;
  FAIL("no queue " << queue);
  throw 0;
}

std::string text_of(const Cluster& cluster, const std::string& queue) {
  Cluster alone;
  alone.resources = cluster.resources;
  alone.flavors = cluster.flavors;
  alone.queues = {cluster.queues[at(cluster, queue)]};
  return normal_form(alone);
}

}  // namespace

TEST_CASE("a batch tenant that left is planned as it was") {
  const Planned old = plan(ramp());
  const auto kept = plan_beside(without(ramp(), "finetune"), {"eu-west", old.cluster, {}});
  for (const auto& d : kept.diagnostics) FAIL_CHECK(d.message);
  REQUIRE(kept.value);
  const Planned& now = *kept.value;
  // All but what its LocalQueue says is what the earlier build was.
  Cluster same = now.cluster;
  for (LocalQueue& local : same.local_queues) {
    CHECK(local.stop == (local.cluster_queue == "finetune" ? StopPolicy::Hold : StopPolicy::None));
    local.stop = StopPolicy::None;
  }
  CHECK(first_difference(normal_form(old.cluster), normal_form(same)).empty());
  const QueueRole& role = now.intent.roles[at(now.cluster, "finetune")];
  const QueueRole& was = old.intent.roles[at(old.cluster, "finetune")];
  CHECK(role.kind == QueueRole::Kind::Batch);
  CHECK(role.pod_shapes == was.pod_shapes);
  REQUIRE(role.grace);
  CHECK(role.grace->value == was.grace->value);
  CHECK(now.intent.batch.grace->value == old.intent.batch.grace->value);
  CHECK(now.intent.roles[at(now.cluster, "search")].permitted == old.intent.roles[at(old.cluster, "search")].permitted);
  CHECK(now.intent.allows.empty());  // nobody states it
  CHECK(kept_queues(now.cluster) == std::map<std::string, std::string>{{"finetune", "finetune"}});
  CHECK(kept_queues(old.cluster).empty());

  const auto gone = plan_beside(without(ramp(), "finetune"), {"eu-west", now.cluster, {"finetune"}});
  REQUIRE(gone.value);
  CHECK(normal_form(gone.value->cluster) == normal_form(plan(without(ramp(), "finetune")).cluster));
}

TEST_CASE("a loan that a policy took back otherwise is restored, and no more") {
  Policy two = ramp();  // search lends 8 to finetune, and 8 of them to sweeps as well
  Tenant sweeps = two.tenants.back();
  sweeps.name = "sweeps";
  sweeps.namespaces = {"sweeps"};
  two.tenants.push_back(sweeps);
  Allow allow = two.allows.front();
  allow.borrower = static_cast<std::uint32_t>(two.tenants.size() - 1);
  two.allows.push_back(allow);
  const Planned old = plan(two);
  const auto lent = [](const Planned& planned) {
    return *planned.cluster.queues[at(planned.cluster, "search")].groups[0].flavors[0].quotas[2].lending;
  };
  REQUIRE(lent(old) == 16);
  Policy one = without(two, "finetune");
  const auto kept = plan_beside(one, {"", old.cluster, {}});
  REQUIRE(kept.value);
  CHECK(lent(*kept.value) == 16);
  CHECK(text_of(kept.value->cluster, "finetune") == text_of(old.cluster, "finetune"));
  one.allows.front().amount = {};  // and the other loan is called back in the same change
  const auto less = plan_beside(one, {"", old.cluster, {}});
  REQUIRE(less.value);
  CHECK(lent(*less.value) == 8);  // what finetune may hold
}

TEST_CASE("a tenant that was renamed keeps its namespace, and its queue under the old name until it is empty") {
  Policy renamed = ramp();
  renamed.tenants.back().name = "tuning";
  const Planned old = plan(ramp());
  const auto kept = plan_beside(renamed, {"", old.cluster, {}});
  for (const auto& d : kept.diagnostics) FAIL_CHECK(d.message);
  REQUIRE(kept.value);
  const Planned& now = *kept.value;
  CHECK(text_of(now.cluster, "finetune") == text_of(old.cluster, "finetune"));
  std::size_t held = 0, open = 0;
  for (const LocalQueue& local : now.cluster.local_queues) {
    if (local.ns == "ml-train" && local.stop == StopPolicy::Hold) ++held;
    if (local.ns == "ml-train" && local.stop == StopPolicy::None) ++open;
  }
  CHECK(held == 1);
  CHECK(open == 1);
}

TEST_CASE("a serving tenant that left is bounded by its own quota") {
  const Planned old = plan(ramp());
  const auto kept = plan_beside(without(ramp(), "search"), {"", old.cluster, {}});
  for (const auto& d : kept.diagnostics) FAIL_CHECK(d.message);
  REQUIRE(kept.value);
  const QueueRole& role = kept.value->intent.roles[at(kept.value->cluster, "search")];
  CHECK(role.kind == QueueRole::Kind::Bounded);
  CHECK(!promised(role));
  CHECK(text_of(kept.value->cluster, "search") == text_of(old.cluster, "search"));
}

TEST_CASE("a queue that goes while its tenant stays is not kept, and a tenant outside the queue has none") {
  const Planned old = plan(ramp());
  Policy moved = ramp();
  for (Tenant& tenant : moved.tenants)
    if (tenant.name == "chat") tenant.reserves.push_back({1, tenant.reserves.front().amount, {}});
  const auto goes = plan_beside(moved, {"", old.cluster, {}});
  CHECK(!goes.value);
  REQUIRE(goes.diagnostics.size() == 1);
  CHECK(goes.diagnostics.front().message == "tenant `chat` stays and its ClusterQueue `chat` goes");

  const Planned two = plan(moved);  // of chat the queues `chat-live` and `chat-shared`
  Policy taken = without(moved, "chat");
  taken.tenants.front().name = "chat-live";
  taken.tenants.front().reserves.front().pool = 2;
  const auto named = plan_beside(taken, {"", two.cluster, {"search"}});
  CHECK(!named.value);
  REQUIRE(!named.diagnostics.empty());
  CHECK(named.diagnostics.front().message ==
        "ClusterQueue `chat-live` of tenant `chat`, which left the policy, is also what gpol makes of another tenant");

  Policy outside = ramp();
  for (Tenant& tenant : outside.tenants)
    if (tenant.name == "chat") tenant.outside = Span{};
  const Planned before = plan(outside);
  const auto left = plan_beside(without(outside, "chat"), {"", before.cluster, {}});
  CHECK(!left.value);
  REQUIRE(left.diagnostics.size() == 1);
  CHECK(left.diagnostics.front().message == "tenant `chat` left the policy and ran outside the queue");
  CHECK(plan_beside(without(outside, "chat"), {"", before.cluster, {"chat"}}).value);
}
