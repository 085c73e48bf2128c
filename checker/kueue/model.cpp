#include "checker/kueue/model.h"

#include <algorithm>
#include <set>
#include <utility>

#include "checker/kueue/counted.h"
#include "checker/kueue/model_impl.h"
#include "checker/planted.h"
#include "compiler/source/lookup.h"

namespace gpol::kueue {

namespace {

// All that decides what later cycles do, but for how old the memory of a last try is.
std::vector<std::int64_t> fingerprint(const std::vector<Workload>& workloads,
                                      const std::map<Node, PendingQueue>& pending) {
  std::vector<std::int64_t> print;
  for (const Workload& w : workloads) {
    const PendingQueue* queue = pending.contains(w.spec.queue) ? &pending.at(w.spec.queue) : nullptr;
    const auto id = static_cast<WorkloadId>(&w - workloads.data());
    print.push_back(static_cast<std::int64_t>(w.state));
    print.push_back(queue != nullptr && queue->parked().contains(id) ? 1 : 0);
    print.push_back(queue != nullptr && queue->sticky() == id ? 1 : 0);
    print.push_back(w.progress ? 1 : 0);
    if (!w.progress) continue;
    for (const auto& [part, index] : w.progress->tried) {
      print.push_back(part.podset);
      print.push_back(part.resource);
      print.push_back(index);
    }
  }
  return print;
}

}  // namespace

PendingQueue& ModelState::pending_of(Node queue) {
  stirred.insert(queue);
  return pending.try_emplace(queue, ledger.queue(queue).strategy).first->second;
}

std::uint64_t ModelState::generation(Node queue) const { return value_or(generations, queue, 0); }

void ModelState::rebase(const std::shared_ptr<const Compiled>& compiled) {
  const KueueConfig &before = ledger.compiled().cluster().config, &after = compiled->cluster().config;
  if (before.transformations != after.transformations || before.excluded_prefixes != after.excluded_prefixes)
    for (Workload& workload : workloads) workload.spec = counted(compiled->cluster(), workload.asked);
  ledger.rebase(compiled, workloads);
  for (auto& [queue, waiting] : pending) waiting.set_strategy(compiled->cluster().queues[queue].strategy);
}

void ModelState::ask(WorkloadId id) {
  workloads[id].state = WorkloadState::Pending;
  if (runs(workloads[id].spec)) pending_of(workloads[id].spec.queue).push(workloads, ledger, id);
}

void ModelState::leave(WorkloadId id) {
  Workload& workload = workloads[id];
  ledger.release(id, workload);
  workload.held.clear();
  workload.assigned.clear();
  workload.ended.clear();
  workload.progress.reset();
  told_of_room(workload.spec);
}

// Upstream finds the queue by the LocalQueue, and a stopped one is not among its own (queue/manager.go
// QueueAssociatedInadmissibleWorkloadsAfter): what is parked is not tried again.
void ModelState::told_of_room(const WorkloadSpec& spec) {
  ++generations[spec.queue];
  if (runs(spec))
    retry_tree_of(spec.queue);
  else
    unheard.insert(spec.queue);
}

// The cache replaces a workload whose status has changed by deleting it first, and counts that as one that left
// (clusterqueue.go deleteWorkload); an admission counts likewise (cycle.cpp).
void ModelState::evict(WorkloadId id, Eviction why) {
  Workload& workload = workloads[id];
  if (workload.state != WorkloadState::Admitted) return;
  ++generations[workload.spec.queue];
  workload.state = WorkloadState::Evicting;
  workload.evicted = Workload::Evicted{why, clock};
  if (planted(Bug::ModelEvictedAtOnce)) ledger.release(id, workload), workload.held.clear();
}

// cache.go podsReadyForAllAdmittedWorkloads.
bool ModelState::all_ready() const {
  const auto& wait = ledger.compiled().cluster().config.wait_for_pods_ready;
  if (!wait || !wait->block_admission) return true;
  return std::ranges::all_of(ledger.holders(), [&](const HeldAt& held) { return workloads[held.id].ready; });
}

void ModelState::go_on() {
  if (paused && all_ready()) cycle();
}

void ModelState::retry_tree_of(Node queue) {
  const Node root = root_of(ledger.shape(), queue);
  for (auto& [other, waiting] : pending)
    if (root_of(ledger.shape(), other) == root) waiting.retry_all(workloads), stirred.insert(other);
  std::erase_if(unheard, [&](Node other) { return root_of(ledger.shape(), other) == root; });
}

// The scheduler waits for a head to look at: without one no cycle passes (manager.go Heads).
bool ModelState::any_head() const {
  return std::ranges::any_of(
      stirred, [&](Node queue) { return !pending.at(queue).waiting().empty() && ledger.scheduled(queue); });
}

// A queue that has none and of which nothing changes has none the next time: thousands wait in a story for two that
// move.
std::vector<std::pair<Node, WorkloadId>> ModelState::pop_heads(const Ledger& rules) {
  std::vector<std::pair<Node, WorkloadId>> heads;
  for (auto it = stirred.begin(); it != stirred.end();) {
    const Node queue = *it;
    if (!rules.scheduled(queue)) {
      ++it;
    } else if (const auto id = pending.at(queue).pop(workloads, rules)) {
      heads.emplace_back(queue, *id);
      ++it;
    } else {
      it = stirred.erase(it);
    }
  }
  return heads;
}

std::vector<PodSet> WorkloadSpec::podsets() const {
  std::vector<PodSet> all{{requests, flavor, count, tolerations}};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

void ModelState::count_change_below(Node cohort) {
  const Shape& shape = ledger.shape();
  for (Node queue = 0; queue < shape.queues; ++queue)
    for (Node v = shape.parent[queue]; v != kRoot; v = shape.parent[v])
      if (v == cohort) ++generations[queue];
}

void ModelState::update_tree_of(Node queue) {
  std::vector<bool> changed(ledger.shape().queues, false);
  changed[queue] = true;
  update_trees_of(changed);
}

// One after another, as Kueue does; in one walk for each tree, as a window may change thousands of queues.
void ModelState::update_trees_of(const std::vector<bool>& changed) {
  const Shape& shape = ledger.shape();
  std::map<Node, std::uint64_t> changes;  // by root
  std::vector<Node> first;                // of each tree
  for (Node queue = 0; queue < changed.size(); ++queue)
    if (changed[queue] && changes[root_of(shape, queue)]++ == 0) first.push_back(queue);
  for (Node other = 0; other < shape.queues; ++other)  // updateCohortTreeResources
    if (const auto found = changes.find(root_of(shape, other)); found != changes.end())
      generations[other] += found->second;
  for (const Node queue : first) retry_tree_of(queue);
}

std::shared_ptr<const Compiled> compile(const Cluster& cluster) { return std::make_shared<const Compiled>(cluster); }

Model::Model(std::shared_ptr<const Compiled> compiled, std::uint32_t mode)
    : impl_(std::make_unique<Impl>(std::move(compiled), mode)) {}
Model::~Model() = default;
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;

Model Model::without(Rule rule) const {
  Model copy(impl_->ledger.shared(), 0);
  *copy.impl_ = *impl_;
  copy.impl_->ledger.switch_off(rule);
  if (copy.impl_->paused) copy.impl_->paused->snapshot.switch_off(rule);
  return copy;
}

Model Model::on(std::shared_ptr<const Compiled> compiled) const {
  Model copy(compiled, 0);
  *copy.impl_ = *impl_;
  copy.impl_->rebase(compiled);
  return copy;
}

namespace {

// The cohort of that name; kRoot where there is none any more.
Node cohort_named(const Shape& shape, const std::string& name) {
  for (Node v = shape.queues; v < shape.names.size(); ++v)
    if (shape.names[v] == name) return v;
  return kRoot;
}

}  // namespace

void Model::edit(std::shared_ptr<const Compiled> compiled, std::uint32_t queue) {
  const std::string before = impl_->ledger.queue(queue).cohort;
  impl_->rebase(compiled);
  impl_->update_tree_of(queue);
  if (before.empty() || before == impl_->ledger.queue(queue).cohort) return;
  // It has moved: the tree that it left is worked out anew, too (clusterqueue.go updateClusterQueue).
  if (const Node old = cohort_named(impl_->ledger.shape(), before); old != kRoot)
    impl_->count_change_below(root_of(impl_->ledger.shape(), old));
}

void Model::edit_cohort(std::shared_ptr<const Compiled> compiled, const std::string& cohort) {
  const auto object_in = [&](const Cluster& cluster) { return find_by(cluster.cohorts, cohort, &CohortNode::name); };
  const CohortNode* before = object_in(impl_->ledger.compiled().cluster());
  const std::string old_parent = before == nullptr ? "" : before->parent;
  const CohortNode* after = object_in(compiled->cluster());
  impl_->rebase(compiled);
  const Shape& shape = impl_->ledger.shape();
  const auto node_of = [&](const std::string& name) { return cohort_named(shape, name); };
  // cache.go AddOrUpdateCohort and DeleteCohort: the trees that are worked out anew. Only the former has what is parked
  // tried again (queue/manager.go).
  const Node node = node_of(cohort);
  if (after == nullptr && node != kRoot) impl_->count_change_below(node);
  if (after != nullptr && node != kRoot) impl_->count_change_below(root_of(shape, node));
  if (!old_parent.empty() && (after == nullptr || after->parent != old_parent))
    if (const Node parent = node_of(old_parent); parent != kRoot) impl_->count_change_below(root_of(shape, parent));
  if (after != nullptr && node != kRoot) impl_->retry_tree_of(node);
}

WorkloadId Model::submit(WorkloadSpec spec) {
  const auto id = static_cast<WorkloadId>(impl_->workloads.size());
  Workload workload;
  workload.spec = counted(impl_->ledger.compiled().cluster(), spec);
  workload.asked = std::move(spec);
  workload.created = ++impl_->clock;
  impl_->workloads.push_back(std::move(workload));
  impl_->ask(id);
  return id;
}

void Model::finish(WorkloadId id) {
  Workload& workload = impl_->workloads.at(id);
  const WorkloadState before = workload.state;
  impl_->pending_of(workload.spec.queue).forget(id);
  workload.state = WorkloadState::Gone;
  if (before == WorkloadState::Admitted || before == WorkloadState::Evicting) impl_->leave(id);
  impl_->go_on();
}

void Model::release_victims() {
  for (WorkloadId id = 0; id < impl_->workloads.size(); ++id) {
    Workload& workload = impl_->workloads[id];
    if (workload.state != WorkloadState::Evicting) continue;
    workload.state = WorkloadState::Gone;
    impl_->leave(id);
    if (workload.spec.asks_again) impl_->ask(id);
  }
  impl_->go_on();
}

// The cache replaces the workload, as in evict.
void Model::set_ready(WorkloadId id, bool ready) {
  Workload& workload = impl_->workloads.at(id);
  if (workload.state != WorkloadState::Admitted && workload.state != WorkloadState::Evicting) return;
  if (workload.ready == ready) return;
  workload.ready = ready;
  workload.ready_told = true;
  ++impl_->generations[workload.spec.queue];
  impl_->go_on();
}

void Model::set_all_ready() {
  for (WorkloadId id = 0; id < impl_->workloads.size(); ++id) set_ready(id, true);
}

void Model::time_out(WorkloadId id) {
  ++impl_->clock;
  impl_->evict(id, Eviction::PodsReadyTimeout);
}

// workload_controller.go Update: the cache replaces it (totalRequestsFromAdmission); what is parked is tried again.
void Model::end_podset(WorkloadId id, std::uint32_t podset) {
  Workload& workload = impl_->workloads.at(id);
  const auto podsets = workload.spec.podsets();
  if (workload.state != WorkloadState::Admitted || podset >= podsets.size() || podsets[podset].count == 0) return;
  if (!workload.ended.insert(podset).second) return;
  impl_->ledger.discount(workload);
  for (Assigned& part : workload.assigned) {
    for (Amount& held : workload.held)
      if (part.podset == podset && held.fr == part.fr) held.amount -= std::exchange(part.amount, 0);
  }
  impl_->ledger.count(workload);
  impl_->told_of_room(workload.spec);
  impl_->go_on();
}

void Model::elapse(std::uint64_t seconds) { impl_->clock += seconds; }
bool Model::waiting() const { return impl_->paused.has_value(); }
// Only queues whose quotas differ are updated: their trees begin anew (cache/scheduler/clusterqueue.go
// updateClusterQueue; clusterqueue_controller.go sends no update for an unchanged spec to the queues).
void Model::switch_mode(std::uint32_t mode) {
  const std::vector<bool> changed = impl_->ledger.compiled().changed_between(impl_->ledger.mode(), mode);
  impl_->ledger.switch_mode(mode, impl_->workloads);
  impl_->update_trees_of(changed);
}

void Model::stop(std::uint32_t queue, StopPolicy policy) {
  const auto [at, fresh] = impl_->stops.try_emplace(queue, impl_->ledger.queue(queue).stop);
  if (at->second == policy) return;  // no change of the object
  at->second = policy;
  // Every change of a ClusterQueue takes it out of its cohort and puts it in again (hierarchy/manager.go): where that
  // has no object and no other member it is forgotten in between, so that the queue counts as moved (clusterqueue.go).
  const Shape& shape = impl_->ledger.shape();
  const Node parent = shape.parent[queue];
  const auto objects = static_cast<Node>(impl_->ledger.compiled().cluster().cohorts.size());
  if (parent != kRoot && parent >= shape.queues + objects && shape.children[parent].size() == 1)
    ++impl_->generations[queue];
  const bool held = policy == StopPolicy::Hold && planted(Bug::ModelHoldKeepsScheduling);
  impl_->ledger.set_active(queue, policy == StopPolicy::None || held);
  if (policy == StopPolicy::HoldAndDrain && !planted(Bug::ModelDrainKeeps))
    for (WorkloadId id = 0; id < impl_->workloads.size(); ++id)
      if (impl_->workloads[id].spec.queue == queue && impl_->workloads[id].state == WorkloadState::Admitted)
        impl_->evict(id);
  impl_->retry_tree_of(queue);
}

// resourceflavor_controller.go Create: only queues that it makes active have their trees tried again.
void Model::set_flavor(std::uint32_t flavor, bool exists) {
  std::vector<bool> before;
  for (Node queue = 0; queue < impl_->ledger.shape().queues; ++queue) before.push_back(impl_->ledger.active(queue));
  impl_->ledger.set_exists(flavor, exists);
  for (Node queue = 0; queue < before.size(); ++queue)
    if (!before[queue] && impl_->ledger.active(queue)) impl_->retry_tree_of(queue);
}

bool Model::out_of_scheduling(WorkloadId id) const {
  const Workload& workload = impl_->workloads.at(id);
  if (workload.state != WorkloadState::Pending) return false;
  const auto queue = impl_->pending.find(workload.spec.queue);
  return queue == impl_->pending.end() ||
         !(queue->second.waiting().contains(id) || queue->second.parked().contains(id) || queue->second.in_flight(id));
}

std::vector<Decision> Model::cycle() {
  ++impl_->clock;
  return impl_->cycle();
}

bool Model::settle(int limit) {
  std::set<std::vector<std::int64_t>> seen;  // since anything was last admitted or evicted
  seen.insert(fingerprint(impl_->workloads, impl_->pending));
  for (int i = 0; i < limit; ++i) {
    const std::vector<Decision> decisions = cycle();
    release_victims();
    bool moved = std::ranges::any_of(decisions, [](const Decision& d) {
      return d.kind == Decision::Kind::Admitted || d.kind == Decision::Kind::Preempting;
    });
    for (; !impl_->all_ready(); moved = true) set_all_ready();  // what the cycle admits next is not ready in its turn
    if (moved) seen.clear();
    if (!seen.insert(fingerprint(impl_->workloads, impl_->pending)).second) return true;
  }
  return false;
}

bool Model::arbitrary() const { return impl_->arbitrary; }
WorkloadState Model::state(WorkloadId id) const { return impl_->workloads.at(id).state; }
const WorkloadSpec& Model::spec(WorkloadId id) const { return impl_->workloads.at(id).spec; }
std::optional<std::uint32_t> Model::flavor_of(WorkloadId id) const {
  const Workload& workload = impl_->workloads.at(id);
  if (workload.assigned.empty()) return std::nullopt;
  return workload.assigned.front().fr.flavor;
}

std::vector<Model::Use> Model::held(WorkloadId id) const {
  std::vector<Use> uses;
  for (const Assigned& a : impl_->workloads.at(id).assigned)
    uses.push_back({a.podset, a.fr.flavor, a.fr.resource, a.amount});
  return uses;
}

bool Model::parked(WorkloadId id) const {
  const auto queue = impl_->pending.find(impl_->workloads.at(id).spec.queue);
  return queue != impl_->pending.end() && queue->second.parked().contains(id);
}

std::int64_t Model::usage(std::uint32_t queue, std::uint32_t flavor, std::uint32_t resource) const {
  return impl_->ledger.used(queue, {flavor, resource});
}

std::int64_t Model::available(std::uint32_t queue, std::uint32_t flavor, std::uint32_t resource) const {
  return impl_->ledger.available(queue, {flavor, resource});
}

bool Model::active(std::uint32_t queue) const { return impl_->ledger.active(queue); }

}  // namespace gpol::kueue
