#include "checker/observe/patches.h"

#include <charconv>
#include <set>

#include "checker/observe/kinds/kinds.h"
#include "compiler/cluster/listed.h"

namespace gpol::manifest {
namespace {

// /spec/resourceGroups/G/flavors/F/resources/R/FIELD
struct Target {
  std::size_t group = 0, flavor = 0, resource = 0;
  std::string_view field;
};

// Takes "/word" off the front.
bool take_word(std::string_view& path, std::string_view word) {
  if (!path.starts_with("/") || !path.substr(1).starts_with(word)) return false;
  path.remove_prefix(1 + word.size());
  return true;
}

// Takes "/7" off the front: digits without leading zeros, as RFC 6901 has it.
bool take_index(std::string_view& path, std::size_t& index) {
  if (!path.starts_with("/")) return false;
  path.remove_prefix(1);
  const auto [end, error] = std::from_chars(path.data(), path.data() + path.size(), index);
  const auto length = static_cast<std::size_t>(end - path.data());
  if (error != std::errc{} || (length > 1 && path[0] == '0')) return false;
  path.remove_prefix(length);
  return true;
}

bool parse_path(std::string_view path, Target& target) {
  if (!take_word(path, "spec") || !take_word(path, "resourceGroups") || !take_index(path, target.group) ||
      !take_word(path, "flavors") || !take_index(path, target.flavor) || !take_word(path, "resources") ||
      !take_index(path, target.resource) || !path.starts_with("/"))
    return false;
  target.field = path.substr(1);
  return target.field == "nominalQuota" || target.field == "borrowingLimit" || target.field == "lendingLimit";
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
    const auto problem = quota_problem(quota, queue != nullptr && !queue->cohort.empty());
    if (!problem.empty())
      draft.problems.add("", "leaves " + key.queue + ", " + key.flavor + ", " + key.resource + ": " + problem, 0);
    return false;
  });
}

}  // namespace gpol::manifest
