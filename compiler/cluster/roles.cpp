#include "compiler/cluster/roles.h"

#include <algorithm>

namespace gpol {

namespace {

using Kind = QueueRole::Kind;

std::string_view label(const std::map<std::string, std::string>& labels, const std::string& key) {
  const auto found = labels.find(key);
  return found == labels.end() ? std::string_view() : std::string_view(found->second);
}

Kind kind_of(std::string_view role) {
  return role == "serving"   ? Kind::Serving
         : role == "batch"   ? Kind::Batch
         : role == "bounded" ? Kind::Bounded
                             : Kind::None;
}

// The strict reading where nothing is said.
Isolation isolation_of(std::string_view word) {
  return word == "B" ? Isolation::B : word == "C" ? Isolation::C : Isolation::A;
}

// The one value of the classes with that role; nothing where there is none, or more than one.
std::optional<std::int64_t> priority_of_role(const Cluster& cluster, Kind kind) {
  std::optional<std::int64_t> value;
  for (const auto& priority : cluster.priority_classes) {
    if (kind == Kind::None || kind_of(label(priority.labels, "gpol.dev/role")) != kind) continue;
    if (value && *value != priority.value) return std::nullopt;
    value = priority.value;
  }
  return value;
}

// A pod takes one flavor of every group: the group with room for the fewest decides.
std::int64_t unit_demand(const Cluster& cluster, const Queue& queue) {
  std::int64_t fewest = queue.groups.empty() ? 0 : INT64_MAX;
  for (const auto& group : queue.groups) {
    std::int64_t pods = 0;
    for (const auto& flavor : group.flavors) {
      std::int64_t least = INT64_MAX;
      for (std::size_t r = 0; r < group.covered.size(); ++r)
        least = std::min(least, flavor.quotas[r].nominal / one_unit(cluster.resources[group.covered[r]]));
      if (__builtin_add_overflow(pods, least, &pods)) pods = INT64_MAX;
    }
    fewest = std::min(fewest, pods);
  }
  return fewest;
}

}  // namespace

std::int64_t one_unit(std::string_view resource) {
  if (resource == "cpu") return 1000;
  if (resource == "memory" || resource == "ephemeral-storage") return std::int64_t{1} << 30U;
  return 1;
}

Intent intent_from_labels(const Cluster& cluster, const NamedRoles& named) {
  Intent intent;
  intent.of_policy = false;
  const auto serving = priority_of_role(cluster, Kind::Serving), batch = priority_of_role(cluster, Kind::Batch);
  for (const Queue& queue : cluster.queues) {
    const auto said = named.find(queue.name);
    QueueRole role;
    role.tenant = queue.name;
    role.kind = said != named.end() ? said->second.kind : kind_of(label(queue.labels, "gpol.dev/role"));
    // One without a role has that of batch, too, once it is taken for it.
    if ((role.kind == Kind::Batch || role.kind == Kind::None) &&
        label(queue.labels, "gpol.dev/batch-priority") != "any")
      role.priority = batch;
    for (const auto& group : queue.groups)
      for (const auto& flavor : group.flavors)
        for (const Quota& quota : flavor.quotas) role.reserve.push_back(quota.nominal);
    role.permitted.assign(role.reserve.size(), 0);
    if (role.kind == Kind::Serving) {
      role.priority = serving;
      role.isolation = isolation_of(label(queue.labels, "gpol.dev/class"));
      if (said != named.end()) {
        role.isolation = said->second.isolation.value_or(role.isolation);
        role.deadline = said->second.deadline;
      }
      role.unit_demand = unit_demand(cluster, queue);
    }
    intent.roles.push_back(std::move(role));
  }
  return intent;
}

void take_others_as_batch(Intent& intent) {
  const bool serves = !intent.outside.empty() ||
                      std::any_of(intent.roles.begin(), intent.roles.end(),
                                  [](const QueueRole& role) { return role.kind == Kind::Serving; });
  if (!serves) return;
  for (QueueRole& role : intent.roles) {
    if (role.kind != Kind::None) continue;
    role.kind = Kind::Batch;
    role.assumed = true;
  }
}

}  // namespace gpol
