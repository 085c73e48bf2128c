#include <algorithm>

#include "compiler/cluster/words.h"
#include "tests/conformance/differential/config_json.h"
#include "tests/conformance/differential/history.h"

namespace gpol::differential {

using nlohmann::json;

namespace {

constexpr const char* kOps[] = {"submit",    "finish", "release", "mode",   "stop",  "stopLocal",
                                "delist",    "move",   "cohort",  "flavor", "cycle", "expect",
                                "available", "ready",  "evict",   "ended",  "wait"};

json quota_json(const Quota& quota) {
  json out{{"nominal", quota.nominal}};
  if (quota.borrowing) out["borrowing"] = *quota.borrowing;
  if (quota.lending) out["lending"] = *quota.lending;
  return out;
}

Quota quota_of(const json& in) {
  Quota quota{in.at("nominal"), {}, {}};
  if (in.contains("borrowing")) quota.borrowing = in.at("borrowing").get<std::int64_t>();
  if (in.contains("lending")) quota.lending = in.at("lending").get<std::int64_t>();
  return quota;
}

std::uint32_t index(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<std::uint32_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

std::vector<std::string> flavor_names(const Cluster& cluster) {
  std::vector<std::string> names;
  for (const auto& flavor : cluster.flavors) names.push_back(flavor.name);
  return names;
}

std::vector<std::string> queue_names(const Cluster& cluster) {
  std::vector<std::string> names;
  for (const auto& queue : cluster.queues) names.push_back(queue.name);
  return names;
}

json groups_json(const Cluster& cluster, const std::vector<ResourceGroup>& groups) {
  json out = json::array();
  for (const auto& group : groups) {
    json covered = json::array(), flavors = json::array();
    for (const auto r : group.covered) covered.push_back(cluster.resources[r]);
    for (const auto& row : group.flavors) {
      json quotas = json::array();
      for (const auto& quota : row.quotas) quotas.push_back(quota_json(quota));
      flavors.push_back({{"flavor", cluster.flavors[row.flavor].name}, {"quotas", quotas}});
    }
    out.push_back({{"covered", covered}, {"flavors", flavors}});
  }
  return out;
}

std::vector<ResourceGroup> groups_of(const Cluster& cluster, const json& in) {
  std::vector<ResourceGroup> groups;
  for (const json& written : in) {
    ResourceGroup group;
    for (const json& name : written.at("covered")) group.covered.push_back(index(cluster.resources, name));
    for (const json& row : written.at("flavors")) {
      FlavorQuotas quotas{index(flavor_names(cluster), row.at("flavor")), {}};
      for (const json& quota : row.at("quotas")) quotas.quotas.push_back(quota_of(quota));
      group.flavors.push_back(std::move(quotas));
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

// The value of an enumeration that has this word.
template <class T>
T named(const json& in, const char* key) {
  for (int i = 0; i < 3; ++i) {
    const auto value = static_cast<T>(i);
    try {
      if (in.at(key).get<std::string>() == word(value)) return value;
    } catch (const std::logic_error&) {
      break;  // an enumeration of two values
    }
  }
  throw std::runtime_error(std::string("no such value of ") + key);
}

json queue_json(const Cluster& cluster, const Queue& queue) {
  const Preemption& p = queue.preemption;
  json out{{"name", queue.name},
           {"cohort", queue.cohort},
           {"groups", groups_json(cluster, queue.groups)},
           {"strategy", word(queue.strategy)},
           {"within", word(p.within_cluster_queue)},
           {"reclaim", word(p.reclaim_within_cohort)},
           {"borrowWithin", word(p.borrow_within_cohort)},
           {"whenCanBorrow", word(queue.when_can_borrow)},
           {"whenCanPreempt", word(queue.when_can_preempt)},
           {"preference", queue.fungibility_preference},
           {"weight", queue.fair_weight},
           {"stop", word(queue.stop)}};
  if (p.max_priority_threshold) out["threshold"] = *p.max_priority_threshold;
  return out;
}

Queue queue_of(const Cluster& cluster, const json& in) {
  Queue queue;
  queue.name = in.at("name");
  queue.cohort = in.at("cohort");
  queue.groups = groups_of(cluster, in.at("groups"));
  queue.strategy = named<QueueingStrategy>(in, "strategy");
  queue.preemption.within_cluster_queue = named<Within>(in, "within");
  queue.preemption.reclaim_within_cohort = named<Reclaim>(in, "reclaim");
  queue.preemption.borrow_within_cohort = named<BorrowWithin>(in, "borrowWithin");
  if (in.contains("threshold")) queue.preemption.max_priority_threshold = in.at("threshold").get<std::int64_t>();
  queue.when_can_borrow = named<Search>(in, "whenCanBorrow");
  queue.when_can_preempt = named<Search>(in, "whenCanPreempt");
  queue.fungibility_preference = in.at("preference");
  queue.fair_weight = in.at("weight");
  if (in.contains("stop")) queue.stop = named<StopPolicy>(in, "stop");
  queue.namespaces.present = true;
  return queue;
}

// Tolerations as Kubernetes writes them.
json tolerations_json(const std::vector<Toleration>& tolerations) {
  json out = json::array();
  for (const Toleration& t : tolerations)
    out.push_back({{"key", t.key}, {"operator", t.op}, {"value", t.value}, {"effect", t.effect}});
  return out;
}

// What is empty the judge leaves out where it writes a shrunk history.
std::vector<Toleration> tolerations_of(const json& in) {
  std::vector<Toleration> tolerations;
  for (const json& t : in)
    tolerations.push_back(
        {t.value("key", ""), t.value("operator", ""), t.value("value", ""), t.value("effect", ""), std::nullopt});
  return tolerations;
}

json taints_json(const std::vector<Taint>& taints) {
  json out = json::array();
  for (const Taint& t : taints) out.push_back({{"key", t.key}, {"value", t.value}, {"effect", t.effect}});
  return out;
}

json podset_json(const Cluster& cluster, const kueue::PodSet& podset) {
  json each = json::object();
  for (const auto& request : podset.requests)
    each[cluster.resources[request.resource]] = podset.count == 0 ? 1 : request.amount / podset.count;
  json out{{"count", podset.count}, {"each", each}};
  if (podset.flavor) out["flavor"] = cluster.flavors[*podset.flavor].name;
  if (podset.tolerations) out["tolerations"] = tolerations_json(*podset.tolerations);
  return out;
}

kueue::PodSet podset_of(const Cluster& cluster, const json& in) {
  kueue::PodSet podset;
  podset.count = in.at("count");
  for (std::uint32_t r = 0; r < cluster.resources.size(); ++r)
    if (in.at("each").contains(cluster.resources[r]))
      podset.requests.push_back({r, podset.count * in.at("each").at(cluster.resources[r]).get<std::int64_t>()});
  if (in.contains("flavor")) podset.flavor = index(flavor_names(cluster), in.at("flavor"));
  if (in.contains("tolerations")) podset.tolerations = tolerations_of(in.at("tolerations"));
  return podset;
}

json cohort_json(const Cluster& cluster, const CohortNode& cohort) {
  return {{"name", cohort.name},
          {"parent", cohort.parent},
          {"groups", groups_json(cluster, cohort.groups)},
          {"weight", cohort.fair_weight}};
}

CohortNode cohort_of(const Cluster& cluster, const json& in) {
  return {in.at("name"), in.at("parent"), groups_of(cluster, in.at("groups")), in.at("weight")};
}

json op_json(const Cluster& cluster, const Op& op) {
  json out{{"do", kOps[static_cast<int>(op.kind)]}};
  switch (op.kind) {
    case Op::Kind::Submit: {
      json podsets = json::array();
      for (const auto& podset : op.workload.podsets()) podsets.push_back(podset_json(cluster, podset));
      out["id"] = op.id;
      out["queue"] = cluster.queues[op.workload.queue].name;
      out["priority"] = op.workload.priority;
      out["again"] = op.workload.asks_again;
      out["podsets"] = podsets;
      out["local"] = op.workload.local;
      out["stranger"] = !op.workload.namespace_matches;
      if (op.workload.boost != 0) out["boost"] = op.workload.boost;
      break;
    }
    case Op::Kind::Ready:
      out["id"] = op.id;
      out["ready"] = op.ready;
      break;
    case Op::Kind::Ended:
      out["id"] = op.id;
      out["podset"] = op.podset;
      break;
    case Op::Kind::Evict:
    case Op::Kind::Finish:
      out["id"] = op.id;
      break;
    case Op::Kind::Mode:
      out["mode"] = op.mode;
      break;
    case Op::Kind::Stop:
      out["queue"] = cluster.queues[op.queue].name;
      out["policy"] = word(op.policy);
      break;
    case Op::Kind::StopLocal:
      out["queue"] = cluster.queues[op.queue].name;
      out["local"] = op.local;
      out["policy"] = word(op.policy);
      break;
    case Op::Kind::Delist:
      out["queue"] = cluster.queues[op.queue].name;
      out["flavor"] = cluster.flavors[op.flavor].name;
      break;
    case Op::Kind::Move:
      out["queue"] = cluster.queues[op.queue].name;
      out["to"] = op.cohort.name;
      break;
    case Op::Kind::Cohort:
      out["cohort"] = cohort_json(cluster, op.cohort);
      out["deleted"] = op.deleted;
      break;
    case Op::Kind::Flavor:
      out["flavor"] = cluster.flavors[op.flavor].name;
      out["deleted"] = op.deleted;
      break;
    case Op::Kind::Cycle:
      out["outcome"] = op.outcome;
      break;
    case Op::Kind::Expect:
      out["workloads"] = op.workloads;
      out["admitted"] = op.admitted;
      break;
    case Op::Kind::Available:
      out["queue"] = cluster.queues[op.queue].name;
      out["flavor"] = cluster.flavors[op.flavor].name;
      out["resource"] = cluster.resources[op.resource];
      out["amount"] = op.amount;
      out["orMore"] = op.or_more;
      break;
    case Op::Kind::Wait:
      out["seconds"] = op.seconds;
      break;
    case Op::Kind::Release:
      break;
  }
  return out;
}

Op op_of(const Cluster& cluster, const json& in) {
  Op op;
  op.kind = static_cast<Op::Kind>(std::find(std::begin(kOps), std::end(kOps), in.at("do").get<std::string>()) - kOps);
  if (in.contains("id")) op.id = in.at("id");
  if (op.kind == Op::Kind::Mode) op.mode = in.at("mode");
  if (op.kind == Op::Kind::Ready) op.ready = in.at("ready");
  if (op.kind == Op::Kind::Ended) op.podset = in.at("podset");
  if (op.kind == Op::Kind::Wait) op.seconds = in.at("seconds");
  if (op.kind == Op::Kind::Stop || op.kind == Op::Kind::StopLocal) {
    op.queue = index(queue_names(cluster), in.at("queue"));
    op.policy = named<StopPolicy>(in, "policy");
    op.local = in.value("local", 0U);
  }
  if (op.kind == Op::Kind::Delist) {
    op.queue = index(queue_names(cluster), in.at("queue"));
    op.flavor = index(flavor_names(cluster), in.at("flavor"));
  }
  if (op.kind == Op::Kind::Move) {
    op.queue = index(queue_names(cluster), in.at("queue"));
    op.cohort.name = in.at("to");
  }
  if (op.kind == Op::Kind::Cohort) {
    op.cohort = cohort_of(cluster, in.at("cohort"));
    op.deleted = in.at("deleted");
  }
  if (op.kind == Op::Kind::Flavor) {
    op.flavor = index(flavor_names(cluster), in.at("flavor"));
    op.deleted = in.at("deleted");
  }
  if (op.kind == Op::Kind::Expect) {
    op.workloads = in.at("workloads").get<std::vector<std::size_t>>();
    op.admitted = in.at("admitted");
  }
  if (op.kind == Op::Kind::Available) {
    op.queue = index(queue_names(cluster), in.at("queue"));
    op.flavor = index(flavor_names(cluster), in.at("flavor"));
    op.resource = index(cluster.resources, in.at("resource"));
    op.amount = in.at("amount");
    op.or_more = in.at("orMore");
  }
  if (op.kind != Op::Kind::Submit) return op;
  op.workload.queue = index(queue_names(cluster), in.at("queue"));
  op.workload.priority = in.at("priority");
  op.workload.asks_again = in.at("again");
  op.workload.local = in.value("local", 0U);
  op.workload.namespace_matches = !in.value("stranger", false);
  if (in.contains("boost")) op.workload.boost = in.at("boost");
  for (const json& written : in.at("podsets")) op.workload.more.push_back(podset_of(cluster, written));
  kueue::PodSet& first = op.workload.more.front();
  op.workload.requests = first.requests;
  op.workload.flavor = first.flavor;
  op.workload.count = first.count;
  op.workload.tolerations = first.tolerations;
  op.workload.more.erase(op.workload.more.begin());
  return op;
}

}  // namespace

json to_json(const History& history) {
  const Cluster& cluster = history.cluster;
  json nodes = json::object();  // what a flavor says of its nodes beyond their label
  for (const auto& flavor : cluster.flavors)
    nodes[flavor.name] = {{"taints", taints_json(flavor.taints)},
                          {"tolerations", tolerations_json(flavor.tolerations)}};
  json cohorts = json::array(), queues = json::array(), modes = json::array(), ops = json::array();
  for (const auto& cohort : cluster.cohorts) cohorts.push_back(cohort_json(cluster, cohort));
  for (const auto& queue : cluster.queues) queues.push_back(queue_json(cluster, queue));
  for (const auto& mode : cluster.modes) {
    json changed = json::array();
    for (const auto& [key, quota] : mode.changed)
      changed.push_back(
          {{"queue", key.queue}, {"flavor", key.flavor}, {"resource", key.resource}, {"quota", quota_json(quota)}});
    modes.push_back(changed);
  }
  for (const Op& op : history.ops) ops.push_back(op_json(cluster, op));
  json out{{"seed", history.seed},
           {"yaml", history.yaml},
           {"flavors", flavor_names(cluster)},
           {"nodes", nodes},
           {"resources", cluster.resources},
           {"cohorts", cohorts},
           {"queues", queues},
           {"modes", modes},
           {"ops", ops}};
  put_config(out, cluster.config);
  return out;
}

History from_json(const json& in) {
  History history;
  history.seed = in.at("seed");
  if (in.contains("yaml")) history.yaml = in.at("yaml");
  Cluster& cluster = history.cluster;
  read_config(in, cluster.config);
  cluster.resources = in.at("resources").get<std::vector<std::string>>();
  for (const json& name : in.at("flavors")) {
    Flavor flavor;
    flavor.name = name;
    flavor.node_labels = {{"pool", flavor.name}};
    if (in.contains("nodes")) {
      const json& nodes = in.at("nodes").at(flavor.name);
      for (const json& t : nodes.at("taints"))
        flavor.taints.push_back({t.at("key"), t.value("value", ""), t.at("effect")});
      flavor.tolerations = tolerations_of(nodes.at("tolerations"));
    }
    cluster.flavors.push_back(std::move(flavor));
  }
  for (const json& written : in.at("cohorts")) cluster.cohorts.push_back(cohort_of(cluster, written));
  for (const json& written : in.at("queues")) cluster.queues.push_back(queue_of(cluster, written));
  for (const json& changes : in.at("modes")) {
    Mode mode;
    for (const json& change : changes)
      mode.changed[{change.at("queue"), change.at("flavor"), change.at("resource")}] = quota_of(change.at("quota"));
    cluster.modes.push_back(std::move(mode));
  }
  for (const json& op : in.at("ops")) history.ops.push_back(op_of(cluster, op));
  return history;
}

}  // namespace gpol::differential
