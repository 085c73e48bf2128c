#include "checker/observe/patches.h"

#include <re2/re2.h>

#include <set>
#include <string>

#include "checker/observe/kinds/kinds.h"
#include "compiler/cluster/listed.h"

namespace gpol::manifest {
namespace {

// /spec/resourceGroups/G/flavors/F/resources/R/FIELD
struct Target {
  std::size_t group = 0, flavor = 0, resource = 0;
  std::string field;
};

// Numbers without leading zeros, as RFC 6901 has them.
bool parse_path(const std::string& path, Target& target) {
  static const re2::RE2 pattern(
      "/spec/resourceGroups/(0|[1-9][0-9]*)/flavors/(0|[1-9][0-9]*)/resources/(0|[1-9][0-9]*)/"
      "(nominalQuota|borrowingLimit|lendingLimit)");
  return re2::RE2::FullMatch(path, pattern, &target.group, &target.flavor, &target.resource, &target.field);
}

const Quota* base_quota(const Queue& queue, const Target& target) {
  if (target.group >= queue.groups.size()) return nullptr;
  const auto& group = queue.groups[target.group];
  if (target.flavor >= group.flavors.size()) return nullptr;
  const auto& quotas = group.flavors[target.flavor].quotas;
  return target.resource < quotas.size() ? &quotas[target.resource] : nullptr;
}

void apply_operation(const View& operation, Draft& draft, const Queue& queue, Mode& mode, std::set<std::string>& seen) {
  if (!operation.expect(Node::Kind::Map)) return;
  const auto op = operation.required_text("op");
  const auto path = operation.required_text("path");
  operation.ignore("value");  // read below, once its resource is known
  operation.finish();
  if (op.empty() || path.empty()) return;
  Target target;
  if (!parse_path(path, target))
    return operation.problem("path", shown(path) + " is not a quota or limit; a mode may change nothing else");
  if (!seen.insert(path).second) return operation.problem("path", shown(path) + " is changed twice");
  const Quota* base = base_quota(queue, target);
  if (base == nullptr) return operation.problem("path", shown(path) + " is not there in " + shown(queue.name));

  const auto& group = queue.groups[target.group];
  const auto& resource = draft.cluster.resources[group.covered[target.resource]];
  const auto& flavor = draft.cluster.flavors[group.flavors[target.flavor].flavor].name;
  Quota& quota = mode.changed.emplace(Mode::Key{queue.name, flavor, resource}, *base).first->second;
  const bool nominal = target.field == "nominalQuota";
  auto& limit = target.field == "borrowingLimit" ? quota.borrowing : quota.lending;

  if (op != "add" && op != "replace" && op != "remove")
    return operation.problem("op", shown(op) + " is none of add, replace, remove");
  if (op != "add" && !nominal && !limit) return operation.problem("path", shown(path) + " is not set in the base");
  if (op == "remove") {
    if (nominal) return operation.problem("op", "a nominalQuota cannot be removed");
    if (operation.has("value")) return operation.problem("value", "means nothing with remove");
    limit.reset();
    return;
  }
  if (!operation.has("value")) return operation.problem("value", "is required");
  const auto amount = read_amount(operation, "value", resource);
  if (!amount) return;
  if (nominal)
    quota.nominal = *amount;
  else
    limit = amount;
}

// The queue's quota of a (flavor, resource), by the names of a mode's key.
const Quota* find_quota(const Cluster& cluster, const Queue& queue, const Mode::Key& key) {
  for (const ListedQuota& one : listed_quotas(queue.groups))
    if (cluster.flavors[one.flavor].name == key.flavor && cluster.resources[one.resource] == key.resource)
      return &one.quota;
  return nullptr;
}

// What the webhook would say to a quota of a queue; empty: nothing.
std::string quota_problem(const Quota& quota, bool has_parent) {
  if (quota.nominal < 0 || quota.borrowing.value_or(0) < 0 || quota.lending.value_or(0) < 0)
    return "a quota or limit must not be negative";
  if (!has_parent && (quota.borrowing || quota.lending)) return "limits need a cohort to borrow from or lend to";
  if (quota.lending && *quota.lending > quota.nominal) return "lendingLimit must not exceed nominalQuota";
  return {};
}

}  // namespace

void apply_patch(const View& operations, Draft& draft, const Queue& queue, Mode& mode) {
  if (!operations.expect(Node::Kind::List)) return;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < operations.size(); ++i) apply_operation(operations.at(i), draft, queue, mode, seen);
}

void finish_mode(Draft& draft, Mode& mode) {
  std::erase_if(mode.changed, [&](const auto& change) {
    const auto& [key, quota] = change;
    const Queue* queue = draft.find_queue(key.queue);
    const Quota* base = queue == nullptr ? nullptr : find_quota(draft.cluster, *queue, key);
    if (base != nullptr && *base == quota) return true;
    if (const auto problem = quota_problem(quota, queue != nullptr && !queue->cohort.empty()); !problem.empty())
      draft.problems.add("", "leaves " + key.queue + ", " + key.flavor + ", " + key.resource + ": " + problem, 0);
    return false;
  });
}

}  // namespace gpol::manifest
