// 4.1 of the reference and the victim rule of 4.2: who can be evicted.
#include "tests/conformance/differential/cases.h"
#include "tests/conformance/differential/scene.h"

namespace gpol::differential {

namespace {

// Two workloads of one queue and equal or lower priority: one that runs, and one that needs its place. The one that
// asks was created before or after the other.
History same_queue(Within policy, std::int64_t priority, bool victim_is_newer, bool reclaimed) {
  Scene s;
  s.queue("q", "", {{2}}).preemption.within_cluster_queue = policy;
  const Id first = s.submit("q", {1}, 9);
  s.cycles(2).admitted({first});
  Id ask = 0, runs = 0;
  if (!victim_is_newer) runs = s.submit("q", {1}, priority);
  if (!victim_is_newer) s.cycles(2);
  ask = s.submit("q", {2}, 5);
  s.cycles(2).not_all_admitted({ask});
  if (victim_is_newer) runs = s.submit("q", {1}, priority);
  s.cycles(2).finish(first).cycles().reclaimed(reclaimed, ask, {runs});
  return s.play("same queue");
}

History whole_workloads() {
  Scene s;
  reclaims(s.queue("serving", "root", {{1}}));
  s.queue("batch", "root", {{7}});
  const Id held = s.submit("batch", {8});
  s.cycles(2).admitted({held});
  const Id ask = s.submit("serving", {1});
  s.cycles().admitted({ask}).not_all_admitted({held}).could_have("batch", 7);
  return s.play("whole workloads");
}

// Lower priority first, of equal ones the last that got its quota.
History order_of_victims() {
  Scene s;
  reclaims(s.queue("serving", "root", {{4}}));
  s.queue("batch", "root", {{0}});
  const Id high = s.submit("batch", {1}, 7);
  s.cycles(2);
  const Id early = s.submit("batch", {1}, 3);
  s.cycles(2);
  const Id late = s.submit("batch", {1}, 3);
  s.cycles(2);
  const Id last = s.submit("batch", {1}, 7);
  s.cycles(2).admitted({high, early, late, last});
  const auto asks = s.units("serving", 1);
  s.cycles(3).admitted(asks).admitted({high, early, last});
  const Id second = s.submit("serving", {1});
  s.cycles(3).admitted({second, high, last});
  return s.play("order of victims");
}

// The small one is taken first and put back, as the big one has to go in any case.
History put_back() {
  Scene s;
  reclaims(s.queue("serving", "root", {{4}}));
  s.queue("batch", "root", {{0}});
  const Id big = s.submit("batch", {3}, 7), small = s.submit("batch", {1}, 3);
  s.cycles(4).admitted({big, small});
  const Id ask = s.submit("serving", {3});
  s.cycles(3).reclaimed(true, ask, {big}).admitted({small});
  return s.play("put back");
}

// Hierarchical candidates, too, are subject to LowerPriority.
History hierarchical_lower_priority(std::int64_t batch_priority, bool reclaimed) {
  Scene s;
  s.cohort("root").cohort("sv", "root", {{4}});
  reclaims(s.queue("serving", "sv", {{0}}), Reclaim::LowerPriority);
  s.queue("batch", "root", {{0}});
  const auto held = s.units("batch", 4, batch_priority);
  s.cycles(5).admitted(held);
  const Id ask = s.submit("serving", {1}, 5);
  s.cycles(20).reclaimed(reclaimed, ask, held);
  return s.play("hierarchical");
}

// Whoever holds no more than its nominal quota of anything loses nothing: not to a queue that borrows by evicting, not
// to shares, though its own weight be 0. What is borrowed beside it goes.
History within_nominal(bool fair, const std::string& weight) {
  Scene s({"f"}, {"gpu", "cpu"});
  if (fair) s.fair();
  s.queue("serving", "root", {{4}, {4}}).fair_weight = weight;
  Queue& owner = reclaims(s.queue("owner", "root", {{1}, {1}}));
  if (!fair) borrows_by_evicting(owner);
  s.queue("batch", "root", {{0}, {0}});
  std::vector<Id> running;
  for (int i = 0; i < 4; ++i) running.push_back(s.submit("serving", {1, 1}));
  const Id borrowed = s.submit("batch", {1, 1});
  s.cycles(6).admitted(running).admitted({borrowed});
  const Id more = s.submit("owner", {2, 1}, 1000);
  s.cycles(20).admitted(running).not_all_admitted({more});
  const Id own = s.submit("owner", {1, 1}, 1000);
  s.cycles(20).admitted(running).admitted({own}).not_all_admitted({borrowed});
  return s.play("within nominal");
}

// Above nominal on one resource alone serving loses a workload that needs both.
History above_on_cpu_alone() {
  Scene s({"f"}, {"gpu", "cpu"});
  s.queue("serving", "root", {{4}, {1}});
  reclaims(s.queue("owner", "root", {{0}, {2}}));
  const Id running = s.submit("serving", {1, 3}, 1000);
  s.cycles(2).admitted({running});
  const Id ask = s.submit("owner", {0, 2}, 0);
  s.cycles(10).admitted({ask}).not_all_admitted({running});
  return s.play("above on cpu alone");
}

// All that serving has is borrowed of the root's pool: a queue that borrows by evicting takes it.
History nominal_0() {
  Scene s;
  s.cohort("root", "", {{4}});
  s.queue("serving", "root", {{0}});
  borrows_by_evicting(reclaims(s.queue("batch", "root", {{0}})));
  const auto running = s.units("serving", 4, 5);
  s.cycles(5).admitted(running);
  const Id equal = s.submit("batch", {1}, 5);
  s.cycles(10).not_all_admitted({equal}).admitted(running);
  const Id higher = s.submit("batch", {1}, 6);
  s.cycles(10).reclaimed(true, higher, running);
  return s.play("nominal 0");
}

}  // namespace

std::vector<Case> preemption_cases() {
  using W = Within;
  return {
      {"4.1: withinClusterQueue LowerPriority evicts a lower priority", same_queue(W::LowerPriority, 4, true, true)},
      {"4.1: withinClusterQueue LowerPriority evicts no equal priority", same_queue(W::LowerPriority, 5, true, false)},
      {"4.1: LowerOrNewerEqualPriority evicts an equal priority that is newer",
       same_queue(W::LowerOrNewerEqualPriority, 5, true, true)},
      {"4.1: LowerOrNewerEqualPriority evicts no equal priority that is older",
       same_queue(W::LowerOrNewerEqualPriority, 5, false, false)},
      {"4.1: withinClusterQueue Never evicts nobody", same_queue(W::Never, 4, true, false)},
      {"4.1: whole workloads are evicted", whole_workloads()},
      {"4.1: the order of victims", order_of_victims()},
      {"4.1: a victim that turns out not to be needed stays", put_back()},
      {"4.1: hierarchical candidates heed LowerPriority", hierarchical_lower_priority(5, false)},
      {"4.1: hierarchical candidates of lower priority go", hierarchical_lower_priority(4, true)},
      {"4.1: no victim is within nominal, not even of borrowWithinCohort", within_nominal(false, "")},
      {"4.2: no victim is within nominal under fair sharing", within_nominal(true, "")},
      {"4.2: no victim is within nominal under fair sharing, not even with weight 0", within_nominal(true, "0")},
      {"4.3: above nominal on cpu alone serving loses its GPU workload", above_on_cpu_alone()},
      {"4.3: with nominal 0 serving is a victim of borrowWithinCohort", nominal_0()},
  };
}

}  // namespace gpol::differential
