// Fair sharing where it decides otherwise: 4.2 of the reference, its part of N4, and what was found here.
#include "tests/conformance/differential/cases.h"
#include "tests/conformance/differential/scene.h"

namespace gpol::differential {

namespace {

// Fair sharing with Any evicts upwards, whatever the priorities.
History shares_before_priorities() {
  Scene s;
  s.fair().cohort("root", "", {{4}});
  s.queue("serving", "root", {{0}});
  reclaims(s.queue("batch", "root", {{0}}));
  const auto running = s.units("serving", 4, 1000);
  s.cycles(5).admitted(running);
  const Id ask = s.submit("batch", {1}, 0);
  s.cycles(20).reclaimed(true, ask, running);
  return s.play("shares before priorities");
}

// A pool in the root and nominal 0.
History root_pool() {
  Scene s;
  s.fair().cohort("root", "", {{4}});
  reclaims(s.queue("serving", "root", {{0}}));
  s.queue("batch", "root", {{0}});
  const auto held = s.units("batch", 4);
  s.cycles(5).admitted(held);
  const Id ask = s.submit("serving", {1}, 10);
  s.cycles(30).reclaimed(true, ask, held);
  return s.play("N4, fair sharing");
}

// Four GPUs around serving, of which batch holds some, and six cpu elsewhere, of which serving's cohort borrows: its
// share is (cpu + 1) / 6 with the request, batch's is GPUs / 4.
History pool_by_shares(std::int64_t serving_gpu, std::int64_t serving_cpu, bool reclaimed) {
  Scene s({"f"}, {"gpu", "cpu"});
  s.fair().cohort("root").cohort("around", "root", {{4}, {0}});
  reclaims(s.queue("serving", "around", {{0}, {0}}));
  s.queue("owner", "root", {{0}, {6}});
  s.queue("batch", "root", {{0}, {0}});
  if (serving_gpu > 0) s.submit("serving", {serving_gpu, serving_cpu});
  s.cycles(2);
  const auto held = s.units("batch", static_cast<int>(4 - serving_gpu));
  s.cycles(6).admitted(held).could_have("serving", 0);
  const Id ask = s.submit("serving", {1, 1}, 10);
  s.cycles(30).reclaimed(reclaimed, ask, held);
  return s.play("N4, shares");
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

std::vector<Case> share_cases() {
  return {
      {"4.2: fair sharing evicts upwards of nominal regardless of priority", shares_before_priorities()},
      {"N4: a pool in the root: fair sharing competes by share", root_pool()},
      {"N4: fair sharing, a pool around serving: 666 against 500 fails", pool_by_shares(2, 3, false)},
      {"N4: fair sharing, a pool around serving: 166 against 500 reclaims", pool_by_shares(2, 0, true)},
      {"N4: fair sharing, a pool around serving: 166 against 1000 reclaims", pool_by_shares(0, 0, true)},
      {"found here: under fair sharing a nested queue is overtaken by whom it evicts", overtaken_by_shares(true)},
      {"found here: without fair sharing it is not", overtaken_by_shares(false)},
  };
}

}  // namespace gpol::differential
