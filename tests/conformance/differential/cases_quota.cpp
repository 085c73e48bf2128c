// Section 2 of the reference, the arithmetic of quotas.
#include <limits>

#include "tests/conformance/differential/cases.h"
#include "tests/conformance/differential/scene.h"

namespace gpol::differential {

namespace {

// Before anything runs each queue could have its empty-tree maximum P.
History worked_example() {
  Scene s;
  s.cohort("root", "", {{10}}).cohort("sv", "root", {{4, 5, 6}}).cohort("bt", "root", {{2, 8}});
  s.queue("s1", "sv", {{8, {}, 3}});
  s.queue("s2", "sv", {{4, 2, 4}});
  s.queue("b1", "bt", {{6}});
  s.queue("b2", "bt", {{0, 12}});
  s.once().could_have("s1", 21).could_have("s2", 6).could_have("b1", 16).could_have("b2", 12);
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

// nominalQuota 0 is enough to borrow a flavor, and without it there is none.
History borrows_what_it_lists() {
  Scene s({"f", "g"});
  s.queue("owner", "root", {{4}, {4}});
  s.queue("batch", "root", {{0}, {0}}).groups.front().flavors.pop_back();
  const Id on_g = s.submit("batch", {1}, 0, false, 1);
  const Id anywhere = s.submit("batch", {5});
  const Id on_f = s.submit("batch", {4});
  s.cycles().not_all_admitted({on_g}).not_all_admitted({anywhere}).admitted({on_f}).could_have("owner", 4, 1);
  return s.play("borrows what it lists");
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
  s.cycles().reclaimed(policy == Reclaim::Any, ask, {held});
  return s.play("debt");
}

constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

// Usage never depletes it, and what is added to it is lost in it.
History unlimited() {
  Scene s;
  s.cohort("root", "", {{7}});
  s.queue("owner", "root", {{kUnlimited}});
  s.queue("other", "root", {{1}});
  s.queue("bounded", "root", {{1, 2}});
  const auto held = std::vector{s.submit("owner", {1'000'000}), s.submit("other", {1'000'000'000'000})};
  s.cycles(3).admitted(held).could_have("owner", kUnlimited).could_have("other", kUnlimited).could_have("bounded", 3);
  return s.play("unlimited");
}

// Unlimited less unlimited is 0; unlimited less a bounded lendingLimit is unlimited, and less that nothing is lent.
History unlimited_less(Limit lending, std::int64_t lent) {
  Scene s;
  s.cohort("root");
  s.queue("owner", "root", {{kUnlimited, {}, lending}});
  s.queue("other", "root", {{1}});
  s.once().could_have("owner", kUnlimited).could_have("other", lent);
  return s.play("unlimited less a limit");
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

}  // namespace

std::vector<Case> quota_cases() {
  return {
      {"2: the worked example of three levels", worked_example()},
      {"2: lendingLimit does not limit the owner's own borrowing", lending_limit_binds_others_only()},
      {"2: a queue borrows only what it lists, with nominalQuota 0 or more", borrows_what_it_lists()},
      {"2: a cohort in debt eats what lendingLimit protects; with Never it stays", debt(Reclaim::Never)},
      {"2: a cohort in debt eats what lendingLimit protects; with Any batch is evicted", debt(Reclaim::Any)},
      {"2: an unlimited quota is never used up", unlimited()},
      {"2: unlimited quota under a lendingLimit lends nothing", unlimited_less(3, 1)},
      {"2: unlimited quota under an unlimited lendingLimit lends without end", unlimited_less(kUnlimited, kUnlimited)},
      {"2: an inactive queue's quota stays lendable and its usage counts", inactive_queues_count()},
      {"2: a cycle of cohorts takes its queues out of scheduling", cycle_of_cohorts()},
  };
}

}  // namespace gpol::differential
