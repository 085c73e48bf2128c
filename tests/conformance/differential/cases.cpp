#include "tests/conformance/differential/cases.h"

#include "tests/conformance/differential/scene.h"

namespace gpol::differential {

namespace {

using Id = std::size_t;

Queue& reclaims(Queue& queue, Reclaim policy = Reclaim::Any) {
  queue.preemption.reclaim_within_cohort = policy;
  return queue;
}

Queue& borrows_by_evicting(Queue& queue, Limit threshold = {}) {
  queue.preemption.borrow_within_cohort = BorrowWithin::LowerPriority;
  queue.preemption.max_priority_threshold = threshold;
  return queue;
}

// Serving owns four units, batch nothing, and batch holds them all in workloads of one unit.
struct Lent {
  Scene scene;
  std::vector<Id> batch;
  explicit Lent(Reclaim policy, std::int64_t priority = 0, bool fair = false) {
    if (fair) scene.fair();
    reclaims(scene.queue("serving", "root", {{4}}), policy);
    scene.queue("batch", "root", {{0}});
    batch = scene.units("batch", 4, priority);
    scene.cycles(5).admitted(batch);
  }
};

// --- 2: the arithmetic --------------------------------------------------------------------------------------------

History worked_example() {
  Scene s;
  s.cohort("root", "", {{10}}).cohort("sv", "root", {{4, 5, 6}}).cohort("bt", "root", {{2, 8}});
  s.queue("s1", "sv", {{8, {}, 3}});
  s.queue("s2", "sv", {{4, 2, 4}});
  s.queue("b1", "bt", {{6}});
  s.queue("b2", "bt", {{0, 12}});
  s.submit("s1", {2});
  s.submit("b1", {8});
  s.submit("b2", {5});
  s.cycles(2).could_have("s1", 19).could_have("s2", 6).could_have("b1", 3).could_have("b2", 3);
  return s.play("worked example");
}

History lending_limit_binds_others_only() {
  Scene s;
  s.queue("serving", "root", {{4, {}, 0}});
  s.queue("batch", "root", {{4}});
  const Id all = s.submit("serving", {8});
  s.cycles().admitted({all});
  return s.play("lendingLimit");
}

// The root's pool is cut while batch uses it: the debt eats what lendingLimit protects.
History debt(Reclaim policy) {
  Scene s;
  s.cohort("root", "", {{4}});
  reclaims(s.queue("serving", "root", {{8, {}, 0}}), policy);
  s.queue("batch", "root", {{0}});
  const Id held = s.submit("batch", {4});
  s.cycles(2).could_have("serving", 8).edit_cohort("root", "", {{0}}).once().could_have("serving", 4);
  const Id ask = s.submit("serving", {5});
  s.cycles();
  if (policy == Reclaim::Any)
    s.admitted({ask}).not_all_admitted({held});
  else
    s.not_all_admitted({ask}).admitted({held});
  return s.play("debt");
}

History inactive_queues_count() {
  Scene s;
  s.queue("owner", "root", {{4}});
  s.queue("other", "root", {{0}});
  const Id held = s.submit("owner", {1});
  s.cycles(2).stop("owner", StopPolicy::Hold).once().admitted({held}).could_have("other", 3);
  return s.play("inactive");
}

History cycle_of_cohorts() {
  Scene s;
  s.cohort("a", "b").cohort("b", "a");
  s.queue("q", "a", {{4}});
  const Id ask = s.submit("q", {1});
  s.cycles().not_all_admitted({ask});
  return s.play("cycle of cohorts");
}

// --- 3: admission, stops, live changes ----------------------------------------------------------------------------

History stopped_queues_keep_what_they_borrowed(StopPolicy policy) {
  Lent lent(Reclaim::Any);
  lent.scene.stop("batch", policy).once();
  const Id ask = lent.scene.submit("serving", {1});
  lent.scene.cycles();
  if (policy == StopPolicy::Hold)
    lent.scene.not_all_admitted({ask}).stop("batch", StopPolicy::None).cycles().admitted({ask});
  else
    lent.scene.admitted({ask});
  return lent.scene.play("N6");
}

History lowered_nominal_makes_a_victim() {
  Scene s;
  s.queue("serving", "root", {{4}});
  reclaims(s.queue("batch", "root", {{4}}));
  const auto running = s.units("serving", 4, 1000);
  s.cycles(5).admitted(running).set_quotas("serving", {{1}}).once();
  const Id ask = s.submit("batch", {4});
  s.cycles().admitted({ask}).not_all_admitted(running);
  return s.play("lowered nominal");
}

History flavor_taken_off(bool fair) {
  Scene s({"f", "g"});
  if (fair) s.fair();
  Queue& serving = reclaims(s.queue("serving", "root", {{4}, {0}}));
  serving.groups.front().flavors.pop_back();
  s.queue("batch", "root", {{0}, {1}});
  const Id held = s.submit("batch", {4}, 0, false, 0);
  s.cycles(2).admitted({held}).delist("batch", 0).once();
  const Id ask = s.submit("serving", {1});
  s.cycles();
  if (fair)
    s.not_all_admitted({ask}).admitted({held});
  else
    s.admitted({ask}).not_all_admitted({held});
  return s.play("N7");
}

// What it uses leaves with it, and the cohort's quota looks free.
History moved_away() {
  Scene s;
  s.queue("owner", "root", {{4}});
  s.queue("batch", "root", {{0}});
  const auto held = s.units("batch", 4);
  s.cycles(5).admitted(held).could_have("owner", 0).move("batch", "").once().admitted(held).could_have("owner", 4);
  return s.play("moved away");
}

History cohort_deleted() {
  Scene s;
  s.cohort("root", "", {{4}}).cohort("team", "root", {{2}});
  s.queue("q", "team", {{1}});
  s.once().could_have("q", 7).delete_cohort("team").once().could_have("q", 1);
  return s.play("cohort deleted");
}

History limit_forgotten() {
  Scene s;
  s.cohort("root").cohort("serving-team", "root", {{0, {}, 0}});
  s.queue("serving", "serving-team", {{4}});
  s.queue("batch", "root", {{0}});
  s.once().could_have("batch", 0).edit_cohort("serving-team", "root", {}).once().could_have("batch", 4);
  return s.play("limit forgotten");
}

// --- 4: preemption ------------------------------------------------------------------------------------------------

History n1() {
  Lent lent(Reclaim::Never);
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
History n3(bool lower, bool fair, bool reclaimed) {
  Scene s({"f"}, {"gpu", "cpu"});
  if (fair) s.fair();
  Queue& serving = reclaims(s.queue("serving", "root", {{4}, {2}}));
  if (lower) borrows_by_evicting(serving);
  s.queue("batch", "root", {{0}, {0}});
  s.queue("other", "root", {{0}, {4}});
  std::vector<Id> held;
  for (int i = 0; i < 4; ++i) held.push_back(s.submit("batch", {1, 0}, 0));
  s.cycles(5).admitted(held);
  const Id ask = s.submit("serving", {1, 3}, 10);
  s.cycles(30);
  if (reclaimed)
    s.admitted({ask});
  else
    s.not_all_admitted({ask}).admitted(held);
  return s.play("N3");
}

// Quota only as a pool of a cohort.
History n4(bool root_pool, bool fair, bool reclaimed) {
  Scene s;
  if (fair) s.fair();
  s.cohort("root", "", root_pool ? std::vector<Q>{{4}} : std::vector<Q>{});
  s.cohort("around", "root", root_pool ? std::vector<Q>{} : std::vector<Q>{{4}});
  reclaims(s.queue("serving", root_pool ? "root" : "around", {{0}}));
  s.queue("batch", "root", {{0}});
  const auto held = s.units("batch", 4);
  s.cycles(5).admitted(held);
  const Id ask = s.submit("serving", {1}, 10);
  s.cycles(30);
  if (reclaimed)
    s.admitted({ask});
  else
    s.not_all_admitted({ask}).admitted(held);
  return s.play("N4");
}

History n5(std::int64_t batch_priority, Limit threshold, bool reclaimed) {
  Scene s;
  s.cohort("root", "", {{4}});
  borrows_by_evicting(reclaims(s.queue("serving", "root", {{0}})), threshold);
  s.queue("batch", "root", {{0}});
  const auto held = s.units("batch", 4, batch_priority);
  s.cycles(5).admitted(held);
  const Id ask = s.submit("serving", {1}, 5);
  s.cycles(30);
  if (reclaimed)
    s.admitted({ask});
  else
    s.not_all_admitted({ask}).admitted(held);
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

// The preferred flavor could be reclaimed, default fungibility places serving on the other one.
History n10() {
  Scene s({"f", "g"});
  reclaims(s.queue("serving", "root", {{2}, {2}}));
  s.queue("batch", "root", {{0}, {0}});
  const Id held = s.submit("batch", {2}, 0, false, 0);
  s.cycles(2).admitted({held});
  const Id ask = s.submit("serving", {1});
  s.cycles().admitted({ask, held}).could_have("serving", 1, 1);
  return s.play("N10");
}

// A sibling's head that awaits nobody reserves in every cycle.
History n15(QueueingStrategy strategy, Reclaim policy, std::int64_t priority, bool starves, bool fair) {
  Scene s;
  if (fair) s.fair();
  reclaims(s.queue("serving", "root", {{2}}));
  Queue& sibling = reclaims(s.queue("sibling", "root", {{2}}), policy);
  sibling.strategy = strategy;
  s.queue("batch", "root", {{0}});
  const auto held = s.units("batch", 4, 100, true);
  s.cycles(6).admitted(held);
  s.submit("sibling", {2}, priority);
  const Id ask = s.submit("serving", {1}, 0);
  s.cycles(60);
  if (starves)
    s.not_all_admitted({ask}).admitted(held);
  else
    s.admitted({ask});
  return s.play("N15");
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

// Hierarchical candidates, too, are subject to LowerPriority.
History hierarchical_lower_priority(std::int64_t batch_priority, bool reclaimed) {
  Scene s;
  s.cohort("root").cohort("sv", "root", {{4}});
  reclaims(s.queue("serving", "sv", {{0}}), Reclaim::LowerPriority);
  s.queue("batch", "root", {{0}});
  const auto held = s.units("batch", 4, batch_priority);
  s.cycles(5).admitted(held);
  const Id ask = s.submit("serving", {1}, 5);
  s.cycles(20);
  if (reclaimed)
    s.admitted({ask});
  else
    s.not_all_admitted({ask});
  return s.play("hierarchical");
}

// Fair sharing with Any evicts upwards, whatever the priorities.
History shares_before_priorities() {
  Scene s;
  s.fair().cohort("root", "", {{4}});
  s.queue("serving", "root", {{0}});
  reclaims(s.queue("batch", "root", {{0}}));
  const auto running = s.units("serving", 4, 1000);
  s.cycles(5).admitted(running);
  const Id ask = s.submit("batch", {1}, 0);
  s.cycles(20).admitted({ask}).not_all_admitted(running);
  return s.play("shares before priorities");
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

// Debt alone does not break guarantee G: it comes from borrowers.
History reclaim_under_debt() {
  Scene s;
  s.cohort("root", "", {{4}});
  reclaims(s.queue("serving", "root", {{2}}));
  s.queue("batch", "root", {{0}});
  s.units("batch", 6);
  s.cycles(8).edit_cohort("root", "", {{0}}).once();
  const auto asks = s.units("serving", 2);
  s.cycles(20).admitted(asks);
  return s.play("G under debt");
}

// A queue below a cohort whose other members borrow: whom it evicts is back before it, for ever (found by attacks).
History overtaken_by_shares(bool fair) {
  Scene s({"f"}, {"gpu", "cpu"});
  if (fair) s.fair();
  s.cohort("root").cohort("team", "root");
  reclaims(s.queue("serving", "team", {{4}, {3, {}, 0}}));
  s.queue("neighbour", "team", {{2}, {0}});
  s.queue("batch", "root", {{0}, {3}});
  for (int i = 0; i < 2; ++i) s.submit("serving", {1, 1}, 0, true);
  for (int i = 0; i < 2; ++i) s.submit("neighbour", {1, 1}, 0, true);
  s.submit("batch", {2, 0}, 0, true);
  s.cycles(5);
  const Id ask = s.submit("serving", {1, 1}, 0, true);
  s.cycles(60);
  if (fair)
    s.not_all_admitted({ask});
  else
    s.admitted({ask});
  return s.play("overtaken by shares");
}

}  // namespace

std::vector<Case> cases() {
  using S = QueueingStrategy;
  return {
      {"2: the worked example of three levels", worked_example()},
      {"2: lendingLimit does not limit the owner's own borrowing", lending_limit_binds_others_only()},
      {"2: a cohort in debt eats what lendingLimit protects; with Never it stays", debt(Reclaim::Never)},
      {"2: the same with Any: batch is evicted", debt(Reclaim::Any)},
      {"2: an inactive queue's quota stays lendable and its usage counts", inactive_queues_count()},
      {"2: a cycle of cohorts takes its queues out of scheduling", cycle_of_cohorts()},
      {"3.5, N6: on Hold nobody can evict what was borrowed", stopped_queues_keep_what_they_borrowed(StopPolicy::Hold)},
      {"3.5: HoldAndDrain gives it back", stopped_queues_keep_what_they_borrowed(StopPolicy::HoldAndDrain)},
      {"3.6: nominal lowered below its usage makes serving a victim", lowered_nominal_makes_a_victim()},
      {"3.6, N7: a flavor taken off: fair sharing finds no victim", flavor_taken_off(true)},
      {"3.6: a flavor taken off: classical reclaim evicts", flavor_taken_off(false)},
      {"3.6: a queue moved out of its cohort takes its usage along", moved_away()},
      {"3.6: a deleted Cohort cuts its subtree off", cohort_deleted()},
      {"3.6: a Cohort applied without its limit lends again", limit_forgotten()},
      {"N1: reclaimWithinCohort Never", n1()},
      {"N2: LowerPriority and equal priority", n2_equal()},
      {"N2: lower priorities free a part only: nobody is evicted", n2_all_or_nothing()},
      {"N3: another resource would borrow", n3(false, false, false)},
      {"N3: borrowWithinCohort LowerPriority lifts it", n3(true, false, true)},
      {"N3: fair sharing reclaims", n3(false, true, true)},
      {"N4: a pool in the root, nominal 0", n4(true, false, false)},
      {"N4: fair sharing competes by share", n4(true, true, true)},
      {"N4: a pool around serving, below the root, works", n4(false, false, true)},
      {"N5: borrowWithinCohort as a cure", n5(2, {}, true)},
      {"N5: not above the threshold", n5(4, 3, false)},
      {"N5: not at equal priority", n5(5, {}, false)},
      {"N9: the holder's cohort is within its quota", n9()},
      {"N10: default fungibility goes elsewhere", n10()},
      {"N15: a StrictFIFO sibling that may not reclaim", n15(S::StrictFIFO, Reclaim::Never, 5, true, false)},
      {"N15: the same under fair sharing", n15(S::StrictFIFO, Reclaim::Never, 5, true, true)},
      {"N15: not if the sibling has Any", n15(S::StrictFIFO, Reclaim::Any, 5, false, false)},
      {"N15: not if it sorts after", n15(S::StrictFIFO, Reclaim::Never, -1, false, false)},
      {"N15: BestEffortFIFO only delays", n15(S::BestEffortFIFO, Reclaim::Never, 5, false, false)},
      {"4.1: whole workloads are evicted", whole_workloads()},
      {"4.1: hierarchical candidates heed LowerPriority", hierarchical_lower_priority(5, false)},
      {"4.1: hierarchical candidates of lower priority go", hierarchical_lower_priority(4, true)},
      {"4.2: fair sharing evicts upwards of nominal regardless of priority", shares_before_priorities()},
      {"4.3: above nominal on cpu alone serving loses its GPU workload", above_on_cpu_alone()},
      {"4.3, G: debt alone does not break it", reclaim_under_debt()},
      {"found here: under fair sharing a nested queue is overtaken by whom it evicts", overtaken_by_shares(true)},
      {"found here: the same without fair sharing", overtaken_by_shares(false)},
  };
}

}  // namespace gpol::differential
