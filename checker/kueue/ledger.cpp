#include "checker/kueue/ledger.h"

#include <algorithm>

#include "checker/kueue/amount.h"

namespace gpol::kueue {

bool Progress::pending_flavors() const {
  return std::any_of(tried.begin(), tried.end(), [](const auto& entry) { return entry.second != -1; });
}

Ledger::Ledger(std::shared_ptr<const Compiled> compiled, std::uint32_t mode)
    : compiled_(std::move(compiled)), mode_(mode), heights_(compiled_->heights()) {}

const Limits& Ledger::limits(FlavorResource fr) const {
  const Limits*& entry = limits_[fr];
  if (entry == nullptr) entry = &compiled_->limits(mode_, fr.flavor, fr.resource);
  return *entry;
}

bool Ledger::active(Node q) const {
  const auto found = stopped_or_started_.find(q);
  return found == stopped_or_started_.end() ? compiled_->active()[q] : found->second;
}

void Ledger::set_active(Node q, bool active) {
  stopped_or_started_[q] = active && compiled_->sound(q);
  std::vector<bool> all = compiled_->active();
  for (const auto& [node, runs] : stopped_or_started_) all[node] = runs;
  heights_ = compiled_->heights_with(all);
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

void Ledger::hold(WorkloadId id, const Workload& workload) {
  holders_[workload.spec.queue].push_back(id);
  count(workload);
}

void Ledger::release(WorkloadId id, const Workload& workload) {
  const auto at = holders_.find(workload.spec.queue);
  if (at == holders_.end() || std::erase(at->second, id) == 0) return;
  if (at->second.empty()) holders_.erase(at);
  discount(workload);
}

void Ledger::switch_mode(std::uint32_t mode, const std::vector<Workload>& workloads) {
  mode_ = mode;
  limits_.clear();
  usage_.clear();
  for (const auto& [queue, ids] : holders_)
    for (const WorkloadId id : ids) count(workloads[id]);
}

}  // namespace gpol::kueue
