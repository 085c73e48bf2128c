#include "checker/story/deeds.h"

#include <algorithm>

#include "compiler/cluster/roles.h"

namespace gpol {

using Kind = QueueRole::Kind;

Deeds Dice::fresh() {
  Deeds deeds;
  const std::int64_t style = upto(2);
  if (demand_ > 1 && upto(1) == 0) deeds.already = 1 + upto(demand_ - 2);
  for (std::int64_t n = 1 + upto(7); n > 0; --n) act(deeds.before, style);
  for (std::int64_t n = upto(2); n > 0; --n) act(deeds.beside, style);
  deeds.last = upto(1) == 0;
  return deeds;
}

void Dice::change(Deeds& deeds) {
  constexpr std::size_t kLong = 24;
  std::vector<Submit>& steps = upto(3) == 0 ? deeds.beside : deeds.before;
  const std::int64_t what = upto(9);
  if (what == 0) {
    deeds.last = !deeds.last;
  } else if (what == 1) {
    deeds.already = demand_ > 1 ? upto(demand_ - 1) : 0;
  } else if (what <= 4 || steps.empty()) {
    if (steps.size() > kLong) return;
    std::vector<Submit> more;
    act(more, upto(2));
    const auto at = static_cast<std::ptrdiff_t>(one_of(steps.size() + 1));
    steps.insert(steps.begin() + at, more.begin(), more.end());
  } else if (what <= 6) {
    steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(one_of(steps.size())));
  } else if (what == 7) {
    const std::size_t one = one_of(steps.size());
    std::swap(steps[one], steps[one_of(steps.size())]);
  } else if (what == 8) {
    auto& requests = steps[one_of(steps.size())].workload.requests;
    if (requests.empty()) return;
    auto& request = requests[one_of(requests.size())];
    const std::int64_t unit = one_unit(cluster_.resources[request.resource]);
    if (upto(1) == 0)
      request.amount += unit;
    else if (request.amount > unit)
      request.amount -= unit;
  } else {
    const Submit again = steps[one_of(steps.size())];
    (upto(1) == 0 ? deeds.before : deeds.beside).push_back(again);
  }
}

std::int64_t Dice::upto(std::int64_t most) {
  std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return static_cast<std::int64_t>((z ^ (z >> 31U)) % static_cast<std::uint64_t>(most + 1));
}

void Dice::act(std::vector<Submit>& steps, std::int64_t style) {
  const std::size_t q = one_of(cluster_.queues.size());
  const Queue& queue = cluster_.queues[q];
  const QueueRole& role = intent_.roles[q];
  if (role.kind == Kind::Serving || queue.groups.empty() || queue.stop == StopPolicy::HoldAndDrain) return;
  Submit submit;
  submit.workload.queue = static_cast<std::uint32_t>(q);
  submit.workload.priority = role.priority.value_or(style == 0 ? 0 : style == 1 ? own_ + 1 : upto(2) * (own_ + 1));
  submit.workload.asks_again = true;
  const ResourceGroup& group = queue.groups[one_of(queue.groups.size())];
  if (upto(1) == 0 && !group.flavors.empty())
    submit.workload.flavor = group.flavors[one_of(group.flavors.size())].flavor;
  // Of every resource a unit, or some units; of one resource some units, or all that the queue owns, or one less.
  enum : std::int64_t { kUnits, kOne, kSome, kMore, kOwned, kOwnedLessOne };
  const std::int64_t shape = upto(kOwnedLessOne);
  const std::size_t chosen = one_of(group.covered.size());
  for (std::size_t r = 0; r < group.covered.size(); ++r) {
    const std::string& resource = cluster_.resources[group.covered[r]];
    const bool of_one = shape == kOne || shape >= kOwned;
    if (resource == "pods" || (of_one && r != chosen)) continue;  // one pod each, always
    const std::int64_t unit = one_unit(resource);
    std::int64_t units = shape == kUnits ? 1 : 1 + upto(shape == kOne ? 5 : 3);
    if (shape >= kOwned && !group.flavors.empty()) {
      const std::int64_t owned = group.flavors[one_of(group.flavors.size())].quotas[r].nominal / unit;
      units = std::max<std::int64_t>(1, owned - (shape - kOwned));
    }
    submit.workload.requests.push_back({group.covered[r], units * unit});
  }
  std::ranges::sort(submit.workload.requests);
  if (role.kind == Kind::Batch && group.flavors.size() > 1 && upto(2) == 0) {
    const std::size_t first = one_of(group.flavors.size());
    submit.workload.flavor = group.flavors[first].flavor;
    submit.workload.more.push_back(second_podset(group, group.flavors[(first + 1) % group.flavors.size()].flavor));
  }
  const std::int64_t times = upto(1) == 0 ? 1 : 1 + upto(4);
  for (std::int64_t i = 0; i < times; ++i) steps.push_back(submit);
}

// Of one resource, or of all.
kueue::PodSet Dice::second_podset(const ResourceGroup& group, std::uint32_t flavor) {
  kueue::PodSet podset;
  podset.flavor = flavor;
  const std::size_t which = one_of(group.covered.size() + 1);
  for (std::size_t r = 0; r < group.covered.size(); ++r) {
    const std::string& resource = cluster_.resources[group.covered[r]];
    if (resource != "pods" && (which == group.covered.size() || which == r))
      podset.requests.push_back({group.covered[r], (1 + upto(2)) * one_unit(resource)});
  }
  std::ranges::sort(podset.requests);
  return podset;
}

}  // namespace gpol
