#include "checker/nodes/preemption.h"

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "compiler/source/lookup.h"

namespace gpol::nodes {

PreemptionModel::PreemptionModel(const Cluster& cluster) : placement_(cluster) {}

std::uint32_t PreemptionModel::add_nodes(std::uint32_t pool, std::int64_t count, const Amounts& allocatable) {
  return placement_.add_nodes(pool, count, allocatable);
}

void PreemptionModel::lose(std::uint32_t node) {
  for (Known& pod : pods_) {
    if (stands(pod) && pod.node == node) pod.state = State::Gone;
    // The name stays in the pod's status, but it counts on no node, and the pod may preempt anew.
    if (pod.nominated == node) pod.nominated.reset();
  }
  placement_.lose(node);
}

std::uint32_t PreemptionModel::create(PodSpec spec) {
  Known known;
  known.spec = std::move(spec);
  known.queued = ++now_;
  pods_.push_back(std::move(known));
  return pods() - 1;
}

bool PreemptionModel::bind(std::uint32_t pod, std::uint32_t node) {
  Known& known = pods_.at(pod);
  if (known.state != State::Pending || !placement_.place(node, known.spec.pod)) return false;
  known.state = State::Bound;
  known.node = node;
  known.started = ++now_;
  known.nominated.reset();
  return true;
}

// With those nominated there that go before it, and without them.
bool PreemptionModel::fits(const PlacementModel& on, std::uint32_t node, std::uint32_t pod) const {
  const Known& known = pods_[pod];
  if (on.filter(node, known.spec.pod) != Filter::Fits) return false;
  std::optional<PlacementModel> with;
  for (std::uint32_t other = 0; other < pods(); ++other) {
    const Known& o = pods_[other];
    if (other == pod || o.nominated != node || o.spec.priority < known.spec.priority) continue;
    if (!with) with.emplace(on);
    // It may not fit there yet, and counts all the same (NodeInfo.AddPodInfo asks nothing).
    with->put(node, o.spec.pod);
  }
  return !with || with->filter(node, known.spec.pod) == Filter::Fits;
}

std::vector<std::uint32_t> PreemptionModel::feasible(std::uint32_t pod) const {
  std::vector<std::uint32_t> all;
  for (std::uint32_t node = 0; node < nodes(); ++node)
    if (fits(placement_, node, pod)) all.push_back(node);
  return all;
}

bool PreemptionModel::may_preempt(std::uint32_t pod) const {
  const Known& known = pods_[pod];
  if (!known.spec.preempts) return false;
  if (!known.nominated) return true;
  return std::ranges::none_of(pods_, [&](const Known& other) {
    return other.state == State::Ending && other.evicted && other.node == *known.nominated &&
           other.spec.priority < known.spec.priority;
  });
}

std::optional<Candidate> PreemptionModel::candidate(std::uint32_t node, std::uint32_t pod) const {
  const Known& known = pods_[pod];
  // Statuses that are UnschedulableAndUnresolvable.
  const Filter now = placement_.filter(node, known.spec.pod);
  if (now == Filter::Gone || now == Filter::NodeSelector || now == Filter::Taint) return std::nullopt;
  std::vector<std::uint32_t> lower;
  for (std::uint32_t other = 0; other < pods(); ++other)
    if (stands(pods_[other]) && pods_[other].node == node && pods_[other].spec.priority < known.spec.priority)
      lower.push_back(other);
  if (lower.empty()) return std::nullopt;
  PlacementModel without = placement_;
  for (const std::uint32_t victim : lower) without.remove(node, pods_[victim].spec.pod);
  if (!fits(without, node, pod)) return std::nullopt;
  const auto more_important = [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(-pods_[a].spec.priority, pods_[a].started) <
           std::tuple(-pods_[b].spec.priority, pods_[b].started);
  };
  std::ranges::sort(lower, more_important);
  std::stable_partition(lower.begin(), lower.end(), [&](std::uint32_t p) { return pods_[p].spec.budget_spent; });
  Candidate found{node, {}, 0};
  for (const std::uint32_t victim : lower) {
    without.put(node, pods_[victim].spec.pod);
    if (fits(without, node, pod)) continue;
    without.remove(node, pods_[victim].spec.pod);
    found.victims.push_back(victim);
    if (pods_[victim].spec.budget_spent) ++found.violations;
  }
  std::ranges::sort(found.victims, more_important);
  return found.victims.empty() ? std::nullopt : std::optional(std::move(found));
}

std::vector<Candidate> PreemptionModel::candidates(std::uint32_t pod) const {
  std::vector<Candidate> all;
  for (std::uint32_t node = 0; node < nodes(); ++node)
    if (auto found = candidate(node, pod)) all.push_back(std::move(*found));
  return all;
}

std::vector<Candidate> PreemptionModel::best(std::vector<Candidate> all) const {
  const auto score = [&](const Candidate& c) {
    std::int64_t highest = INT64_MIN, sum = 0, earliest = INT64_MAX;
    for (const std::uint32_t victim : c.victims) highest = std::max(highest, pods_[victim].spec.priority);
    for (const std::uint32_t victim : c.victims) {
      sum += pods_[victim].spec.priority + INT64_C(2147483648);
      if (pods_[victim].spec.priority == highest) earliest = std::min(earliest, pods_[victim].started);
    }
    return std::tuple(c.violations, highest, sum, c.victims.size(), -earliest);
  };
  if (all.empty()) return all;
  auto least = score(all.front());
  for (const Candidate& c : all) least = std::min(least, score(c));
  std::erase_if(all, [&](const Candidate& c) { return score(c) != least; });
  return all;
}

Cycle PreemptionModel::cycle(std::uint32_t pod, const Choice& choose) {
  Known& known = pods_.at(pod);
  if (known.state != State::Pending) throw std::logic_error("a cycle of a pod that is not pending");
  const auto pick = [&](const std::vector<std::uint32_t>& of) { return choose ? choose(of) : of.front(); };
  std::vector<std::uint32_t> open = feasible(pod);
  if (known.nominated && contains(open, *known.nominated)) open = {*known.nominated};
  if (!open.empty()) {
    const std::uint32_t node = pick(open);
    if (!bind(pod, node)) throw std::logic_error("a pod does not fit where it does");
    return {Cycle::Kind::Bound, node, {}};
  }
  known.queued = ++now_;
  if (!may_preempt(pod)) return {Cycle::Kind::Waits, known.nominated.value_or(0), {}};
  const std::vector<Candidate> good = best(candidates(pod));
  if (good.empty()) {
    known.nominated.reset();
    return {Cycle::Kind::Hopeless, 0, {}};
  }
  std::vector<std::uint32_t> on;
  for (const Candidate& c : good) on.push_back(c.node);
  const std::uint32_t node = pick(on);
  const Candidate& chosen = *std::ranges::find(good, node, &Candidate::node);
  Cycle done{Cycle::Kind::Nominated, node, {}};
  for (const std::uint32_t victim : chosen.victims) {
    if (pods_[victim].state == State::Ending) continue;
    pods_[victim].state = State::Ending;
    pods_[victim].evicted = true;
    done.evicted.push_back(victim);
  }
  // Only with somebody to evict does the executor get that far.
  for (Known& other : pods_)
    if (!done.evicted.empty() && other.nominated == node && other.spec.priority < known.spec.priority)
      other.nominated.reset();
  known.nominated = node;
  return done;
}

std::optional<std::uint32_t> PreemptionModel::next() const {
  std::optional<std::uint32_t> first;
  for (std::uint32_t pod = 0; pod < pods(); ++pod) {
    if (pods_[pod].state != State::Pending) continue;
    const auto order = [&](std::uint32_t p) { return std::tuple(-pods_[p].spec.priority, pods_[p].queued); };
    if (!first || order(pod) < order(*first)) first = pod;
  }
  return first;
}

void PreemptionModel::remove(std::uint32_t pod) {
  Known& known = pods_.at(pod);
  if (known.state == State::Pending) {
    known.state = State::Gone;
    known.nominated.reset();
  } else if (known.state == State::Bound) {
    known.state = State::Ending;
  }
}

void PreemptionModel::end(std::uint32_t pod) {
  Known& known = pods_.at(pod);
  if (!stands(known)) return;
  placement_.remove(known.node, known.spec.pod);
  known.state = State::Gone;
}

}  // namespace gpol::nodes
