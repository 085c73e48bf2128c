// Tenants outside the queue that preempt: what is proven, of what, and what is not covered.
#include <algorithm>

#include "checker/families/families.h"
#include "checker/families/outside_clock.h"
#include "tests/support/planned.h"

namespace gpol {
namespace {

using test::planned_of;

constexpr const char* kPreempts = "tests/golden/proof/serving_outside_preempts_batch.gpol";

std::vector<Obligation> proved(const Planned& planned) {
  Solver solver;
  Report report;
  prove_outside({planned.cluster, planned.intent, planned.origins, solver}, report);
  return report.obligations;
}

Verdict reclaim(const Planned& planned) {
  std::optional<Verdict> all;
  for (const Obligation& o : proved(planned))
    if (o.family == Family::Reclaim) {
      CHECK((!all || *all == o.verdict));  // one verdict for all that it reserves
      all = o.verdict;
    }
  REQUIRE(all);
  return *all;
}

}  // namespace

TEST_CASE("its clock: rounds of decisions and a grace, one round more for each node that may be lost") {
  const Planned planned = planned_of(kPreempts);
  OutsideClock clock = read_clock(planned.intent.outside.at(0), planned.intent.batch, 4, 1);
  CHECK(clock.missing.empty());
  CHECK(clock.rounds == 3);
  CHECK(clock.back() == 3 * (4 * 15'000 + 60'000 + 5'000));
  CHECK(clock.ready() == clock.back() + 120'000);
  Solver solver;
  CHECK(solver.check(clock.formula(clock.ready())).kind == Answer::Kind::Unsat);
  CHECK(solver.check(clock.formula(clock.ready() - 1)).kind == Answer::Kind::Sat);
  CHECK(read_clock(planned.intent.outside.at(0), planned.intent.batch, 4, 0).rounds == 2);
  CHECK(read_clock(planned.intent.outside.at(0), planned.intent.batch, INT64_MAX, 1).ready() == INT64_MAX);
}

TEST_CASE("a millisecond decides, and a deadline before any story of it is only undecided") {
  Planned planned = planned_of(kPreempts);
  auto& deadline = planned.intent.outside.at(0).deadline->value;
  deadline = 495'000;
  CHECK(reclaim(planned) == Verdict::Proven);
  deadline = 494'999;
  CHECK(reclaim(planned) == Verdict::Undecided);
  deadline = 200'000;  // what one eviction takes
  CHECK(reclaim(planned) == Verdict::Undecided);
  deadline = 199'999;
  CHECK(reclaim(planned) == Verdict::Refuted);
}

TEST_CASE("what is not known is not proven") {
  const Planned planned = planned_of(kPreempts);
  Planned changed = planned;
  changed.intent.batch.grace.reset();
  for (QueueRole& role : changed.intent.roles) role.grace.reset();
  CHECK(reclaim(changed) == Verdict::Undecided);
  changed = planned;
  changed.intent.outside[0].start.load.reset();
  CHECK(reclaim(changed) == Verdict::Undecided);
  changed = planned;
  changed.intent.outside[0].preempts_at.reset();
  CHECK(reclaim(changed) == Verdict::Undecided);
  changed = planned;
  changed.intent.outside[0].preempts_at = 0;  // not above batch
  CHECK(reclaim(changed) == Verdict::Undecided);
  changed = planned;
  changed.intent.roles[0].kind = QueueRole::Kind::Serving;  // whom it might evict
  CHECK(reclaim(changed) == Verdict::Undecided);
  changed = planned;
  changed.intent.roles[0].kind = QueueRole::Kind::None;
  CHECK(reclaim(changed) == Verdict::Undecided);
  changed = planned;
  changed.intent.capacities[0].spot = true;
  CHECK(reclaim(changed) == Verdict::Undecided);
  changed = planned;
  changed.intent.outside.push_back(planned.intent.outside[0]);
  changed.intent.outside[1].tenant = "other";
  CHECK(reclaim(changed) == Verdict::Undecided);
}

TEST_CASE("what batch is admitted to beyond the rest is exposed") {
  Planned planned = planned_of(kPreempts);
  const auto gpus = [&] {
    for (const Obligation& o : proved(planned))
      if (o.family == Family::Claim && o.subject.resource == "nvidia.com/gpu")
        return std::pair(o.verdict, o.figures.claimable.value_or(-1));
    return std::pair(Verdict::NotAnalysed, std::int64_t{-1});
  };
  CHECK(gpus() == std::pair(Verdict::Proven, std::int64_t{0}));
  for (auto& row : planned.cluster.queues.at(0).groups.at(0).flavors)
    for (Quota& quota : row.quotas) quota.nominal *= 2;
  CHECK(gpus() == std::pair(Verdict::Undecided, std::int64_t{8}));
  for (auto& row : planned.cluster.queues.at(0).groups.at(0).flavors)
    for (Quota& quota : row.quotas) quota.nominal *= 8;
  CHECK(gpus() == std::pair(Verdict::Undecided, std::int64_t{16}));
}

}  // namespace gpol
