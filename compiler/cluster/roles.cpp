#include "compiler/cluster/roles.h"

#include <algorithm>

#include "compiler/source/lookup.h"

namespace gpol {

namespace {

using Kind = QueueRole::Kind;

std::string label(const std::map<std::string, std::string>& labels, const std::string& key) {
  return value_or(labels, key, "");
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

using Left = std::vector<std::uint32_t>;  // resources that are not asked for, sorted

bool leaves_out(const Left& left, std::uint32_t resource) { return std::ranges::binary_search(left, resource); }

// A pod takes one flavor of every group of which it asks for something: the group with room for the fewest decides.
std::int64_t unit_demand(const Cluster& cluster, const Queue& queue, const Left& left) {
  std::int64_t fewest = queue.groups.empty() ? 0 : INT64_MAX;
  for (const auto& group : queue.groups) {
    if (std::ranges::all_of(group.covered, [&](auto r) { return leaves_out(left, r); })) continue;
    std::int64_t pods = 0;
    for (const auto& flavor : group.flavors) {
      std::int64_t least = INT64_MAX;
      for (std::size_t r = 0; r < group.covered.size(); ++r)
        if (!leaves_out(left, group.covered[r]))
          least = std::min(least, flavor.quotas[r].nominal / one_unit(cluster.resources[group.covered[r]]));
      if (__builtin_add_overflow(pods, least, &pods)) pods = INT64_MAX;
    }
    fewest = std::min(fewest, pods);
  }
  return fewest;
}

// A pod asks for one device: of a queue that covers several, of one of which it has quota.
void set_demands(const Cluster& cluster, const Queue& queue, QueueRole& role) {
  Left devices, owned;
  for (const auto& group : queue.groups)
    for (std::size_t r = 0; r < group.covered.size(); ++r) {
      if (!is_gpu_or_slice(cluster.resources[group.covered[r]])) continue;
      devices.push_back(group.covered[r]);
      if (std::ranges::any_of(group.flavors, [&](const auto& f) { return f.quotas[r].nominal > 0; }))
        owned.push_back(group.covered[r]);
    }
  std::ranges::sort(devices);
  if (devices.size() > 1)
    for (const std::uint32_t device : owned) {
      Left left = devices;
      std::erase(left, device);
      const std::int64_t pods = unit_demand(cluster, queue, left);
      role.demands.emplace_back(pods, std::move(left));
    }
  if (role.demands.empty()) role.demands.emplace_back(unit_demand(cluster, queue, {}), Left{});
  role.unit_demand = role.demands.front().first;
  role.not_asked = role.demands.front().second;
}

// What is named of a queue's reserve, replica and shapes takes the place of what is read off its quotas.
void take_named(const Cluster& cluster, const Queue& queue, const NamedRole& said, QueueRole& role) {
  NamedAmounts all;  // of the reserve, over its flavors
  std::size_t pair = 0;
  for (const auto& group : queue.groups)
    for (const auto& flavor : group.flavors)
      for (std::size_t r = 0; r < group.covered.size(); ++r, ++pair) {
        const std::string& resource = cluster.resources[group.covered[r]];
        if (const auto of = said.reserve.find(cluster.flavors[flavor.flavor].name); !said.reserve.empty())
          role.reserve[pair] =
              std::min(role.reserve[pair], of == said.reserve.end() ? 0 : value_or(of->second, resource, 0));
        if (__builtin_add_overflow(all[resource], role.reserve[pair], &all[resource])) all[resource] = INT64_MAX;
      }
  for (std::uint32_t f = 0; f < cluster.flavors.size(); ++f)
    if (const auto shape = said.shapes.find(cluster.flavors[f].name); shape != said.shapes.end())
      if (const auto devices = devices_in(cluster, by_resource(cluster, shape->second))) role.pod_shapes[f] = *devices;
  role.start = said.start;
  role.grace = said.grace;
  role.kill_margin = said.kill_margin;
  if (!said.replica.empty()) {
    role.replica = by_resource(cluster, said.replica);
    std::int64_t replicas = INT64_MAX;
    for (const auto& [resource, amount] : said.replica)
      if (amount > 0 && all.contains(resource)) replicas = std::min(replicas, all[resource] / amount);
    role.victims_in_turn = replicas;
  }
  if (said.replica.empty() && said.reserve.empty()) return;
  role.unit_demand.reset();  // whatever is within the reserve
  role.not_asked.clear();
  role.demands.clear();
}

}  // namespace

std::vector<std::int64_t> by_resource(const Cluster& cluster, const NamedAmounts& amounts) {
  std::vector<std::int64_t> all(cluster.resources.size(), 0);
  for (std::size_t r = 0; r < all.size(); ++r)
    if (const auto found = amounts.find(cluster.resources[r]); found != amounts.end()) all[r] = found->second;
  return all;
}

std::int64_t one_unit(std::string_view resource) {
  if (resource == "cpu") return 1000;
  return resource == "memory" || resource == "ephemeral-storage" ? std::int64_t{1} << 30U : 1;
}

std::int64_t unit_asked(const Cluster& cluster, const QueueRole& role, std::uint32_t resource) {
  return leaves_out(role.not_asked, resource) ? 0 : one_unit(cluster.resources[resource]);
}

void set_priorities(const Cluster& cluster, Intent& intent) {
  const auto serving = priority_of_role(cluster, Kind::Serving), batch = priority_of_role(cluster, Kind::Batch);
  for (std::size_t q = 0; q < cluster.queues.size(); ++q) {
    QueueRole& role = intent.roles[q];
    if (role.kind == Kind::Serving) role.priority = serving;
    // One without a role has that of batch, too, once it is taken for it.
    if ((role.kind == Kind::Batch || role.kind == Kind::None) &&
        label(cluster.queues[q].labels, "gpol.dev/batch-priority") != "any")
      role.priority = batch;
  }
}

Intent intent_from_labels(const Cluster& cluster, const NamedRoles& named) {
  Intent intent;
  intent.of_policy = false;
  for (const Queue& queue : cluster.queues) {
    const auto said = named.find(queue.name);
    QueueRole role;
    role.tenant = queue.name;
    role.kind = said != named.end() ? said->second.kind : kind_of(label(queue.labels, "gpol.dev/role"));
    for (const auto& group : queue.groups)
      for (const auto& flavor : group.flavors)
        for (const Quota& quota : flavor.quotas) role.reserve.push_back(quota.nominal);
    role.permitted.assign(role.reserve.size(), 0);
    if (role.kind == Kind::Serving) {
      role.isolation = isolation_of(label(queue.labels, "gpol.dev/class"));
      if (said != named.end()) {
        role.isolation = said->second.isolation.value_or(role.isolation);
        role.deadline = said->second.deadline;
      }
      set_demands(cluster, queue, role);
    }
    if (said != named.end()) take_named(cluster, queue, said->second, role);
    intent.roles.push_back(std::move(role));
  }
  set_priorities(cluster, intent);
  return intent;
}

void take_others_as_batch(Intent& intent) {
  if (intent.outside.empty() && !contains(intent.roles, Kind::Serving, &QueueRole::kind)) return;
  for (QueueRole& role : intent.roles) {
    if (role.kind != Kind::None) continue;
    role.kind = Kind::Batch;
    role.assumed = true;
  }
}

}  // namespace gpol
