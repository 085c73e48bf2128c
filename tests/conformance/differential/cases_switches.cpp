#include "tests/conformance/differential/cases.h"
#include "tests/conformance/differential/scene.h"

namespace gpol::differential {

namespace {

// --- waitForPodsReady ---------------------------------------------------------------------------------------------

// Two heads fit, in trees of their own: the second waits for the pods of the first, and whatever comes later with it.
History block_admission(bool block) {
  Scene s;
  s.pods_ready().block_admission = block;
  s.queue("a", "", {{2}});
  s.queue("b", "other", {{1}});
  const Id first = s.submit("a", {1}), second = s.submit("b", {1});
  s.once().admitted({first});
  if (!block) return s.admitted({second}).play("blockAdmission");
  const Id later = s.submit("a", {1});
  s.once().once().not_all_admitted({second}).not_all_admitted({later});
  s.ready(first).admitted({second}).once().not_all_admitted({later}).ready(second).admitted({later});
  return s.play("blockAdmission");
}

// Whoever is not ready any more, or ends, holds the others up no less, or no more.
History recovery_blocks() {
  Scene s;
  s.pods_ready().block_admission = true;
  s.queue("a", "", {{3}});
  const Id first = s.submit("a", {1});
  s.once().ready(first).ready(first, false);
  const Id second = s.submit("a", {1});
  s.once().not_all_admitted({second}).finish(first).admitted({second});
  return s.play("recovery blocks");
}

History timed_out(bool creation) {
  Scene s;
  s.pods_ready().requeue_at_creation = creation;
  s.queue("q", "", {{1}});
  const Id first = s.submit("q", {1}, 0, true);
  s.once().admitted({first});
  const Id second = s.submit("q", {1});
  s.time_out(first).release().once();
  s.admitted({creation ? first : second}).not_all_admitted({creation ? second : first});
  return s.play("timed out");
}

// --- gates --------------------------------------------------------------------------------------------------------

History older_head_first(bool by_priority) {
  Scene s;
  s.gate("PrioritySortingWithinCohort", by_priority).cohort("root", "", {{1}});
  s.queue("a", "root", {{0}});
  s.queue("b", "root", {{0}});
  const Id older = s.submit("a", {1}, 0), higher = s.submit("b", {1}, 5);
  s.cycles(2).admitted({by_priority ? higher : older}).not_all_admitted({by_priority ? older : higher});
  return s.play("PrioritySortingWithinCohort");
}

// Without priorities between queues its victim, the older one, would be back before it, for ever.
History victim_goes_behind() {
  Scene s;
  s.gate("PrioritySortingWithinCohort", false).cohort("root", "", {{1}});
  Queue& a = s.queue("a", "root", {{0}});
  reclaims(a);
  a.preemption.borrow_within_cohort = BorrowWithin::LowerPriority;
  s.queue("b", "root", {{0}});
  const Id victim = s.submit("b", {1}, 0, true);
  s.once().admitted({victim});
  const Id ask = s.submit("a", {1}, 5);
  s.cycles(6).admitted({ask}).not_all_admitted({victim});
  return s.play("victim goes behind");
}

// The head that borrows has the lower share: `b` has borrowed the other flavor.
History share_or_borrowing(bool borrowing_first) {
  Scene s({"f", "g"});
  s.fair().gate("FairSharingPrioritizeNonBorrowing", borrowing_first);
  s.queue("a", "root", {{0}, {0}});
  s.queue("b", "root", {{0}, {1}});
  s.queue("lender", "root", {{4}, {0}});
  const Id held = s.submit("b", {3}, 0, false, 0);
  s.once().admitted({held});
  const Id of_a = s.submit("a", {1}, 0, false, 1), of_b = s.submit("b", {1}, 0, false, 1);
  s.once().admitted({borrowing_first ? of_b : of_a}).not_all_admitted({borrowing_first ? of_a : of_b});
  return s.play("FairSharingPrioritizeNonBorrowing");
}

// Within nominal on what it needs, but with a higher share than the victim's: it has borrowed another resource.
History entitled(bool within_nominal) {
  Scene s({"f"}, {"gpu", "cpu"});
  s.fair().gate("FairSharingPreemptWithinNominal", within_nominal);
  reclaims(s.queue("serving", "root", {{1}, {0}}));
  s.queue("batch", "root", {{0}, {0}});
  s.queue("other", "root", {{9}, {4}});
  const Id own = s.submit("other", {9, 0}), borrowed = s.submit("serving", {0, 3}), held = s.submit("batch", {1, 0});
  s.cycles(2).admitted({own, borrowed, held});
  const Id ask = s.submit("serving", {1, 0});
  s.cycles(6);
  if (within_nominal)
    s.admitted({ask}).not_all_admitted({held});
  else
    s.not_all_admitted({ask}).admitted({held});
  return s.play("FairSharingPreemptWithinNominal");
}

// What it has evicted for is free, and a higher priority of another queue comes between.
History preemptor_first(bool first) {
  Scene s;
  s.gate("PrioritizePreemptorWorkloads", first);
  reclaims(s.queue("serving", "root", {{2}}));
  s.queue("other", "root", {{2}});
  s.queue("batch", "root", {{0}});
  const auto held = s.units("batch", 4);
  s.cycles(5).admitted(held);
  const Id ask = s.submit("serving", {1});
  s.once();
  const Id higher = s.submit("other", {1}, 9);
  s.release().once().admitted({first ? ask : higher}).not_all_admitted({first ? higher : ask});
  return s.play("PrioritizePreemptorWorkloads");
}

// Both would evict the newest: the second looks for another victim in the same cycle, or waits for the next.
History other_victims(bool recompute) {
  Scene s;
  s.gate("RecomputeAssignmentUponPreemptionTargetsOverlap", recompute);
  reclaims(s.queue("a", "root", {{1}}));
  reclaims(s.queue("b", "root", {{1}}));
  s.queue("batch", "root", {{0}});
  const auto held = s.units("batch", 2);
  s.cycles(3).admitted(held);
  const Id first = s.submit("a", {1}), second = s.submit("b", {1});
  s.cycles(2).admitted({first});
  if (recompute)
    s.admitted({second});
  else
    s.not_all_admitted({second}).cycles().admitted({second});
  return s.play("other victims");
}

// The victim of the first makes room for both: the second waits for it as a preemptor does, and what is free stays so.
History deferred_fit(bool recompute) {
  Scene s;
  s.gate("RecomputeAssignmentUponPreemptionTargetsOverlap", recompute);
  reclaims(s.queue("a", "root", {{2}}));
  reclaims(s.queue("b", "root", {{2}}));
  s.queue("c", "root", {{0}});
  s.queue("batch", "root", {{0}});
  const Id held = s.submit("batch", {3});
  s.once().admitted({held});
  const Id first = s.submit("a", {2}, 9), second = s.submit("b", {2}, 8), small = s.submit("c", {1}, 0);
  s.once();
  if (recompute)
    s.not_all_admitted({small}).release().once().admitted({first, second}).not_all_admitted({small});
  else
    s.admitted({small}).release().once().admitted({first}).not_all_admitted({second});
  return s.play("DeferredFit");
}

History first_that_fits(bool fungible) {
  Scene s({"f", "g"});
  s.gate("FlavorFungibility", fungible);
  s.queue("q", "root", {{0}, {1}}).when_can_borrow = Search::TryNextFlavor;
  s.queue("lender", "root", {{1}, {0}});
  const Id ask = s.submit("q", {1});
  s.once().admitted({ask}).could_have("lender", fungible ? 1 : 0, 0);
  return s.play("FlavorFungibility");
}

// It lost the first flavor to another head, and goes on with the second although the first is free again.
History progress_kept(bool kept) {
  Scene s({"f", "g"});
  s.gate("FlavorFungibilityPreserveScanProgress", kept).cohort("root", "", {{1}, {1}});
  s.queue("a", "root", {{0}, {0}});
  s.queue("b", "root", {{0}, {0}});
  const Id first = s.submit("a", {1}), second = s.submit("b", {1});
  s.once().admitted({first}).not_all_admitted({second}).finish(first).once().admitted({second});
  s.could_have("a", kept ? 1 : 0, 0).could_have("a", kept ? 0 : 1, 1);
  return s.play("FlavorFungibilityPreserveScanProgress");
}

History alike(bool hashed) {
  Scene s;
  s.gate("SchedulingEquivalenceHashing", hashed);
  s.queue("q", "root", {{1}});
  s.queue("other", "root", {{1}});
  const Id held = s.submit("other", {1});
  s.once().admitted({held});
  s.submit("q", {2}, 5);
  s.submit("q", {2}, 5);
  const Id small = s.submit("q", {1});
  s.once().once();
  if (hashed)
    s.admitted({small});
  else
    s.not_all_admitted({small}).once().admitted({small});
  return s.play("SchedulingEquivalenceHashing");
}

History undeclared(bool heeded) {
  Scene s({"f"}, {"gpu", "cpu"});
  s.config().quota_check_strategy = "IgnoreUndeclared";
  s.gate("QuotaCheckStrategy", heeded);
  ResourceGroup& group = s.queue("q", "", {{1}, {1}}).groups.front();
  group.covered.pop_back();
  group.flavors.front().quotas.pop_back();
  const Id ask = s.submit("q", {1, 7});
  s.cycles(2);
  if (heeded)
    s.admitted({ask});
  else
    s.not_all_admitted({ask});
  return s.play("QuotaCheckStrategy");
}

// The first podset asks for nothing that the queue declares; the second for more than there is.
History uncharged_after_undeclared() {
  Scene s({"f"}, {"gpu", "cpu"});
  s.config().quota_check_strategy = "IgnoreUndeclared";
  ResourceGroup& group = s.queue("q", "", {{1}, {1}}).groups.front();
  group.covered.pop_back();
  group.flavors.front().quotas.pop_back();
  const Id ask = s.submit("q", {0, 1});
  s.last().more.push_back({{{0, 5}}, {}});
  s.once().admitted({ask}).could_have("q", 1);
  return s.play("uncharged after undeclared");
}

History boosted(bool heeded) {
  Scene s;
  s.gate("PriorityBoost", heeded);
  reclaims(s.queue("serving", "root", {{1}}), Reclaim::LowerPriority);
  s.queue("batch", "root", {{0}});
  const Id held = s.submit("batch", {1}, 5);
  s.once().admitted({held});
  const Id ask = s.submit("serving", {1}, 5);
  s.boosted(1).cycles();
  if (heeded)
    s.admitted({ask});
  else
    s.not_all_admitted({ask}).admitted({held});
  return s.play("PriorityBoost");
}

// Of equal priority, and newer: by little, or by more than five minutes.
History newer_by(bool buffered, std::int64_t seconds, bool evicted) {
  Scene s;
  s.gate("SchedulerTimestampPreemptionBuffer", buffered);
  s.queue("q", "", {{2}}).preemption.within_cluster_queue = Within::LowerOrNewerEqualPriority;
  const Id high = s.submit("q", {1}, 9);
  s.once();
  const Id older = s.submit("q", {2});
  s.cycles(2).wait(seconds);
  const Id newer = s.submit("q", {1});
  s.once().admitted({high, newer}).finish(high).cycles();
  if (evicted)
    s.admitted({older}).not_all_admitted({newer});
  else
    s.admitted({newer}).not_all_admitted({older});
  return s.play("newer");
}

}  // namespace

std::vector<Case> switch_cases() {
  return {
      {"3.1: after a PodsReady timeout it asks with the time of its eviction", timed_out(false)},
      {"3.1: requeuingStrategy.timestamp Creation: with that of its creation", timed_out(true)},
      {"3.1: across queues the higher priority first", older_head_first(true)},
      {"3.1: PrioritySortingWithinCohort=false: the older first", older_head_first(false)},
      {"3.1: the same, but who was evicted for a borrower comes after it", victim_goes_behind()},
      {"3.1: fair sharing: what borrows nothing first", share_or_borrowing(true)},
      {"3.1: FairSharingPrioritizeNonBorrowing=false: the lower share first", share_or_borrowing(false)},
      {"3.1: a preemptor awaits its victims like any other", preemptor_first(false)},
      {"3.1: PrioritizePreemptorWorkloads=true: it goes first", preemptor_first(true)},
      {"3.2: two with one victim: the second waits", other_victims(false)},
      {"3.2: RecomputeAssignmentUponPreemptionTargetsOverlap=true: it looks for another victim", other_victims(true)},
      {"3.2: a third head takes what is free", deferred_fit(false)},
      {"3.2: the same gate: DeferredFit keeps what is free", deferred_fit(true)},
      {"3.2: whenCanBorrow TryNextFlavor looks further", first_that_fits(true)},
      {"3.2: FlavorFungibility=false: the first flavor that fits", first_that_fits(false)},
      {"3.2: the search goes on where it stopped", progress_kept(true)},
      {"3.2: FlavorFungibilityPreserveScanProgress=false: it begins anew", progress_kept(false)},
      {"3.2: IgnoreUndeclared does not count what is not declared", undeclared(true)},
      {"3.2: QuotaCheckStrategy=false: it blocks", undeclared(false)},
      {"found here: IgnoreUndeclared charges nothing after a podset of undeclared resources",
       uncharged_after_undeclared()},
      {"3.4: what asks the same as what was refused is parked with it", alike(true)},
      {"3.4: SchedulingEquivalenceHashing=false: it is tried, too", alike(false)},
      {"3.4: many heads of one cycle are admitted", block_admission(false)},
      {"3.4: blockAdmission: the whole scheduler waits", block_admission(true)},
      {"3.4: blockAdmission: also for pods that are no longer ready", recovery_blocks()},
      {"4.1: an annotation adds nothing to the priority", boosted(false)},
      {"4.1: PriorityBoost=true: it does", boosted(true)},
      {"4.1: LowerOrNewerEqualPriority evicts what is newer by little", newer_by(false, 10, true)},
      {"4.1: SchedulerTimestampPreemptionBuffer=true: not by little", newer_by(true, 10, false)},
      {"4.1: SchedulerTimestampPreemptionBuffer=true: by more than five minutes", newer_by(true, 310, true)},
      {"4.2: within nominal shares do not matter", entitled(true)},
      {"4.2: FairSharingPreemptWithinNominal=false: they do", entitled(false)},
  };
}

}  // namespace gpol::differential
