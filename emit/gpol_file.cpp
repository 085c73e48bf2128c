#include "emit/gpol_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/cluster/node_facts.h"
#include "compiler/cluster/partition.h"
#include "compiler/cluster/quantity.h"
#include "compiler/policy/resources.h"
#include "compiler/policy/units.h"
#include "emit/kinds/object.h"

namespace gpol {

namespace {

constexpr const char* kHead =
    "# What `gpol verify` of this directory takes for granted, since no manifest shows it. Written by `gpol build`.\n";
constexpr const char* kClasses[] = {"A", "B", "C"};

using Amounts = std::vector<std::int64_t>;  // by index into Cluster::resources

yaml::Map amounts(const Cluster& cluster, const Amounts& of) {
  yaml::Map map;
  for (std::size_t r = 0; r < of.size(); ++r)
    if (of[r] > 0) map.emplace_back(cluster.resources[r], quantity(cluster.resources[r], of[r]));
  return map;
}

void add(yaml::Map& map, const char* key, yaml::Map value) {
  if (!value.empty()) map.emplace_back(key, std::move(value));
}

void add(yaml::Map& map, const char* key, const std::optional<TimeConstant>& time) {
  if (time) map.emplace_back(key, written_duration(time->value));
}

yaml::Map start(const StartTerms& terms) {
  yaml::Map map;
  add(map, "schedule", terms.schedule);
  add(map, "image", terms.image);
  add(map, "weights", terms.weights);
  add(map, "load", terms.load);
  add(map, "warm", terms.warm);
  return map;
}

yaml::Map serving(const Cluster& cluster, const Queue& queue, const QueueRole& role) {
  yaml::Map map{{"role", "serving"}, {"class", kClasses[static_cast<std::size_t>(role.isolation)]}};
  if (role.isolation == Isolation::B) add(map, "deadline", role.deadline);
  yaml::Map reserve;
  std::size_t pair = 0;
  for (const ResourceGroup& group : queue.groups)
    for (const FlavorQuotas& flavor : group.flavors) {
      Amounts of(cluster.resources.size(), 0);
      for (const std::uint32_t resource : group.covered) of[resource] = role.reserve[pair++];
      add(reserve, cluster.flavors[flavor.flavor].name.c_str(), amounts(cluster, of));
    }
  add(map, "reserve", std::move(reserve));
  add(map, "replica", amounts(cluster, role.replica));
  add(map, "start", start(role.start));
  add(map, "grace", role.grace);
  add(map, "killMargin", role.kill_margin);
  return map;
}

yaml::Map batch(const Cluster& cluster, const QueueRole& role) {
  yaml::Map map{{"role", "batch"}}, shapes;
  for (const auto& [flavor, shape] : role.pod_shapes) {
    Amounts of(cluster.resources.size(), 0);
    of[shape.resource] = shape.amount;
    add(shapes, cluster.flavors[flavor].name.c_str(), amounts(cluster, of));
  }
  add(map, "shapes", std::move(shapes));
  add(map, "grace", role.grace);
  add(map, "killMargin", role.kill_margin);
  return map;
}

yaml::Map times(const Cluster& cluster, const BatchTimes& batch) {
  yaml::Map map;
  add(map, "round", batch.round);
  add(map, "release", batch.release_reaction);
  const bool any = !cluster.queues.empty() && batch.only_jobs != batch.only_pods;
  if (any) map.emplace_back("kinds", yaml::List{batch.only_jobs ? "Job" : "Pod"});
  return map;
}

yaml::Map tenant(const Cluster& cluster, const OutsideReserve& outside) {
  yaml::Map map{{"name", outside.tenant}, {"class", kClasses[static_cast<std::size_t>(outside.isolation)]}};
  add(map, "deadline", outside.deadline);
  map.emplace_back("namespaces", kinds::string_list(outside.namespaces));
  map.emplace_back("flavor", cluster.flavors[outside.flavor].name);
  map.emplace_back("reserve", amounts(cluster, outside.reserve));
  add(map, "replica", amounts(cluster, outside.replica));
  if (outside.preempts_at) map.emplace_back("priority", *outside.preempts_at);
  add(map, "start", start(outside.start));
  add(map, "grace", outside.grace);
  add(map, "killMargin", outside.kill_margin);
  return map;
}

// Nodes that are alike: so many, up to so many more by an autoscaler.
yaml::Map nodes(const std::string& name, std::int64_t least, std::int64_t most, const std::string& model,
                const NodePool& pool, yaml::Map allocatable) {
  yaml::Map map{{"name", name}, {"count", least}};
  if (most > least) map.emplace_back("upTo", most);
  if (!model.empty()) map.emplace_back("gpu", model);
  add(map, "labels", kinds::string_map(pool.labels));
  kinds::add_unless_empty(map, "taints", kinds::taint_list(pool.taints));
  map.emplace_back("allocatable", std::move(allocatable));
  return map;
}

// The nodes of a pool, those of each configuration of mig-parted apart.
void nodes_of(const Planned& planned, const PoolCapacity& capacity, yaml::List& list) {
  const Cluster& cluster = planned.cluster;
  NodePool pool = cluster.node_pools[capacity.nodes];
  for (const CutNodes& cut : cluster.cut_nodes)
    if (cut.labels == cluster.node_pools[capacity.nodes].labels) pool.labels[cut.by] = cut.config;
  // What is surely there outlives the loss of nodes; more of them are there for class C alone.
  const auto left_of = [&](std::int64_t least) { return std::max<std::int64_t>(0, least - capacity.lost); };
  const CutPool* cut = planned.intent.cut_of(capacity.flavor);
  if (cut == nullptr || cut->kinds.empty()) {
    list.emplace_back(
        nodes(pool.name, left_of(capacity.nodes_min), capacity.nodes_max, "", pool, amounts(cluster, capacity.of_one)));
    return;
  }
  for (std::size_t k = 0; k < cut->kinds.size(); ++k) {
    const NodeKind& kind = cut->kinds[k];
    Amounts of_one = capacity.of_one;
    for (std::size_t r = 0; r < of_one.size(); ++r)
      if (is_slice(cluster.resources[r])) of_one[r] = slices_given(kind, cluster.resources[r]);
    if (cut->managed) {
      pool.labels[kMigConfigLabel] = kind.config;
      pool.labels["nvidia.com/mig.config.state"] = "success";  // MIG Manager's word for nodes that are cut
    }
    const std::string name = cut->kinds.size() == 1 ? pool.name : fmt::format("{}-{}", pool.name, k + 1);
    // Where they are cut alike: which of several kinds are lost nobody knows.
    const bool alike = cut->kinds.size() == 1;
    list.emplace_back(nodes(name, alike ? left_of(kind.nodes_min) : kind.nodes_min, kind.nodes_max, cut->device.name,
                            pool, amounts(cluster, of_one)));
  }
}

}  // namespace

RenderedFile gpol_file(const Planned& planned) {
  const Cluster& cluster = planned.cluster;
  yaml::Map file, queues;
  if (!cluster.volcano) file.emplace_back("kueue", "v" + cluster.config.version);
  for (std::size_t q = 0; q < cluster.queues.size(); ++q) {
    const QueueRole& role = planned.intent.roles[q];
    queues.emplace_back(cluster.queues[q].name, role.kind == QueueRole::Kind::Serving
                                                    ? serving(cluster, cluster.queues[q], role)
                                                    : batch(cluster, role));
  }
  for (std::size_t q = 0; q < planned.intent.volcano_roles.size(); ++q) {
    const volcano::QueueRole& role = planned.intent.volcano_roles[q];
    if (role.kind == volcano::QueueRole::Kind::Inner) continue;
    yaml::Map map{{"role", role.kind == volcano::QueueRole::Kind::Serving ? "serving" : "batch"}};
    if (role.kind == volcano::QueueRole::Kind::Serving)
      map.emplace_back("class", kClasses[static_cast<std::size_t>(role.isolation)]);
    map.emplace_back("pool", cluster.flavors[role.pool].name);
    queues.emplace_back(cluster.volcano->queues[q].name, std::move(map));
  }
  add(file, "queues", std::move(queues));
  if (!cluster.volcano) add(file, "times", times(cluster, planned.intent.batch));
  yaml::List tenants;
  for (const OutsideReserve& outside : planned.intent.outside) tenants.emplace_back(tenant(cluster, outside));
  if (!tenants.empty()) file.emplace_back("tenants", std::move(tenants));
  yaml::List all;
  std::int64_t most = 0;
  for (const PoolCapacity& capacity : planned.intent.capacities) {
    most = sum_of({most, capacity.nodes_max});
    if (capacity.nodes != kNone) nodes_of(planned, capacity, all);
  }
  if (most > kMostNamedNodes) all.clear();
  if (!all.empty()) file.emplace_back("nodes", std::move(all));
  return {"gpol.yaml", kHead + yaml::print(file)};
}

}  // namespace gpol
