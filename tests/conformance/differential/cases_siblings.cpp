// N15 of the reference: a head of another queue that waits for quota, has no victims and reserves.
#include "tests/conformance/differential/cases.h"
#include "tests/conformance/differential/scene.h"

namespace gpol::differential {

namespace {

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

// A BestEffortFIFO sibling parks its head after a cycle, and the next one takes its turn. What is evicted in the end
// brings all of them back (at once here; upstream gathers such changes for a second), and they take their turns anew.
History shapes(int count) {
  Scene s;
  reclaims(s.queue("serving", "root", {{2}}));
  s.queue("sibling", "root", {{count + 1}});
  s.queue("batch", "root", {{0}});
  s.submit("batch", {count + 1}, 200, true);
  const auto held = s.units("batch", 2, 100, true);
  s.cycles(4).admitted(held);
  for (int i = 0; i < count; ++i) s.submit("sibling", {i + 2}, 5);
  const Id ask = s.submit("serving", {1}, 0);
  s.cycles(count).admitted(held).once().not_all_admitted(held).cycles(count).not_all_admitted({ask});
  s.cycles(2).admitted({ask});
  return s.play("N15, shapes");
}

}  // namespace

std::vector<Case> sibling_cases() {
  using S = QueueingStrategy;
  return {
      {"N15: a StrictFIFO sibling that may not reclaim starves the queue",
       n15(S::StrictFIFO, Reclaim::Never, 5, true, false)},
      {"N15: a StrictFIFO sibling starves it under fair sharing", n15(S::StrictFIFO, Reclaim::Never, 5, true, true)},
      {"N15: a StrictFIFO sibling with LowerPriority starves it",
       n15(S::StrictFIFO, Reclaim::LowerPriority, 5, true, false)},
      {"N15: a StrictFIFO sibling of equal priority and older starves it",
       n15(S::StrictFIFO, Reclaim::Never, 0, true, false)},
      {"N15: a StrictFIFO sibling with Any does not", n15(S::StrictFIFO, Reclaim::Any, 5, false, false)},
      {"N15: a StrictFIFO sibling that sorts after does not", n15(S::StrictFIFO, Reclaim::Never, -1, false, false)},
      {"N15: a BestEffortFIFO sibling only delays", n15(S::BestEffortFIFO, Reclaim::Never, 5, false, false)},
      {"N15: a BestEffortFIFO sibling with 20 shapes: victims in the 21st cycle", shapes(20)},
  };
}

}  // namespace gpol::differential
