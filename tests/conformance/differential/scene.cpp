#include "tests/conformance/differential/scene.h"

#include <algorithm>

#include <fmt/format.h>

#include "checker/observe/observe.h"
#include "tests/conformance/differential/outcome.h"

namespace gpol::differential {

Scene::Scene(std::vector<std::string> flavors, std::vector<std::string> resources) {
  Cluster& cluster = history_.cluster;
  for (auto& flavor : flavors) cluster.flavors.push_back({flavor, {{"pool", flavor}}, {}, {}, ""});
  for (auto& resource : resources)
    cluster.resources.push_back(resource == "pods" ? resource : "example.com/" + resource);
  cluster.modes.push_back({"base", {}});
}

Scene Scene::of_manifests(const std::string& yaml) {
  const YamlFile file{"case.yaml", yaml};
  Observed observed = observe({&file, 1});
  if (!observed.problems.empty())
    throw std::runtime_error(fmt::format("line {}: {}", observed.problems[0].line, observed.problems[0].what));
  Scene scene;
  scene.history_.cluster = std::move(observed.cluster);
  scene.history_.yaml = yaml;
  return scene;
}

Scene& Scene::fair() {
  history_.cluster.config.fair_sharing = true;
  return *this;
}

Scene& Scene::gate(const std::string& name, bool on) {
  config().gates[name] = on;
  return *this;
}

KueueConfig::WaitForPodsReady& Scene::pods_ready() {
  if (!config().wait_for_pods_ready) config().wait_for_pods_ready = KueueConfig::WaitForPodsReady{};
  return *config().wait_for_pods_ready;
}

ResourceGroup Scene::group(const std::vector<Q>& quotas) const {
  const Cluster& cluster = history_.cluster;
  ResourceGroup group;
  for (std::uint32_t r = 0; r < cluster.resources.size(); ++r) group.covered.push_back(r);
  for (std::size_t at = 0, flavor = 0; at < quotas.size(); ++flavor) {
    FlavorQuotas row{static_cast<std::uint32_t>(flavor), {}};
    for (std::size_t r = 0; r < cluster.resources.size(); ++r, ++at)
      row.quotas.push_back({quotas.at(at).nominal, quotas.at(at).borrowing, quotas.at(at).lending});
    group.flavors.push_back(std::move(row));
  }
  return group;
}

Scene& Scene::cohort(const std::string& name, const std::string& parent, std::vector<Q> quotas) {
  CohortNode node{name, parent, {}, ""};
  if (!quotas.empty()) node.groups.push_back(group(quotas));
  history_.cluster.cohorts.push_back(std::move(node));
  return *this;
}

Queue& Scene::queue(const std::string& name, const std::string& cohort, std::vector<Q> quotas) {
  Queue queue;
  queue.name = name;
  queue.cohort = cohort;
  queue.groups = {group(quotas)};
  queue.namespaces.present = true;
  history_.cluster.queues.push_back(std::move(queue));
  return history_.cluster.queues.back();
}

Op& Scene::put(Op::Kind kind) {
  Op op;
  op.kind = kind;
  history_.ops.push_back(std::move(op));
  return history_.ops.back();
}

std::uint32_t Scene::index_of(const std::string& queue) const {
  const auto& queues = history_.cluster.queues;
  const auto found = std::find_if(queues.begin(), queues.end(), [&](const Queue& q) { return q.name == queue; });
  if (found == queues.end()) throw std::runtime_error("no such queue: " + queue);
  return static_cast<std::uint32_t>(found - queues.begin());
}

Queue& Scene::queue_named(const std::string& name) { return history_.cluster.queues[index_of(name)]; }

Id Scene::submit(const std::string& queue, std::vector<std::int64_t> amounts, std::int64_t priority, bool again,
                 Limit flavor) {
  Op& op = put(Op::Kind::Submit);
  op.id = submitted_;
  op.workload.queue = index_of(queue);
  op.workload.priority = priority;
  op.workload.asks_again = again;
  if (flavor) op.workload.flavor = static_cast<std::uint32_t>(*flavor);
  for (std::uint32_t r = 0; r < amounts.size(); ++r)
    if (amounts[r] > 0) op.workload.requests.push_back({r, amounts[r]});
  return submitted_++;
}

std::vector<Id> Scene::units(const std::string& queue, int count, std::int64_t priority, bool again) {
  std::vector<Id> ids;
  for (int i = 0; i < count; ++i) ids.push_back(submit(queue, {1}, priority, again));
  return ids;
}

Id Scene::gang(const std::string& queue, int pods, std::vector<std::int64_t> amounts, std::int64_t priority) {
  const Id id = submit(queue, std::move(amounts), priority);
  auto& workload = history_.ops.back().workload;
  workload.count = pods;
  if (pods == 0)
    for (auto& request : workload.requests) request.amount = 0;
  return id;
}

Scene& Scene::cycles(int count) {
  for (int i = 0; i < count; ++i) {
    put(Op::Kind::Cycle);
    put(Op::Kind::Release);
  }
  return *this;
}

Scene& Scene::once() {
  put(Op::Kind::Cycle);
  return *this;
}

Scene& Scene::boosted(std::int64_t boost) {
  history_.ops.back().workload.boost = boost;
  return *this;
}

Scene& Scene::release() {
  put(Op::Kind::Release);
  return *this;
}

Scene& Scene::ready(Id workload, bool ready) {
  Op& op = put(Op::Kind::Ready);
  op.id = workload;
  op.ready = ready;
  return *this;
}

Scene& Scene::ended(Id workload) {
  put(Op::Kind::Ended).id = workload;
  return *this;
}

Scene& Scene::time_out(Id workload) {
  put(Op::Kind::Evict).id = workload;
  return *this;
}

Scene& Scene::wait(std::int64_t seconds) {
  put(Op::Kind::Wait).seconds = seconds;
  return *this;
}

Scene& Scene::finish(Id workload) {
  put(Op::Kind::Finish).id = workload;
  return *this;
}

Scene& Scene::stop(const std::string& queue, StopPolicy policy) {
  Op& op = put(Op::Kind::Stop);
  op.queue = index_of(queue);
  op.policy = policy;
  return *this;
}

Scene& Scene::stop_local(const std::string& queue, StopPolicy policy) {
  stop(queue, policy);
  history_.ops.back().kind = Op::Kind::StopLocal;
  return *this;
}

Scene& Scene::flavor(std::uint32_t flavor, bool exists) {
  Op& op = put(Op::Kind::Flavor);
  op.flavor = flavor;
  op.deleted = !exists;
  return *this;
}

Scene& Scene::delist(const std::string& queue, std::uint32_t flavor) {
  Op& op = put(Op::Kind::Delist);
  op.queue = index_of(queue);
  op.flavor = flavor;
  return *this;
}

Scene& Scene::move(const std::string& queue, const std::string& cohort) {
  Op& op = put(Op::Kind::Move);
  op.queue = index_of(queue);
  op.cohort.name = cohort;
  return *this;
}

Scene& Scene::edit_cohort(const std::string& name, const std::string& parent, std::vector<Q> quotas) {
  Op& op = put(Op::Kind::Cohort);
  op.cohort = {name, parent, {}, ""};
  if (!quotas.empty()) op.cohort.groups.push_back(group(quotas));
  return *this;
}

Scene& Scene::delete_cohort(const std::string& name) {
  Op& op = put(Op::Kind::Cohort);
  op.cohort.name = name;
  op.deleted = true;
  return *this;
}

Scene& Scene::set_quotas(const std::string& queue, std::vector<Q> quotas) {
  Cluster& cluster = history_.cluster;
  Mode mode{"changed", {}};
  std::size_t at = 0;
  for (const auto& row : cluster.queues[index_of(queue)].groups.front().flavors)
    for (const auto& resource : cluster.resources) {
      const Q& quota = quotas.at(at++);
      mode.changed[{queue, cluster.flavors[row.flavor].name, resource}] = {quota.nominal, quota.borrowing,
                                                                           quota.lending};
    }
  cluster.modes.push_back(std::move(mode));
  put(Op::Kind::Mode).mode = 1;
  return *this;
}

Scene& Scene::admitted(std::vector<Id> workloads) {
  Op& op = put(Op::Kind::Expect);
  op.workloads = std::move(workloads);
  op.admitted = true;
  return *this;
}

Scene& Scene::not_all_admitted(std::vector<Id> workloads) {
  put(Op::Kind::Expect).workloads = std::move(workloads);
  return *this;
}

Scene& Scene::reclaimed(bool yes, Id ask, const std::vector<Id>& held) {
  return yes ? admitted({ask}).not_all_admitted(held) : not_all_admitted({ask}).admitted(held);
}

std::uint32_t Scene::resource(const std::string& name) const {
  const auto& resources = history_.cluster.resources;
  const auto found = std::find(resources.begin(), resources.end(), name);
  if (found == resources.end()) throw std::runtime_error("no such resource: " + name);
  return static_cast<std::uint32_t>(found - resources.begin());
}

std::vector<std::int64_t> Scene::amounts(const std::map<std::uint32_t, std::int64_t>& of) const {
  std::vector<std::int64_t> out(history_.cluster.resources.size());
  for (const auto& [resource, amount] : of) out.at(resource) = amount;
  return out;
}

Scene& Scene::could_have(const std::string& queue, std::int64_t amount, std::uint32_t flavor, std::uint32_t resource) {
  Op& op = put(Op::Kind::Available);
  op.queue = index_of(queue);
  op.flavor = flavor;
  op.resource = resource;
  op.amount = amount;
  return *this;
}

History Scene::play(const std::string& name) {
  Stage stage(history_.cluster);
  for (Op& op : history_.ops) {
    if (op.kind == Op::Kind::Cycle) {
      op.outcome = cycle(stage.model, stage.clusters.back(), stage.ids.size());
    } else if (op.kind == Op::Kind::Expect) {
      const bool all = std::all_of(op.workloads.begin(), op.workloads.end(), [&](Id id) {
        return stage.model.state(stage.ids.at(id)) == kueue::WorkloadState::Admitted;
      });
      if (all != op.admitted)
        throw std::runtime_error(fmt::format("{}: all of [{}] admitted: {}", name, fmt::join(op.workloads, " "), all));
    } else if (op.kind == Op::Kind::Available) {
      const auto left = stage.model.available(op.queue, op.flavor, op.resource);
      if (left != op.amount)
        throw std::runtime_error(
            fmt::format("{}: {} could have {}, not {}", name, history_.cluster.queues[op.queue].name, left, op.amount));
    } else {
      stage.apply(op);
    }
  }
  return history_;
}

Queue& reclaims(Queue& queue, Reclaim policy) {
  queue.preemption.reclaim_within_cohort = policy;
  return queue;
}

Queue& borrows_by_evicting(Queue& queue, Limit threshold) {
  queue.preemption.borrow_within_cohort = BorrowWithin::LowerPriority;
  queue.preemption.max_priority_threshold = threshold;
  return queue;
}

Lent::Lent(Reclaim policy, std::int64_t priority, bool fair) {
  if (fair) scene.fair();
  reclaims(scene.queue("serving", "root", {{4}}), policy);
  scene.queue("batch", "root", {{0}});
  batch = scene.units("batch", 4, priority);
  scene.cycles(5).admitted(batch);
}

}  // namespace gpol::differential
