// 3.5 and 3.6 of the reference, stops and live changes, with N6 and N7.
#include "tests/conformance/differential/cases.h"
#include "tests/conformance/differential/scene.h"

namespace gpol::differential {

namespace {

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

// What waits goes on waiting; what runs runs on, or is evicted.
History stopped(StopPolicy policy) {
  Scene s;
  s.queue("q", "", {{4}});
  const Id runs = s.submit("q", {2});
  s.cycles(2).admitted({runs}).stop("q", policy);
  const Id waits = s.submit("q", {2});
  s.cycles(10).not_all_admitted({waits});
  if (policy == StopPolicy::Hold)
    s.admitted({runs});
  else
    s.not_all_admitted({runs});
  s.stop("q", StopPolicy::None).cycles(2).admitted({waits}).could_have("q", policy == StopPolicy::Hold ? 0 : 2);
  return s.play("stopped");
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

// Without somebody who reclaims, what is above the lowered quota stays for ever, even where there is too little of all.
History lowered_nominal_evicts_nobody() {
  Scene s;
  s.queue("serving", "root", {{4}});
  s.queue("batch", "root", {{4}});
  const auto running = s.units("batch", 6);
  s.cycles(8).admitted(running).set_quotas("batch", {{0}}).once().could_have("serving", 0);
  const Id ask = s.submit("serving", {1}, 1000);
  s.cycles(40).admitted(running).not_all_admitted({ask});
  return s.play("lowered nominal, nobody reclaims");
}

// What it uses goes on counting in the cohort.
History flavor_taken_off(bool fair) {
  Scene s({"f", "g"});
  if (fair) s.fair();
  Queue& serving = reclaims(s.queue("serving", "root", {{4}, {0}}));
  serving.groups.front().flavors.pop_back();
  s.queue("batch", "root", {{0}, {1}});
  const Id held = s.submit("batch", {4}, 0, false, 0);
  s.cycles(2).admitted({held}).delist("batch", 0).once().could_have("serving", 0);
  const Id ask = s.submit("serving", {1});
  s.cycles().reclaimed(!fair, ask, {held});
  return s.play("N7");
}

// What it uses leaves with it, and the cohort's quota looks free.
History moved_away() {
  Scene s;
  s.queue("owner", "root", {{4}});
  s.queue("batch", "root", {{0}});
  const auto held = s.units("batch", 4);
  s.cycles(5).admitted(held).could_have("owner", 0).move("batch", "").once().admitted(held).could_have("owner", 4);
  const Id more = s.submit("owner", {4});
  s.cycles(2).admitted({more}).admitted(held);
  return s.play("moved away");
}

// Its quota and limits go, and what is below it is a tree of its own: with what runs there, evicted by nobody.
History cohort_deleted() {
  Scene s;
  s.cohort("root", "", {{4}}).cohort("team", "root", {{2, 3}});
  s.queue("q", "team", {{1}});
  s.queue("r", "team", {{1}});
  const Id held = s.submit("q", {3});
  s.cycles(2).admitted({held}).could_have("r", 4);
  s.delete_cohort("team").once().admitted({held}).could_have("q", 0).could_have("r", 0);
  s.finish(held).once().could_have("q", 2).could_have("r", 2);
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

}  // namespace

std::vector<Case> change_cases() {
  return {
      {"3.5, N6: on Hold nobody can evict what was borrowed", stopped_queues_keep_what_they_borrowed(StopPolicy::Hold)},
      {"3.5: HoldAndDrain gives it back", stopped_queues_keep_what_they_borrowed(StopPolicy::HoldAndDrain)},
      {"3.5: on Hold nothing is scheduled and what runs runs on", stopped(StopPolicy::Hold)},
      {"3.5: on HoldAndDrain nothing is scheduled and what runs is evicted", stopped(StopPolicy::HoldAndDrain)},
      {"3.6: nominal lowered below its usage makes serving a victim", lowered_nominal_makes_a_victim()},
      {"3.6: nominal lowered evicts nobody by itself", lowered_nominal_evicts_nobody()},
      {"3.6, N7: a flavor taken off: fair sharing finds no victim", flavor_taken_off(true)},
      {"3.6: a flavor taken off: classical reclaim evicts", flavor_taken_off(false)},
      {"3.6: a queue moved out of its cohort takes its usage along", moved_away()},
      {"3.6: a deleted Cohort cuts its subtree off", cohort_deleted()},
      {"3.6: a Cohort applied without its limit lends again", limit_forgotten()},
  };
}

}  // namespace gpol::differential
