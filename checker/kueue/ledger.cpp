#include "checker/kueue/ledger.h"

#include <algorithm>

#include "checker/kueue/amount.h"
#include "checker/planted.h"
#include "compiler/source/lookup.h"

namespace gpol::kueue {

bool Progress::pending_flavors() const {
  return std::ranges::any_of(tried, [](const auto& entry) { return entry.second != -1; });
}

Ledger::Ledger(std::shared_ptr<const Compiled> compiled, std::uint32_t mode)
    : compiled_(std::move(compiled)), mode_(mode), heights_(compiled_->heights()), off_(planted_rules()) {}

const Limits& Ledger::limits(FlavorResource fr) const {
  const Limits*& entry = limits_[fr];
  if (entry == nullptr) entry = &compiled_->limits(mode_, fr.flavor, fr.resource);
  return *entry;
}

bool Ledger::started(Node q) const { return value_or(stopped_or_started_, q, compiled_->active()[q]); }

void Ledger::set_active(Node q, bool active) {
  stopped_or_started_[q] = active && compiled_->sound(q);
  measure_heights();
}

void Ledger::set_exists(std::uint32_t flavor, bool exists) {
  if (exists)
    missing_.erase(flavor);
  else
    missing_.insert(flavor);
  measure_heights();
}

bool Ledger::misses_a_flavor(Node q) const {
  if (missing_.empty()) return false;
  return std::ranges::any_of(queue(q).groups, [&](const ResourceGroup& group) {
    return std::ranges::any_of(group.flavors, [&](const FlavorQuotas& row) { return missing_.contains(row.flavor); });
  });
}

bool Ledger::active(Node q) const { return started(q) && !misses_a_flavor(q); }

bool Ledger::scheduled(Node q) const { return started(q) && !(holds(Rule::FlavorNotFound) && misses_a_flavor(q)); }

void Ledger::measure_heights() {
  std::vector<bool> all;
  for (Node q = 0; q < shape().queues; ++q) all.push_back(active(q));
  heights_ = compiled_->heights_with(all);
}

// util/priority/priority.go EffectivePriority.
std::int64_t Ledger::priority(const Workload& workload) const {
  return workload.spec.priority + (on(Gate::PriorityBoost) ? workload.spec.boost : 0);
}

// workload.go GetQueueOrderTimestamp: when it was created, or, until it is admitted again, evicted: where its pods were
// not ready in time, and, if older heads go first whatever their priority, where somebody evicted it to borrow.
std::uint64_t Ledger::queue_time(const Workload& workload) const {
  if (!workload.evicted) return workload.created;
  const auto& wait = compiled_->cluster().config.wait_for_pods_ready;
  switch (workload.evicted->why) {
    case Eviction::PodsReadyTimeout:
      return wait && wait->requeue_at_creation ? workload.created : workload.evicted->at;
    case Eviction::ReclaimWhileBorrowing:
      return on(Gate::PrioritySortingWithinCohort) ? workload.created : workload.evicted->at;
    case Eviction::Other:
      break;
  }
  return workload.created;
}

std::int64_t Ledger::used(Node node, FlavorResource fr) const {
  const auto found = usage_.find(fr);
  return found == usage_.end() ? 0 : found->second.of(node);
}

std::int64_t Ledger::available(Node queue, FlavorResource fr) const {
  const Usage nothing;
  const auto found = usage_.find(fr);
  const Usage& usage = found == usage_.end() ? nothing : found->second;
  return std::max<std::int64_t>(0, kueue::available(shape(), limits(fr), usage, queue));
}

std::int64_t Ledger::local_available(Node node, FlavorResource fr) const {
  return spilled(limits(fr).local[node], used(node, fr));
}

bool Ledger::borrowing_with(Node node, FlavorResource fr, std::int64_t amount) const {
  return limits(fr).subtree[node] < saturating_add(used(node, fr), amount);
}

void Ledger::add(Node queue, FlavorResource fr, std::int64_t amount) {
  if (amount != 0) usage_[fr].add(shape(), limits(fr), queue, amount);
}

void Ledger::count(const Workload& workload) {
  for (const auto& [fr, amount] : workload.held) add(workload.spec.queue, fr, amount);
}

void Ledger::discount(const Workload& workload) {
  for (const auto& [fr, amount] : workload.held) remove(workload.spec.queue, fr, amount);
}

namespace {
bool before(const HeldAt& a, const HeldAt& b) { return a.queue < b.queue; }
}  // namespace

void Ledger::hold(WorkloadId id, const Workload& workload) {
  const HeldAt made{workload.spec.queue, id};
  holders_.insert(std::ranges::upper_bound(holders_, made, before), made);
  count(workload);
}

void Ledger::release(WorkloadId id, const Workload& workload) {
  const auto [first, last] =
      std::equal_range(holders_.begin(), holders_.end(), HeldAt{workload.spec.queue, id}, before);
  const auto at = std::find_if(first, last, [&](const HeldAt& held) { return held.id == id; });
  if (at == last) return;
  holders_.erase(at);
  discount(workload);
}

void Ledger::switch_mode(std::uint32_t mode, const std::vector<Workload>& workloads) {
  mode_ = mode;
  limits_.clear();
  usage_.clear();
  for (const HeldAt& held : holders_) count(workloads[held.id]);
}

}  // namespace gpol::kueue
