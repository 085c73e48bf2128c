// What becomes of a cycle's heads that waitForPodsReady.blockAdmission stops in its middle, when something happens to
// them meanwhile (scheduler.go waitForPodsReadyIfNeeded; queue/manager.go heads, RequeueWorkload, AddLocalQueue).
#include "tests/conformance/differential/cases.h"
#include "tests/conformance/differential/scene.h"

namespace gpol::differential {

namespace {

// A workload runs whose pods are not ready, and a cycle waits for them before it admits the head of "q".
struct Waiting {
  Scene scene;
  Id busy = 0, head = 0, next = 0;

  explicit Waiting(bool followed = true) {
    scene.pods_ready().block_admission = true;
    scene.queue("a", "", {{1}});
    scene.queue("q", "", {{2}});
    scene.queue("r", "", {{1}});
    busy = scene.submit("a", {1});
    scene.once().admitted({busy});
    head = scene.submit("q", {1}, 1, true);
    if (followed) next = scene.submit("r", {1});
    scene.once().not_all_admitted({head});
  }
};

History on_the_quota_of_its_beginning() {
  Waiting w;
  w.scene.set_quotas("q", {{0}}).ready(w.busy).admitted({w.head}).could_have("q", 0).once();
  return w.scene.play("quota changed");
}

History stopped_meanwhile(bool local, StopPolicy policy) {
  Waiting w;
  (local ? w.scene.stop_local("q", policy) : w.scene.stop("q", policy)).ready(w.busy);
  if (policy == StopPolicy::Hold)
    w.scene.admitted({w.head});
  else
    w.scene.not_all_admitted({w.head}).could_have("a", 0);  // evicted at once
  w.scene.once().not_all_admitted({w.next}).release().ready(w.head).once().admitted({w.next});
  return w.scene.play("stopped meanwhile");
}

// The one after it does not wait for pods that will never be.
History gone_meanwhile(bool gone) {
  Waiting w;
  if (gone)
    w.scene.finish(w.head).ready(w.busy).admitted({w.next});
  else
    w.scene.ready(w.busy).admitted({w.head}).not_all_admitted({w.next}).once();
  w.scene.once();
  return w.scene.play("gone meanwhile");
}

// Admitted although its LocalQueue was drained, it asks again when that runs again: the queue takes it for the head in
// flight until the next one is taken, and a head in flight is not queued.
History in_flight_until_the_next_head(bool looked) {
  Waiting w(false);
  w.scene.stop_local("q", StopPolicy::HoldAndDrain).ready(w.busy);
  if (looked) w.scene.once();
  w.scene.stop_local("q", StopPolicy::None).release().cycles(4);
  if (!looked)
    w.scene.not_all_admitted({w.head}).stop_local("q", StopPolicy::Hold).stop_local("q", StopPolicy::None).once();
  w.scene.admitted({w.head});
  return w.scene.play("in flight");
}

// The second head no longer fits after the first. Its LocalQueue was stopped, and started, and so on while the cycle
// waited; then it runs. It knows of the head again where it was started meanwhile, and a stop then takes it off.
History switched_meanwhile(int times) {
  Scene s;
  s.pods_ready().block_admission = true;
  s.queue("a", "", {{1}});
  s.cohort("root", "", {{1}});
  s.queue("q", "root", {{0}});
  s.queue("r", "root", {{0}});
  const Id busy = s.submit("a", {1});
  s.once();
  const Id first = s.submit("q", {1}, 1), second = s.submit("r", {1});
  s.once();
  for (int i = 0; i < times; ++i) s.stop_local("r", i % 2 == 0 ? StopPolicy::Hold : StopPolicy::None);
  s.ready(busy).admitted({first}).not_all_admitted({second}).stop_local("r", StopPolicy::None).finish(first).cycles(3);
  if (times == 1)
    s.not_all_admitted({second});
  else
    s.admitted({second});
  return s.play("switched meanwhile");
}

// What the cycle writes of a victim is all as it was when it began, its PodsReady condition too where it had one
// (patching.go admissionStatusPatch, evict.go Evict): the victim holds everybody up until it is gone.
History victim_is_unready_again(bool told) {
  Scene s;
  s.pods_ready().block_admission = true;
  reclaims(s.queue("serving", "root", {{1}}));
  s.queue("batch", "root", {{0}});
  s.queue("other", "", {{2}});
  const Id held = s.submit("batch", {1});
  s.once().admitted({held});
  if (told) s.ready(held).ready(held, false);
  const Id ask = s.submit("serving", {1}), waits = s.submit("other", {1}, 9);
  s.once().not_all_admitted({waits}).ready(held).admitted({waits}).not_all_admitted({held}).ready(waits);
  const Id more = s.submit("other", {1}, 9);
  s.once();
  if (told) s.not_all_admitted({more}).release();
  s.admitted({more}).ready(more).cycles(2).admitted({ask});
  return s.play("unready again");
}

// Who is being evicted when such a cycle begins is a victim for which nothing is written any more.
History evicted_before_stays_ready() {
  Scene s;
  s.pods_ready().block_admission = true;
  reclaims(s.queue("serving", "root", {{1}}));
  s.queue("batch", "root", {{0}});
  s.queue("other", "", {{2}});
  const Id held = s.submit("batch", {1});
  s.once().ready(held);
  const Id ask = s.submit("serving", {1});
  s.once().not_all_admitted({held}).ready(held, false);
  const Id waits = s.submit("other", {1}, 9);
  s.once().not_all_admitted({waits}).ready(held).admitted({waits}).ready(waits);
  const Id more = s.submit("other", {1}, 9);
  s.once().admitted({more}).ready(more).release().cycles(2).admitted({ask});
  return s.play("evicted before");
}

}  // namespace

std::vector<Case> waiting_cases() {
  return {
      {"3.4: a cycle that waited admits by the quota of its beginning", on_the_quota_of_its_beginning()},
      {"3.4: and to a queue that is on Hold by then", stopped_meanwhile(false, StopPolicy::Hold)},
      {"3.4: or on HoldAndDrain: evicted at once", stopped_meanwhile(false, StopPolicy::HoldAndDrain)},
      {"3.4: or whose LocalQueue is on Hold", stopped_meanwhile(true, StopPolicy::Hold)},
      {"3.4: or on HoldAndDrain: evicted at once, too", stopped_meanwhile(true, StopPolicy::HoldAndDrain)},
      {"3.4: after who is admitted the next one waits", gone_meanwhile(false)},
      {"3.4: after who is gone by then it does not", gone_meanwhile(true)},
      {"found here: admitted while its LocalQueue was drained it is queued again after the next look for heads",
       in_flight_until_the_next_head(true)},
      {"found here: asking before that look it is queued no more", in_flight_until_the_next_head(false)},
      {"found here: a head whose LocalQueue was stopped meanwhile, and runs before that look, is queued no more",
       switched_meanwhile(1)},
      {"found here: stopped and started meanwhile it is", switched_meanwhile(2)},
      {"found here: stopped, started and stopped it is queued when it runs", switched_meanwhile(3)},
      {"found here: a cycle that waited writes its victim unready again", victim_is_unready_again(true)},
      {"found here: not one that was being evicted before", evicted_before_stays_ready()},
      {"found here: not where nothing had been said of its pods", victim_is_unready_again(false)},
  };
}

}  // namespace gpol::differential
