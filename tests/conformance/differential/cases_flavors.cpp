// 3.2 of the reference, the choice of a flavor: N10, N10b, and point 5 of guarantee G.
#include "tests/conformance/differential/cases.h"
#include "tests/conformance/differential/scene.h"

namespace gpol::differential {

namespace {

enum class Cure : std::uint8_t { None, MayStopSearch, OneFlavor, NodeSelector };

// Batch holds what serving owns of the preferred flavor; of the other one somebody else has some to lend.
History default_consequence(Cure cure) {
  Scene s({"f", "g"});
  Queue& serving = reclaims(s.queue("serving", "root", {{2}, {0}}));
  if (cure == Cure::MayStopSearch) serving.when_can_preempt = Search::MayStopSearch;
  if (cure == Cure::OneFlavor) serving.groups.front().flavors.pop_back();
  s.queue("owner", "root", {{0}, {2}});
  s.queue("batch", "root", {{0}, {0}});
  const Id held = s.submit("batch", {2}, 0, false, 0);
  s.cycles(2).admitted({held});
  const Id ask = s.submit("serving", {1}, 0, false, cure == Cure::NodeSelector ? Limit(0) : Limit());
  s.cycles().admitted({ask});
  if (cure == Cure::None)
    s.admitted({held}).could_have("owner", 1, 1);  // it borrows of g
  else
    s.not_all_admitted({held}).could_have("owner", 2, 1).could_have("batch", 1);
  return s.play("3.2");
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

// Of f serving owns GPUs and no cpu, of g both; batch holds the GPUs of both. Each resource of f by itself can be had,
// the GPU by reclaim and the cpu by borrowing, but the two together nobody is evicted for (N3).
History n10b(bool avoided) {
  Scene s({"f", "g"}, {"gpu", "cpu"});
  Queue& serving = reclaims(s.queue("serving", "root", {{2}, {0}, {2}, {2}}));
  if (avoided) {
    serving.when_can_borrow = serving.when_can_preempt = Search::TryNextFlavor;
    serving.fungibility_preference = "PreemptionOverBorrowing";
  }
  s.queue("owner", "root", {{0}, {2}, {0}, {0}});
  s.queue("batch", "root", {{0}, {0}, {0}, {0}});
  const auto held = std::vector{s.submit("batch", {2, 0}, 0, false, 0), s.submit("batch", {2, 0}, 0, false, 1)};
  s.cycles(3).admitted(held);
  const Id ask = s.submit("serving", {1, 1}, 10);
  s.cycles(60).reclaimed(avoided, ask, held);
  return s.play("N10b");
}

// Of f batch holds cpu, of g all GPUs. Where serving's GPUs of f are in use, the search stops at f, as the cpu could be
// reclaimed there and the GPU borrowed; g is tried in every second cycle only, and batch takes what is freed of it in
// between. Where serving has both left of f (`within`), that is what it gets.
History first_flavor(bool within, Search when_can_preempt) {
  Scene s({"f", "g"}, {"gpu", "cpu"});
  reclaims(s.queue("serving", "root", {{within ? 2 : 1}, {4}, {4}, {4}})).when_can_preempt = when_can_preempt;
  s.queue("owner", "root", {{2}, {0}, {0}, {0}});
  s.queue("batch", "root", {{0}, {0}, {0}, {0}});
  const Id runs = s.submit("serving", {1, 1}, 0, false, 0);
  s.cycles(2).admitted({runs});
  s.submit("batch", {0, 3}, 0, true, 0);
  s.submit("batch", {4, 0}, 0, true, 1);
  s.cycles(4).could_have("serving", 0, 0, 1).could_have("serving", 0, 1, 0);
  const Id ask = s.submit("serving", {1, 1}, 10, true);
  s.cycles(60);
  if (within)
    s.admitted({ask});
  else
    s.not_all_admitted({ask});
  return s.play("G, point 5");
}

}  // namespace

std::vector<Case> flavor_cases() {
  return {
      {"3.2: a later flavor that can be borrowed wins over reclaim of the preferred one",
       default_consequence(Cure::None)},
      {"3.2: whenCanPreempt MayStopSearch reclaims the preferred flavor", default_consequence(Cure::MayStopSearch)},
      {"3.2: a single flavor is reclaimed", default_consequence(Cure::OneFlavor)},
      {"3.2: a flavor named by a node selector is reclaimed", default_consequence(Cure::NodeSelector)},
      {"N10: default fungibility goes elsewhere", n10()},
      {"N10b: a flavor that cannot be reclaimed jointly wins, pending for ever", n10b(false)},
      {"N10b: PreemptionOverBorrowing avoids it", n10b(true)},
      {"4.3, G point 5: MayStopSearch and unequal nominals, pending for ever",
       first_flavor(false, Search::MayStopSearch)},
      {"4.3, G point 5: the first flavor within nominal, MayStopSearch: admitted",
       first_flavor(true, Search::MayStopSearch)},
      {"4.3, G point 5: the first flavor within nominal, TryNextFlavor: admitted",
       first_flavor(true, Search::TryNextFlavor)},
  };
}

}  // namespace gpol::differential
