// Statements about what stands around a queue: its LocalQueues, its flavors' objects, taints, namespaces, and what the
// Configuration makes of requests.
#include "tests/conformance/differential/cases.h"

#include "tests/conformance/differential/scene.h"

namespace gpol::differential {

namespace {

// The LocalQueue stopped, not its ClusterQueue: what was borrowed can be evicted as before.
History stopped_local_queues_stay_preemptable() {
  Lent lent(Reclaim::Any);
  lent.scene.stop_local("batch", StopPolicy::Hold).once().admitted(lent.batch);
  const Id late = lent.scene.submit("batch", {1}), ask = lent.scene.submit("serving", {1});
  lent.scene.cycles().admitted({ask}).not_all_admitted({late});
  return lent.scene.play("3.5, LocalQueue on Hold");
}

History drained_local_queue() {
  Lent lent(Reclaim::Never);
  lent.scene.stop_local("batch", StopPolicy::HoldAndDrain).cycles(2).could_have("serving", 4);
  const Id ask = lent.scene.submit("serving", {4});
  lent.scene.cycles().admitted({ask});
  return lent.scene.play("3.5, LocalQueue on HoldAndDrain");
}

// Batch names a flavor that is gone, though it uses another one.
History missing_flavor(bool fair) {
  Scene s({"f", "g"});
  if (fair) s.fair();
  reclaims(s.queue("serving", "root", {{4}}));
  s.queue("batch", "root", {{0}, {4}});
  const Id held = s.submit("batch", {4}, 0, false, 0);
  s.cycles(2).admitted({held}).flavor(1, false).once();
  const Id ask = s.submit("serving", {1}), more = s.submit("batch", {1}, 0, false, 1);
  s.cycles().not_all_admitted({ask}).not_all_admitted({more}).admitted({held});
  s.flavor(1, true).cycles().admitted({ask, more}).not_all_admitted({held});
  return s.play("missing flavor");
}

// Who is parked is told of quota that comes free, but not of what a workload of a stopped LocalQueue frees.
History freed_unheard(bool local) {
  Lent lent(Reclaim::Never);
  const Id ask = lent.scene.submit("serving", {1}, 1000);
  lent.scene.cycles(3);
  if (local)
    lent.scene.stop_local("batch", StopPolicy::HoldAndDrain).cycles(20).not_all_admitted({ask});
  else
    lent.scene.stop("batch", StopPolicy::HoldAndDrain).cycles().admitted({ask});
  lent.scene.could_have("serving", local ? 4 : 3);
  return lent.scene.play("freed unheard");
}

// Only the flavor that the pod tolerates is tried, though another one is free; a flavor's own tolerations count, and a
// preference of the nodes keeps nobody off.
History tainted(const char* effect, bool flavor_tolerates, bool admitted) {
  Scene s;
  s.cluster().flavors[0].taints = {{"dedicated", "team", effect}};
  if (flavor_tolerates) s.cluster().flavors[0].tolerations = {{"dedicated", "Exists", "", "", {}}};
  s.queue("q", "", {{4}});
  const Id tolerates = s.submit("q", {1});
  s.last().tolerations = {{"dedicated", "Equal", "team", "", {}}};
  const Id other = s.submit("q", {1});
  s.last().tolerations = {{"dedicated", "Equal", "other", "", {}}};
  s.cycles().admitted({tolerates});
  if (admitted)
    s.admitted({other});
  else
    s.not_all_admitted({other});
  return s.play("taints");
}

// A head that does not fit blocks a StrictFIFO queue, one of a namespace that the queue does not select does not.
History head_blocks(bool stranger) {
  Scene s;
  s.queue("q", "", {{4}}).strategy = QueueingStrategy::StrictFIFO;
  const Id head = s.submit("q", {stranger ? 1 : 5});
  s.last().namespace_matches = !stranger;
  const Id next = s.submit("q", {1});
  s.cycles().not_all_admitted({head});
  if (stranger)
    s.admitted({next});
  else
    s.not_all_admitted({next});
  return s.play("head");
}

// A MIG slice is charged as memory of its card, and cpu in the ratio of the card.
History transformed(bool replace) {
  Scene s({"f"}, {"memory", "slice"});
  s.cluster().config.transformations = {{s.cluster().resources[1], replace, "", {{s.cluster().resources[0], "2.5"}}}};
  s.queue("q", "", {{5}, {1}});
  const Id first = s.submit("q", {0, 1}), second = s.submit("q", {0, 1});
  s.cycles().admitted({first}).could_have("q", 2);  // 2.5 each, rounded up
  s.not_all_admitted({second}).could_have("q", replace ? 1 : 0, 0, 1);
  return s.play("transformed");
}

// What is asked for beyond does not matter where it is left out, though no queue offers it.
History excluded() {
  Scene s({"f"}, {"gpu", "scratch"});
  s.cluster().config.excluded_prefixes = {"example.com/scr"};
  Queue& queue = s.queue("q", "", {{4}, {0}});
  queue.groups.front().covered.pop_back();
  queue.groups.front().flavors.front().quotas.pop_back();
  const Id ask = s.submit("q", {1, 100});
  s.cycles().admitted({ask});
  return s.play("excluded");
}

}  // namespace

std::vector<Case> object_cases() {
  return {
      {"3.2: a flavor whose taint the pod does not tolerate is skipped", tainted("NoSchedule", false, false)},
      {"3.2: likewise NoExecute", tainted("NoExecute", false, false)},
      {"3.2: PreferNoSchedule keeps nobody off", tainted("PreferNoSchedule", false, true)},
      {"3.2: the flavor's own tolerations count", tainted("NoSchedule", true, true)},
      {"3.4: a head that does not fit blocks a StrictFIFO queue", head_blocks(false)},
      {"3.4: one of a namespace that is not selected does not", head_blocks(true)},
      {"3.5: on Hold at the LocalQueue it can be evicted as before", stopped_local_queues_stay_preemptable()},
      {"3.5: HoldAndDrain at the LocalQueue gives it back", drained_local_queue()},
      {"1.2, N6: likewise where the queue names a flavor that does not exist", missing_flavor(false)},
      {"1.2, N6: the same under fair sharing", missing_flavor(true)},
      {"found here: parked workloads hear nothing of what a stopped LocalQueue's free", freed_unheard(true)},
      {"found here: of a stopped ClusterQueue's they do", freed_unheard(false)},
      {"6: a request is replaced by what it stands for, rounded up", transformed(true)},
      {"6: or counts besides", transformed(false)},
      {"6: an excluded resource does not count", excluded()},
  };
}

}  // namespace gpol::differential
