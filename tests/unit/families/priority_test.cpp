// The order of the priority classes: what plan writes is proven, what somebody changed is found, told by a Job that
// gets in, and no finding where no Job does.
#include "checker/families/codes.h"
#include "checker/families/families.h"
#include "tests/support/planned.h"

namespace gpol {
namespace {

Report judged(const Planned& planned) {
  Solver solver;
  Report report;
  prove_priority({planned.cluster, planned.intent, planned.origins, solver, nullptr}, report);
  REQUIRE(report.obligations.size() == 1);
  CHECK(report.obligations[0].family == Family::Priority);
  CHECK(report.obligations[0].required);
  return report;
}

std::int64_t& value_of(Planned& planned, std::string_view name) {
  for (auto& c : planned.cluster.priority_classes)
    if (c.name == name) return c.value;
  FAIL("no such class");
  return planned.cluster.priority_classes.front().value;
}

constexpr const char* kRamp = "examples/morning-ramp/morning-ramp.gpol";

TEST_CASE("planned priority classes are in order") {
  CHECK(judged(test::planned_of(kRamp)).obligations[0].verdict == Verdict::Proven);
}

TEST_CASE("a class of batch that reaches serving's, or those without a class, is refuted by a Job that gets in") {
  for (const std::int64_t value : {0, 1, 99'999, 100'000, 2'000'000}) {
    INFO(value);
    Planned planned = test::planned_of(kRamp);
    value_of(planned, "batch") = value;
    const Report report = judged(planned);
    const Obligation& o = report.obligations[0];
    if (o.detail) UNSCOPED_INFO(o.detail->reason);
    CHECK(o.verdict == Verdict::Refuted);
    CHECK(o.code == code::PriorityInversion);
    CHECK(o.subject.name == "batch");
    REQUIRE(o.detail);
    CHECK(o.detail->story.size() == 3);
  }
}

TEST_CASE("a serving class below batch's is found") {
  Planned planned = test::planned_of(kRamp);
  value_of(planned, "standard") = -1;
  CHECK(judged(planned).obligations[0].verdict == Verdict::Refuted);
  value_of(planned, "batch") = -2;
  CHECK(judged(planned).obligations[0].verdict == Verdict::Proven);
}

TEST_CASE("a class that no Job of batch gets into is no finding") {
  Planned planned = test::planned_of(kRamp);
  planned.cluster.priority_classes.push_back({"urgent", 3'000'000, {{"gpol.dev/role", "batch"}}});
  CHECK(judged(planned).obligations[0].verdict == Verdict::Proven);
  std::erase_if(planned.cluster.admission_bindings,
                [](const AdmissionBinding& b) { return b.policy == "gpol-batch-job-priority"; });
  CHECK(judged(planned).obligations[0].verdict == Verdict::Refuted);
}

}  // namespace
}  // namespace gpol
