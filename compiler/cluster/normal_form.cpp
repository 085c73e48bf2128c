#include "compiler/cluster/normal_form.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compiler/cluster/fact_lines.h"
#include "compiler/cluster/words.h"
#include "compiler/source/duration.h"

namespace gpol {
namespace {

// A name that an index stands for; indices out of range (a broken cluster) still print, each differently.
std::string named(const std::vector<std::string>& names, std::uint32_t index) {
  return index < names.size() ? names[index] : "#" + std::to_string(index);
}

// --- parts -----------------------------------------------------------------------------------------------------------

// Requirements as a sorted set; a matchLabels entry is the same as In with one value.
std::vector<std::string> selector_facts(const Selector& selector) {
  if (!selector.present) return {"none"};
  std::set<std::string> facts;
  const auto add = [&](const std::string& key, const std::string& op, std::vector<std::string> values) {
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    std::string fact = word(key) + " " + word(op);
    for (const auto& value : values) fact += " " + word(value);
    facts.insert(std::move(fact));
  };
  for (const auto& [key, value] : selector.match_labels) add(key, "In", {value});
  for (const auto& expression : selector.expressions) add(expression.key, expression.op, expression.values);
  if (facts.empty()) return {"all"};
  return {facts.begin(), facts.end()};
}

void put_selector(Block& block, std::string_view field, const Selector& selector) {
  for (const auto& fact : selector_facts(selector)) block.fact(field, fact);
}

void put_quota(std::string& out, const Quota& quota) {
  const auto limit = [](const std::optional<std::int64_t>& value) {
    return value ? std::to_string(*value) : "unlimited";
  };
  out += " nominal " + std::to_string(quota.nominal) + " borrowing " + limit(quota.borrowing) + " lending " +
         limit(quota.lending);
}

void put_groups(Block& block, const std::vector<ResourceGroup>& groups, const std::vector<std::string>& resources,
                const std::vector<std::string>& flavors) {
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto& group = groups[g];
    std::vector<std::pair<std::string, std::size_t>> order;
    for (std::size_t i = 0; i < group.covered.size(); ++i) order.emplace_back(named(resources, group.covered[i]), i);
    std::ranges::sort(order);
    const auto start = "group " + std::to_string(g) + " ";
    for (const auto& [resource, index] : order) block.fact(start + "covers", word(resource));
    for (std::size_t f = 0; f < group.flavors.size(); ++f) {
      const auto& quotas = group.flavors[f].quotas;
      const auto prefix = start + "flavor " + std::to_string(f) + " " + word(named(flavors, group.flavors[f].flavor));
      if (quotas.size() != group.covered.size()) block.fact(prefix, std::to_string(quotas.size()) + " quotas");
      for (const auto& [resource, index] : order) {
        if (index >= quotas.size()) continue;
        std::string& line = block.line(prefix).append(" ");
        put(line, resource);
        put_quota(line, quotas[index]);
      }
    }
  }
}

template <class Object>
std::string name_in_lines(const Object& object) {
  return object.name;
}
std::string name_in_lines(const LocalQueue& queue) { return queue.ns + "/" + queue.name; }
std::string name_in_lines(const ResourceQuota& quota) { return quota.ns + "/" + quota.name; }

std::string weight(const std::string& text) { return text.empty() ? "1" : word(text); }

// --- durations -------------------------------------------------------------------------------------------------------

// In nanoseconds what people write ("30m", "1h30m", "90s"); anything else stays as written.
std::string duration(const std::string& text) {
  if (text.empty()) return "0ns";
  const auto value = read_duration(text, {.units = kGoAsciiUnits});
  return value ? std::to_string(*value) + "ns" : word(text);
}

// --- kinds -----------------------------------------------------------------------------------------------------------

// Upstream's defaults written out (apis/config/v1beta2/defaults.go).
std::string config_text(const KueueConfig& config) {
  Block block("config", "kueue");
  block.fact("fairSharing", config.fair_sharing ? word(config.fair_strategies) : "off");
  block.fact("manageJobsWithoutQueueName", config.manage_jobs_without_queue_name ? "true" : "false");
  Selector managed = config.managed_namespaces;
  if (!managed.present)
    managed = {true, {}, {{"kubernetes.io/metadata.name", "NotIn", {"kube-system", "kueue-system"}}}};
  put_selector(block, "managedJobsNamespaceSelector", managed);
  const auto wait = config.wait_for_pods_ready.value_or(KueueConfig::WaitForPodsReady{});
  const auto timeout = duration(wait.timeout) == "0ns" ? duration("30m") : duration(wait.timeout);
  block.fact("waitForPodsReady timeout", timeout);
  block.fact("waitForPodsReady recoveryTimeout",
             wait.recovery_timeout.empty() ? timeout : duration(wait.recovery_timeout));
  block.fact("waitForPodsReady blockAdmission", wait.block_admission ? "true" : "false");
  block.fact("waitForPodsReady requeuingTimestamp", wait.requeue_at_creation ? "Creation" : "Eviction");
  std::set<std::string> frameworks(config.frameworks.begin(), config.frameworks.end());
  if (frameworks.empty()) frameworks.insert("batch/job");
  for (const auto& framework : frameworks) block.fact("framework", word(framework));
  for (const auto& [gate, on] : config.gates) block.fact("featureGate", word(gate) + (on ? " on" : " off"));
  block.fact("quotaCheckStrategy",
             config.quota_check_strategy.empty() ? "BlockUndeclared" : word(config.quota_check_strategy));
  for (const auto& prefix : std::set<std::string>(config.excluded_prefixes.begin(), config.excluded_prefixes.end()))
    block.fact("excludeResourcePrefix", word(prefix));
  std::map<std::string, const Transformation*> transformations;
  for (const auto& transformation : config.transformations)
    transformations.emplace(transformation.input, &transformation);
  for (const auto& [input, t] : transformations) {
    std::string text = word(input) + (t->replace ? " Replace" : " Retain");
    if (!t->multiply_by.empty()) text += " multiplyBy " + word(t->multiply_by);
    for (const auto& [output, factor] : t->outputs) text += " " + word(output) + " " + factor;
    block.fact("transformation", text);
  }
  return block.take();
}

std::string taint_fact(const Taint& t) { return word(t.key) + " = " + word(t.value) + " " + word(t.effect); }

Block block_of(const Flavor& flavor) {
  Block block("flavor", flavor.name);
  block.facts("nodeLabel", flavor.node_labels);
  for (const auto& t : std::set<Taint>(flavor.taints.begin(), flavor.taints.end())) block.fact("taint", taint_fact(t));
  for (const auto& t : std::set<Toleration>(flavor.tolerations.begin(), flavor.tolerations.end()))
    block.fact("toleration", word(t.key) + " " + word(t.op) + " " + word(t.value) + " " + word(t.effect) + " " +
                                 (t.seconds ? std::to_string(*t.seconds) : "forever"));
  block.fact("topology", word(flavor.topology));
  return block;
}

Block block_of(const LocalQueue& queue) {
  Block block("localQueue", name_in_lines(queue));
  block.fact("clusterQueue", word(queue.cluster_queue));
  block.fact("stopPolicy", word(queue.stop));
  block.facts("label", queue.labels);
  return block;
}

Block block_of(const WorkloadPriorityClass& priority) {
  Block block("priorityClass", priority.name);
  block.fact("value", std::to_string(priority.value));
  block.facts("label", priority.labels);
  return block;
}

Block block_of(const Namespace& ns) {
  Block block("namespace", ns.name);
  for (const auto& [key, value] : ns.labels)
    if (key != "kubernetes.io/metadata.name" || value != ns.name)  // the API server sets this one
      block.fact("label", word(key) + " = " + word(value));
  return block;
}

Block block_of(const PriorityClass& priority) {
  Block block("podPriorityClass", priority.name);
  block.fact("value", std::to_string(priority.value));
  block.fact("globalDefault", priority.global_default ? "true" : "false");
  block.fact("preempts", priority.preempts ? "true" : "false");
  block.facts("label", priority.labels);
  return block;
}

Block block_of(const ResourceQuota& quota) {
  Block block("resourceQuota", name_in_lines(quota));
  for (const auto& [what, most] : quota.hard) block.fact("hard", word(what) + " = " + std::to_string(most));
  return block;
}

std::string words(std::string_view what, const std::vector<std::string>& list) {
  std::string out(what);
  for (const auto& one : std::set<std::string>(list.begin(), list.end())) out += " " + word(one);
  return out + ";";
}

void put_match(Block& block, const std::string& field, const MatchResources& match) {
  block.fact(field, match.equivalent ? "Equivalent" : "Exact");
  put_selector(block, field + " namespaces", match.namespaces);
  put_selector(block, field + " objects", match.objects);
  const auto put_rules = [&](const char* name, const std::vector<MatchResources::Rule>& rules) {
    std::set<std::string> facts;
    for (const auto& rule : rules)
      facts.insert(words("groups", rule.groups) + words(" versions", rule.versions) +
                   words(" operations", rule.operations) + words(" resources", rule.resources) +
                   words(" names", rule.names) + " scope " + word(rule.scope));
    for (const auto& fact : facts) block.fact(field + " " + name, fact);
  };
  put_rules("rule", match.rules);
  put_rules("excludes", match.excluded);
}

// Expressions as they are: that two of them mean the same is decided elsewhere.
Block block_of(const AdmissionPolicy& policy) {
  Block block("admissionPolicy", policy.name);
  block.fact("failurePolicy", policy.fails_closed ? "Fail" : "Ignore");
  if (policy.params) block.fact("params", "true");
  put_match(block, "match", policy.match);
  for (const auto& c : policy.conditions) block.fact("condition", word(c.name) + " " + word(c.expression));
  for (const auto& v : policy.variables) block.fact("variable", word(v.name) + " " + word(v.expression));
  for (const auto& v : policy.validations) block.fact("validation", word(v.expression));
  return block;
}

Block block_of(const AdmissionBinding& binding) {
  Block block("admissionBinding", binding.name);
  block.fact("policy", word(binding.policy));
  for (const auto& action : std::set<std::string>(binding.actions.begin(), binding.actions.end()))
    block.fact("action", word(action));
  put_match(block, "match", binding.match);
  return block;
}

Block block_of(const ClusterRole& role) {
  Block block("clusterRole", role.name);
  std::set<std::string> facts;
  for (const auto& rule : role.rules)
    facts.insert(words("groups", rule.groups) + words(" resources", rule.resources) + words(" verbs", rule.verbs) +
                 words(" names", rule.names));
  for (const auto& fact : facts) block.fact("rule", fact);
  return block;
}

Block block_of(const ClusterRoleBinding& binding) {
  Block block("clusterRoleBinding", binding.name);
  block.fact("role", word(binding.role));
  for (const auto& s : std::set<ClusterRoleBinding::Subject>(binding.subjects.begin(), binding.subjects.end()))
    block.fact("subject", s.kind + " " + word(s.ns) + " " + word(s.name));
  return block;
}

Block block_of(const NodePool& pool) {
  Block block("nodes", pool.name);
  block.facts("label", pool.labels);
  for (const auto& t : std::set<Taint>(pool.taints.begin(), pool.taints.end())) block.fact("taint", taint_fact(t));
  return block;
}

// A mode says what differs from the base; an entry that repeats the base's quota says nothing.
class BaseQuotas {
 public:
  explicit BaseQuotas(const Cluster& cluster) : cluster_(cluster) {
    for (const auto& queue : cluster.queues) queues_.emplace(queue.name, &queue);
  }
  bool repeats(const Mode::Key& key, const Quota& quota) const {
    const auto found = queues_.find(key.queue);
    if (found == queues_.end()) return false;
    for (const auto& group : found->second->groups)
      for (const auto& flavor : group.flavors)
        for (std::size_t i = 0; i < std::min(group.covered.size(), flavor.quotas.size()); ++i)
          if (flavor.flavor < cluster_.flavors.size() && cluster_.flavors[flavor.flavor].name == key.flavor &&
              group.covered[i] < cluster_.resources.size() && cluster_.resources[group.covered[i]] == key.resource)
            return flavor.quotas[i] == quota;
    return false;
  }

 private:
  const Cluster& cluster_;
  std::unordered_map<std::string_view, const Queue*> queues_;
};

// What the lines of some objects need beside the object.
struct InCluster {
  const Cluster& cluster;
  const std::vector<std::string>& flavor_names;
  const BaseQuotas base;
};

template <class Object>
Block block_in(const InCluster&, const Object& object) {
  return block_of(object);
}

Block block_in(const InCluster& in, const CohortNode& cohort) {
  Block block("cohort", cohort.name);
  block.fact("parent", word(cohort.parent));
  put_groups(block, cohort.groups, in.cluster.resources, in.flavor_names);
  block.fact("fairWeight", weight(cohort.fair_weight));
  return block;
}

Block block_in(const InCluster& in, const Queue& queue) {
  Block block("queue", queue.name);
  block.fact("cohort", word(queue.cohort));
  put_groups(block, queue.groups, in.cluster.resources, in.flavor_names);
  block.fact("queueingStrategy", word(queue.strategy));
  const auto& preemption = queue.preemption;
  block.fact("withinClusterQueue", word(preemption.within_cluster_queue));
  block.fact("reclaimWithinCohort", word(preemption.reclaim_within_cohort));
  block.fact("borrowWithinCohort", word(preemption.borrow_within_cohort));
  const auto threshold = preemption.max_priority_threshold;
  block.fact("maxPriorityThreshold", threshold ? std::to_string(*threshold) : "none");
  block.fact("whenCanBorrow", word(queue.when_can_borrow));
  block.fact("whenCanPreempt", word(queue.when_can_preempt));
  block.fact("preference",
             queue.fungibility_preference.empty() ? "BorrowingOverPreemption" : word(queue.fungibility_preference));
  block.fact("stopPolicy", word(queue.stop));
  put_selector(block, "namespaceSelector", queue.namespaces);
  for (const auto& check : std::set<std::string>(queue.admission_checks.begin(), queue.admission_checks.end()))
    block.fact("admissionCheck", word(check));
  block.fact("fairWeight", weight(queue.fair_weight));
  block.facts("label", queue.labels);
  return block;
}

Block block_in(const InCluster& in, const Mode& mode) {
  Block block("mode", mode.name);
  for (const auto& [key, quota] : mode.changed) {
    if (in.base.repeats(key, quota)) continue;
    std::string& line = block.line("changes ");
    line += word(key.queue) + " " + word(key.flavor) + " " + word(key.resource);
    put_quota(line, quota);
  }
  return block;
}

std::set<std::string> covered_names(const Cluster& cluster) {
  std::set<std::string> names;
  const auto add = [&](const std::vector<ResourceGroup>& groups) {
    for (const ResourceGroup& group : groups)
      for (const std::uint32_t r : group.covered) names.insert(named(cluster.resources, r));
  };
  for (const Queue& queue : cluster.queues) add(queue.groups);
  for (const CohortNode& cohort : cluster.cohorts) add(cohort.groups);
  return names;
}

}  // namespace

std::string normal_form(const Cluster& cluster) {
  std::string out = cluster.volcano ? normal_form(*cluster.volcano) : config_text(cluster.config);
  std::vector<std::string> flavor_names;
  for (const auto& flavor : cluster.flavors) flavor_names.push_back(flavor.name);
  // Where nothing has a quota no name of a resource means anything.
  for (const auto& name : covered_names(cluster)) out += "resource " + word(name) + "\n";

  const InCluster in{cluster, flavor_names, BaseQuotas(cluster)};
  each_list(cluster, [&](const auto& objects) {
    Section lines;
    for (const auto& object : objects) {
      Block block = block_in(in, object);
      lines.add(name_in_lines(object), block);
    }
    lines.append_to(out);
  });
  return out;
}

}  // namespace gpol
