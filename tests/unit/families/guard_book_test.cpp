// Each guard of a planned cluster, weakened in every way that the API server accepts: the premise that it keeps must
// not be kept any more. Guards are found by what they keep, not by name.
#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "checker/families/guard_book.h"
#include "checker/families/table.h"
#include "checker/guards/guard.h"
#include "tests/support/planned.h"

namespace gpol {
namespace {

using test::planned_of;

struct Weakening {
  const char* name;
  std::function<void(Cluster&, AdmissionPolicy&, AdmissionBinding&)> apply;
};

const std::vector<Weakening>& weakenings() {
  static const std::vector<Weakening> all = {
      {"no binding",
       [](Cluster& c, AdmissionPolicy& p, AdmissionBinding&) {
         std::erase_if(c.admission_bindings, [&](const AdmissionBinding& b) { return b.policy == p.name; });
       }},
      {"Warn", [](Cluster&, AdmissionPolicy&, AdmissionBinding& b) { b.actions = {"Warn"}; }},
      {"failurePolicy Ignore", [](Cluster&, AdmissionPolicy& p, AdmissionBinding&) { p.fails_closed = false; }},
      {"objectSelector",
       [](Cluster&, AdmissionPolicy& p, AdmissionBinding&) { p.match.objects.match_labels = {{"guarded", "yes"}}; }},
      {"the binding's namespaceSelector",
       [](Cluster&, AdmissionPolicy&, AdmissionBinding& b) { b.match.namespaces.match_labels = {{"guarded", "yes"}}; }},
      {"excluded rules", [](Cluster&, AdmissionPolicy& p, AdmissionBinding&) { p.match.excluded = p.match.rules; }},
      {"narrowed operations",
       [](Cluster&, AdmissionPolicy& p, AdmissionBinding&) {
         for (auto& rule : p.match.rules) rule.operations = {"CONNECT"};
       }},
      {"true",
       [](Cluster&, AdmissionPolicy& p, AdmissionBinding&) {
         for (auto& validation : p.validations) validation.expression = "true";
       }},
      {"a condition that never holds",
       [](Cluster&, AdmissionPolicy& p, AdmissionBinding&) { p.conditions = {{"never", "false"}}; }},
  };
  return all;
}

struct Guarded {
  const char* path;
  std::set<std::string> idle;  // guards that keep nothing which these proofs rest on
};

// Kueue takes back what was borrowed whatever its priority: only where batch lends, too, classes decide.
const std::vector<Guarded>& guarded() {
  static const std::vector<Guarded> all = {
      {"examples/morning-ramp/morning-ramp.gpol", {"gpol-batch-job-priority", "gpol-serving-above-batch"}},
      {"examples/three-tiers/three-tiers.gpol", {}},
      {"tests/golden/proof/serving_outside_preempts_batch.gpol", {"gpol-batch-job-priority"}},
  };
  return all;
}

// Those that the proofs of a cluster rest on, and that demand something of its guards.
std::vector<std::string_view> premises_of(const Planned& planned) {
  Solver solver;
  const Proof proof{planned.cluster, planned.intent, planned.origins, solver};
  Report report;
  for (const Round round : {Round::Quotas, Round::Workloads}) judge_families(round, Door::Policy, proof, {}, report);
  const Demands all = demands(planned.cluster, planned.intent);
  std::vector<std::string_view> keys;
  const auto look = [&](std::string_view premise) {
    if (std::any_of(all.list.begin(), all.list.end(), [&](const Demand& d) { return d.premise == premise; }))
      keys.push_back(premise);
    Kept kept;
    kept.kept = true;
    return kept;
  };
  judge_premises(proof, look, report);
  return keys;
}

// Per policy the premises, those first that it takes part in keeping: when it is weakened, they are the ones to open.
std::map<std::string, std::vector<std::string_view>> nearest_first(const Planned& planned) {
  Solver solver;
  GuardBook book(planned.cluster, planned.intent, solver);
  std::map<std::string_view, std::vector<std::string>> kept;
  const auto premises = premises_of(planned);
  for (const std::string_view premise : premises) kept[premise] = book.look(premise).policies;
  std::map<std::string, std::vector<std::string_view>> out;
  for (const AdmissionPolicy& policy : planned.cluster.admission_policies) {
    auto& order = out[policy.name] = premises;
    std::stable_partition(order.begin(), order.end(), [&](std::string_view premise) {
      return std::find(kept[premise].begin(), kept[premise].end(), policy.name) != kept[premise].end();
    });
  }
  return out;
}

bool all_kept(const Cluster& cluster, const Intent& intent, const std::vector<std::string_view>& order) {
  Solver solver;
  GuardBook book(cluster, intent, solver);
  return std::all_of(order.begin(), order.end(), [&](std::string_view premise) { return book.look(premise).kept; });
}

// Every policy and every weakening of it that leaves all premises kept, as "policy: weakening". Those of `seen` were
// looked at in another plan: guards of one name differ in the namespaces that they list.
std::set<std::string> harmless(const Planned& planned, const std::set<std::string>& idle, std::set<std::string>& seen) {
  std::set<std::string> out;
  const auto order = nearest_first(planned);
  for (std::size_t i = 0; i < planned.cluster.admission_policies.size(); ++i) {
    const std::string& guard = planned.cluster.admission_policies[i].name;
    if (idle.contains(guard) || !seen.insert(guard).second) continue;
    for (const Weakening& weakening : weakenings()) {
      Cluster cluster = planned.cluster;
      AdmissionPolicy& policy = cluster.admission_policies[i];
      const auto binding = std::find_if(cluster.admission_bindings.begin(), cluster.admission_bindings.end(),
                                        [&](const AdmissionBinding& b) { return b.policy == policy.name; });
      REQUIRE(binding != cluster.admission_bindings.end());
      const std::string name = policy.name + ": " + weakening.name;
      weakening.apply(cluster, policy, *binding);
      if (all_kept(cluster, planned.intent, order.at(policy.name))) out.insert(name);
    }
  }
  return out;
}

TEST_CASE("the guards of the examples keep every premise that guards can keep", "[slow]") {
  for (const auto& [path, idle] : guarded()) {
    const Planned planned = planned_of(path);
    Solver solver;
    GuardBook book(planned.cluster, planned.intent, solver);
    for (const std::string_view premise : premises_of(planned)) {
      INFO(path << " " << premise);
      const Kept kept = book.look(premise);
      if (kept.broken) UNSCOPED_INFO(kept.broken->does << ": " << kept.why);
      CHECK(kept.kept);
      CHECK(!kept.policies.empty());
    }
  }
}

TEST_CASE("a guard that is weakened opens its premise", "[slow]") {
  std::set<std::string> all, seen;
  for (const auto& [path, idle] : guarded()) all.merge(harmless(planned_of(path), idle, seen));
  // What is in no namespace a namespaceSelector never leaves out.
  CHECK(all == std::set<std::string>{"gpol-priorities-have-writers: the binding's namespaceSelector"});
}

// A pod of NAMESPACE that Kueue admitted loses the label of its queue, written with its status.
cel::Value taken_out_of_its_queue(const char* ns) {
  const auto pod = [&](const char* queue) {
    cel::Map labels{{"kueue.x-k8s.io/managed", "true"}};
    if (*queue != '\0') labels["kueue.x-k8s.io/queue-name"] = queue;
    return cel::Map{{"metadata", cel::Map{{"name", "x"}, {"namespace", ns}, {"labels", labels}}},
                    {"spec", cel::Map{{"containers", cel::List{cel::Map{{"name", "c"}}}}}},
                    {"status", cel::Map{{"phase", "Running"}}}};
  };
  return cel::Map{{"operation", "UPDATE"},
                  {"resource", cel::Map{{"group", ""}, {"version", "v1"}, {"resource", "pods"}}},
                  {"subResource", "status"},
                  {"name", "x"},
                  {"namespace", ns},
                  {"userInfo", cel::Map{{"username", "somebody"}, {"groups", cel::List{"system:authenticated"}}}},
                  {"object", pod("")},
                  {"oldObject", pod("any")}};
}

TEST_CASE("guards on the replicas of serving tenants that share a pool") {
  Planned planned = planned_of("tests/golden/proof/two_serving_tenants_share_a_pool.gpol");
  const auto shapes = [&](const Planned& of) {
    Solver solver;
    return GuardBook(of.cluster, of.intent, solver).look("shapes-kept");
  };
  const Kept kept = shapes(planned);
  CHECK(kept.kept);
  CHECK(kept.policies ==
        std::vector<std::string>{"gpol-replica-2", "gpol-replica-2-status", "gpol-replica-2-template"});
  for (const AdmissionPolicy& policy : planned.cluster.admission_policies) {
    if (!policy.name.starts_with("gpol-replica")) continue;
    for (std::size_t v = 0; v < policy.validations.size(); ++v) {
      Planned weaker = planned;
      for (AdmissionPolicy& other : weaker.cluster.admission_policies)
        if (other.name == policy.name) other.validations[v].expression = "true";
      INFO(policy.name << ": " << policy.validations[v].message);
      const Kept found = shapes(weaker);
      CHECK(!found.kept);
      const auto decided = [](const Cluster& of) {
        return admits(of.admission_policies, of.admission_bindings, of.namespaces, taken_out_of_its_queue("chat-prod"));
      };
      if (policy.name.ends_with("-status")) {  // of a status none is searched out: its guards walk maps
        CHECK(decided(planned.cluster).policy == policy.name);
        CHECK(decided(weaker.cluster).kind == Decision::Kind::Admitted);
      } else {
        CHECK(found.request);
      }
    }
  }
  // With a pool of its own nobody rests on what the other one's replicas are.
  planned.intent.roles[1].tenant = planned.intent.roles[0].tenant;
  planned.cluster.admission_policies.clear();
  planned.cluster.admission_bindings.clear();
  CHECK(!shapes(planned).request);
}

TEST_CASE("guards that keep nothing which a proof rests on", "[slow]") {
  for (const auto& [path, idle] : guarded()) {
    INFO(path);
    const Planned planned = planned_of(path);
    const auto premises = premises_of(planned);
    Solver solver;
    GuardBook book(planned.cluster, planned.intent, solver);
    std::set<std::string> found;
    for (const AdmissionPolicy& policy : planned.cluster.admission_policies) found.insert(policy.name);
    for (const std::string_view premise : premises)
      for (const std::string& taken : book.look(premise).policies) found.erase(taken);
    CHECK(found == idle);
  }
}

TEST_CASE("every single rule of a guard is needed", "[slow]") {
  std::set<std::string> needed, needless;
  for (const auto& [path, idle] : guarded()) {
    const Planned planned = planned_of(path);
    const auto order = nearest_first(planned);
    for (std::size_t i = 0; i < planned.cluster.admission_policies.size(); ++i) {
      if (idle.contains(planned.cluster.admission_policies[i].name)) continue;
      for (std::size_t v = 0; v < planned.cluster.admission_policies[i].validations.size(); ++v) {
        Cluster cluster = planned.cluster;
        AdmissionPolicy& policy = cluster.admission_policies[i];
        const std::string rule = policy.name + ": " + policy.validations[v].message;
        if (needed.contains(rule)) continue;
        policy.validations[v].expression = "true";
        (all_kept(cluster, planned.intent, order.at(policy.name)) ? needless : needed).insert(rule);
      }
    }
  }
  for (const std::string& rule : needed) needless.erase(rule);
  // Their batch runs Jobs alone: whoever else creates a pod is denied whatever the label. And where batch lends nothing
  // a class changes nothing.
  const std::string label = "label it kueue.x-k8s.io/priority-class: ";
  CHECK(needless == std::set<std::string>{"gpol-batch-pod-priority: " + label + "batch",
                                          "gpol-batch-pod-priority: a pod keeps its priority class",
                                          "gpol-opportunistic-pod-priority: " + label + "opportunistic",
                                          "gpol-training-pod-priority: " + label + "training"});
}

TEST_CASE("what opens a premise is told by a request that gets in") {
  Planned planned = planned_of("examples/three-tiers/three-tiers.gpol");
  planned.cluster.admission_bindings.clear();
  Solver solver;
  GuardBook book(planned.cluster, planned.intent, solver);
  for (const std::string_view premise : premises_of(planned)) {
    INFO(premise);
    const Kept kept = book.look(premise);
    CHECK(!kept.kept);
    CHECK(kept.request);
  }
}

TEST_CASE("a pool that serving stands on needs a taint that keeps other pods off", "[slow]") {
  const auto kept_without = [](const std::string& pool, const char* effect) {
    Planned planned = planned_of("examples/morning-ramp/morning-ramp.gpol");
    for (NodePool& nodes : planned.cluster.node_pools)
      if (nodes.name == pool) {
        if (effect == nullptr) nodes.taints.clear();
        for (Taint& taint : nodes.taints) taint.effect = effect;
      }
    Solver solver;
    const Kept kept = GuardBook(planned.cluster, planned.intent, solver).look("admission-only");
    CHECK(kept.kept != kept.request.has_value());
    return kept.kept;
  };
  CHECK_FALSE(kept_without("live", nullptr));
  CHECK_FALSE(kept_without("shared", "PreferNoSchedule"));
  CHECK(kept_without("shared", "NoExecute"));
  CHECK(kept_without("burst", nullptr));  // batch's own
}

}  // namespace
}  // namespace gpol
