// What a claim figure does not say of quota that nobody can hold for good: debt while a victim ends (section 2 of the
// reference), and class A that waits beside quota of its own (section 10).
#include "tests/conformance/differential/cases.h"
#include "tests/conformance/differential/scene.h"

namespace gpol::differential {

namespace {

// `train` evicts more than it needs, and two heads behind it share the rest before the victim has ended.
History debt(bool preempts, bool two_behind) {
  Scene s;
  s.queue("chat", "root", {{1, {}, 0}});
  reclaims(s.queue("train", "root", {{2}}));
  s.queue("evals", "root", {{2}});
  s.queue("sweeps", "root", {{0}});
  const Id victim = s.submit("sweeps", {3});
  s.once().admitted({victim}).could_have("chat", 2);  // its own, and what is free
  if (preempts) s.submit("train", {2}, 1);
  const Id behind = s.submit("evals", {1});
  if (two_behind) s.submit("sweeps", {1});
  s.once().admitted({behind}).could_have("chat", preempts && two_behind ? 0 : 1);
  return s.release().could_have("chat", !preempts ? 1 : two_behind ? 3 : 4).play("debt");
}

// `search` runs both pods of its own demand on h100, one of them borrowed, before it looks at l4.
History takes_the_first_flavor(Search when_can_borrow) {
  Scene s({"h100", "l4"});
  s.queue("chat", "root", {{1}});
  s.queue("search", "root", {{1}, {1}}).when_can_borrow = when_can_borrow;
  const auto running = s.units("search", 2);
  s.cycles(4).admitted(running);
  const Id ask = s.submit("chat", {1});
  s.cycles(60);
  if (when_can_borrow == Search::MayStopSearch)
    s.not_all_admitted({ask});
  else
    s.admitted({ask});
  return s.play("takes the first flavor");
}

// A head without victims reserves in every cycle what others hold; `chat` loses its h100 in that cycle and goes on from
// a100 alone.
History parked_beside_its_own(bool reserves) {
  Scene s({"h100", "a100"});
  s.queue("chat", "root", {{1, {}, 0}, {1, {}, 0}});
  Queue& owner = s.queue("owner", "root", {{2}});
  owner.strategy = QueueingStrategy::StrictFIFO;
  s.queue("batch", "root", {{0}});
  const auto held = s.units("batch", 2, 100, true);
  s.cycles(4).admitted(held);
  if (reserves) s.submit("owner", {2}, 5);
  const auto asks = s.units("chat", 2);
  s.cycles(60);
  if (reserves)
    s.not_all_admitted(asks).could_have("chat", 1);
  else
    s.admitted(asks);
  return s.play("parked beside its own");
}

}  // namespace

std::vector<Case> ending_cases() {
  return {
      {"debt: what a victim holds beyond need goes to two heads before it has ended", debt(true, true)},
      {"debt: one head behind makes none", debt(true, false)},
      {"debt: where no head preempts there is none", debt(false, true)},
      {"a queue borrows its neighbour's flavor before its own second one",
       takes_the_first_flavor(Search::MayStopSearch)},
      {"with whenCanBorrow TryNextFlavor it does not", takes_the_first_flavor(Search::TryNextFlavor)},
      {"a queue is parked beside quota of its own that nobody can borrow", parked_beside_its_own(true)},
      {"it is not where no head reserves", parked_beside_its_own(false)},
  };
}

}  // namespace gpol::differential
