// 4.3 of the reference without fair sharing's part: guarantee G, and N1 to N9, where there is none.
#include "tests/conformance/differential/cases.h"
#include "tests/conformance/differential/scene.h"

namespace gpol::differential {

namespace {

// Two resources, limits on every level, borrowers in three places that ask again at once. Serving asks for all that is
// its own, while more of theirs waits.
History g(bool fair, Reclaim policy) {
  Scene s({"f"}, {"gpu", "cpu"});
  if (fair) s.fair();
  s.cohort("root", "", {{1}, {1}}).cohort("lab", "root", {{1, 5, 1}, {0, 12, {}}});
  reclaims(s.queue("serving", "root", {{4, 2, 3}, {8, 4, {}}}), policy);
  s.queue("batch", "root", {{1, 3}, {1}});
  s.queue("nightly", "lab", {{1, {}, 0}, {2}});
  s.queue("students", "lab", {{0}, {0, 9}});
  const std::int64_t priority = policy == Reclaim::Any ? 9 : -1;
  for (int i = 0; i < 4; ++i)
    for (const char* queue : {"students", "batch", "nightly"}) s.submit(queue, {1, 1}, priority, true);
  s.cycles(14).could_have("serving", 1, 0, 0);
  std::vector<Id> asks;
  for (int i = 0; i < 4; ++i) asks.push_back(s.submit("serving", {1, 2}, 0, true));
  s.cycles(40).admitted(asks).could_have("serving", 0);
  return s.play("G");
}

// Debt alone does not break guarantee G: it comes from borrowers.
History reclaim_under_debt(bool fair) {
  Scene s;
  if (fair) s.fair();
  s.cohort("root", "", {{4}});
  reclaims(s.queue("serving", "root", {{2}}));
  s.queue("batch", "root", {{0}});
  s.units("batch", 6);
  s.cycles(8).edit_cohort("root", "", {{0}}).once();
  const auto asks = s.units("serving", 2);
  s.cycles(20).admitted(asks);
  return s.play("G under debt");
}

History n1(Within within) {
  Lent lent(Reclaim::Never);
  lent.scene.queue_named("serving").preemption.within_cluster_queue = within;
  const Id ask = lent.scene.submit("serving", {1}, 1000);
  lent.scene.cycles(40).not_all_admitted({ask}).admitted(lent.batch);
  return lent.scene.play("N1");
}

History n2_equal() {
  Lent lent(Reclaim::LowerPriority, 5);
  const Id ask = lent.scene.submit("serving", {1}, 5);
  lent.scene.cycles(40).not_all_admitted({ask});
  const Id higher = lent.scene.submit("serving", {1}, 6);
  lent.scene.cycles().admitted({higher});
  return lent.scene.play("N2");
}

History n2_all_or_nothing() {
  Scene s;
  reclaims(s.queue("serving", "root", {{4}}), Reclaim::LowerPriority);
  s.queue("batch", "root", {{0}});
  const auto low = s.units("batch", 2, 0), high = s.units("batch", 2, 9);
  s.cycles(5);
  const Id ask = s.submit("serving", {3}, 5);
  s.cycles(40).not_all_admitted({ask}).admitted(low).admitted(high);
  return s.play("N2, all or nothing");
}

// GPU within nominal, the other resource would be borrowed.
History n3(bool lower, std::int64_t priority, bool fair, bool reclaimed) {
  Scene s({"f"}, {"gpu", "cpu"});
  if (fair) s.fair();
  Queue& serving = reclaims(s.queue("serving", "root", {{4}, {2}}));
  if (lower) borrows_by_evicting(serving);
  s.queue("batch", "root", {{0}, {0}});
  s.queue("other", "root", {{0}, {4}});
  std::vector<Id> held;
  for (int i = 0; i < 4; ++i) held.push_back(s.submit("batch", {1, 0}, 0));
  s.cycles(5).admitted(held);
  const Id ask = s.submit("serving", {1, 3}, priority);
  s.cycles(30).reclaimed(reclaimed, ask, held);
  return s.play("N3");
}

// Kueue counts pods, but not when it asks whether an eviction would leave the queue borrowing.
History n3_pods() {
  Scene s({"f"}, {"gpu", "pods"});
  reclaims(s.queue("serving", "root", {{4}, {2}}));
  s.queue("batch", "root", {{0}, {0}});
  s.queue("other", "root", {{0}, {8}});
  const auto held = s.units("batch", 4);
  s.cycles(5).admitted(held);
  const Id ask = s.gang("serving", 3, {3, 0});
  s.cycles(30).reclaimed(true, ask, held).could_have("serving", 6, 0, 1);
  return s.play("N3, pods");
}

// The search for victims leaves pods out, the check of the victims counts them: what batch frees it does not lend, and
// who holds serving's pods is not looked for, as batch alone frees the GPU.
History hidden_pods() {
  Scene s({"f"}, {"gpu", "pods"});
  reclaims(s.queue("serving", "root", {{4}, {2}}));
  s.queue("batch", "root", {{0}, {4, {}, 0}});
  s.queue("holder", "root", {{0}, {0}});
  const Id pods = s.gang("holder", 2, {}, 5);
  const auto held = s.units("batch", 4);
  s.cycles(6).admitted(held).admitted({pods}).could_have("serving", 0, 0, 1);
  const Id ask = s.submit("serving", {1}, 10);
  s.cycles(60).reclaimed(false, ask, held).admitted({pods});
  return s.play("hidden pods");
}

// The newest victim uses nothing (a Job with `parallelism: 0`), is taken to be enough where only pods are short, and
// nobody is evicted.
History victim_without_pods(Reclaim policy, bool fair) {
  Scene s({"f"}, {"gpu", "pods"});
  if (fair) s.fair();
  reclaims(s.queue("serving", "root", {{1}, {1}}), policy);
  s.queue("batch", "root", {{0}, {0}});
  const Id pod = s.gang("batch", 1, {}, 10);
  const Id none = s.gang("batch", 0, {1}, 10);
  s.cycles(5).admitted({pod, none}).could_have("serving", 0, 0, 1);
  const Id ask = s.submit("serving", {1}, 1000);
  s.cycles(60).reclaimed(false, ask, {pod, none});
  return s.play("a victim without pods");
}

// The same of one whose pods have ended (gate ReclaimablePods), and with nothing covered but pods.
History victim_whose_pods_ended() {
  Scene s({"f"}, {"gpu", "pods"});
  reclaims(s.queue("serving", "root", {{2}, {2}}));
  s.queue("batch", "root", {{0}, {0}});
  const Id pod = s.gang("batch", 1, {}, 10);
  const Id ended = s.gang("batch", 1, {1}, 10);
  s.cycles(5).admitted({pod, ended}).ended(ended).could_have("serving", 1, 0, 1).could_have("serving", 2);
  const Id ask = s.gang("serving", 2, {2}, 1000);
  s.cycles(60).reclaimed(false, ask, {pod, ended});
  return s.play("a victim whose pods have ended");
}

History only_pods() {
  Scene s({"f"}, {"pods"});
  reclaims(s.queue("serving", "root", {{1}}));
  s.queue("batch", "root", {{0}});
  const Id pod = s.gang("batch", 1, {}, 10);
  const Id none = s.gang("batch", 0, {}, 10);
  s.cycles(5).admitted({pod, none}).could_have("serving", 0);
  const Id ask = s.submit("serving", {}, 1000);
  s.cycles(60).reclaimed(false, ask, {pod, none});
  return s.play("nothing but pods");
}

// Quota only as a pool of a cohort.
History n4(bool root_pool, bool reclaimed) {
  Scene s;
  s.cohort("root", "", root_pool ? std::vector<Q>{{4}} : std::vector<Q>{});
  s.cohort("around", "root", root_pool ? std::vector<Q>{} : std::vector<Q>{{4}});
  reclaims(s.queue("serving", root_pool ? "root" : "around", {{0}}));
  s.queue("batch", "root", {{0}});
  const auto held = s.units("batch", 4);
  s.cycles(5).admitted(held);
  const Id ask = s.submit("serving", {1}, 10);
  s.cycles(30).reclaimed(reclaimed, ask, held);
  return s.play("N4");
}

History n4_own_queue(std::int64_t nominal, bool reclaimed) {
  Scene s;
  s.cohort("root", "", {{4 - nominal}});
  reclaims(s.queue("serving", "root", {{nominal}})).preemption.within_cluster_queue = Within::LowerPriority;
  const auto held = s.units("serving", 4, 0);
  s.cycles(5).admitted(held);
  const Id ask = s.submit("serving", {1}, 10);
  s.cycles(30).reclaimed(reclaimed, ask, held);
  return s.play("N4, the own queue");
}

History n4_larger_than_nominal(std::int64_t amount, bool reclaimed) {
  Scene s;
  s.cohort("root", "", {{2}});
  reclaims(s.queue("serving", "root", {{2}}));
  s.queue("batch", "root", {{0}});
  const auto held = s.units("batch", 4);
  s.cycles(5).admitted(held);
  const Id ask = s.submit("serving", {amount}, 10);
  s.cycles(30).reclaimed(reclaimed, ask, held);
  return s.play("N4, larger than nominal");
}

History n5(std::int64_t batch_priority, Limit threshold, bool reclaimed) {
  Scene s;
  s.cohort("root", "", {{4}});
  borrows_by_evicting(reclaims(s.queue("serving", "root", {{0}})), threshold);
  s.queue("batch", "root", {{0}});
  const auto held = s.units("batch", 4, batch_priority);
  s.cycles(5).admitted(held);
  const Id ask = s.submit("serving", {1}, 5);
  s.cycles(30).reclaimed(reclaimed, ask, held);
  return s.play("N5");
}

// The holder is above its nominal quota, but its cohort is not above its own.
History n9() {
  Scene s;
  s.cohort("root").cohort("sv", "root", {{2}}).cohort("bt", "root", {{4}});
  reclaims(s.queue("serving", "sv", {{0}}));
  s.queue("batch", "bt", {{0}});
  const auto held = s.units("batch", 4);
  s.cycles(5).admitted(held);
  const Id ask = s.submit("serving", {3}, 10);
  s.cycles(30).not_all_admitted({ask}).admitted(held);
  return s.play("N9");
}

}  // namespace

std::vector<Case> reclaim_cases() {
  return {
      {"4.3, G: reclaim with Any, whatever the priorities", g(false, Reclaim::Any)},
      {"4.3, G: reclaim with Any under fair sharing", g(true, Reclaim::Any)},
      {"4.3, G: reclaim with LowerPriority where all others have lower ones", g(false, Reclaim::LowerPriority)},
      {"4.3, G: reclaim with LowerPriority under fair sharing", g(true, Reclaim::LowerPriority)},
      {"4.3, G: debt alone does not break it", reclaim_under_debt(false)},
      {"4.3, G: debt alone does not break it under fair sharing", reclaim_under_debt(true)},
      {"N1: reclaimWithinCohort Never", n1(Within::Never)},
      {"N1: withinClusterQueue does not help", n1(Within::LowerOrNewerEqualPriority)},
      {"N2: LowerPriority and equal priority", n2_equal()},
      {"N2: lower priorities free a part only: nobody is evicted", n2_all_or_nothing()},
      {"N3: another resource would borrow", n3(false, 10, false, false)},
      {"N3: borrowWithinCohort LowerPriority lifts it for lower priorities", n3(true, 10, false, true)},
      {"N3: borrowWithinCohort LowerPriority does not lift it for equal priorities", n3(true, 0, false, false)},
      {"N3: fair sharing reclaims", n3(false, 10, true, true)},
      {"N3: borrowed pods do not count", n3_pods()},
      {"found here: a lending limit hides the pods that victims free", hidden_pods()},
      {"N17, a victim without pods", victim_without_pods(Reclaim::Any, false)},
      {"N17, LowerPriority", victim_without_pods(Reclaim::LowerPriority, false)},
      {"N17, fair sharing", victim_without_pods(Reclaim::Any, true)},
      {"N17, a victim whose pods have ended", victim_whose_pods_ended()},
      {"N17, nothing but pods", only_pods()},
      {"N4: a pool in the root, nominal 0", n4(true, false)},
      {"N4: a pool in the root: no preemption even within the own queue", n4_own_queue(0, false)},
      {"N4: nominal quota instead: preemption within the own queue", n4_own_queue(4, true)},
      {"N4: a workload larger than nominal finds no victim", n4_larger_than_nominal(3, false)},
      {"N4: a workload as large as nominal reclaims", n4_larger_than_nominal(2, true)},
      {"N4: a pool around serving, below the root, is reclaimed", n4(false, true)},
      {"N5: borrowWithinCohort takes lower priorities out of a pool in the root", n5(2, {}, true)},
      {"N5: borrowWithinCohort: not above maxPriorityThreshold", n5(4, 3, false)},
      {"N5: borrowWithinCohort: not at equal priority", n5(5, {}, false)},
      {"N9: the holder's cohort is within its quota", n9()},
  };
}

}  // namespace gpol::differential
