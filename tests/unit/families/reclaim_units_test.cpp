// Reclaim where labels say who serves and the demand is known exactly. Every verdict here was also played in the real
// code, in kind (tests/conformance/verdicts).
#include "compiler/cluster/roles.h"
#include "tests/support/catch.h"
#include "tests/unit/families/small_cluster.h"

using namespace gpol;
using namespace gpol::test;

namespace {

// One resource unless told otherwise; roles are labels.
struct Labelled : SmallCluster {
  explicit Labelled(std::vector<std::string> resources = {"nvidia.com/gpu"}) : SmallCluster(std::move(resources)) {}
  Queue& add(const std::string& name, const char* role, Quota quota, Reclaim reclaim = Reclaim::Never,
             const std::string& cohort = "root") {
    Queue& q = cluster.queues[queue(name, cohort, quota)];
    if (*role != '\0') q.labels["gpol.dev/role"] = role;
    q.preemption.reclaim_within_cohort = reclaim;
    q.preemption.within_cluster_queue = Within::Never;
    return q;
  }
  void priority(const char* role, std::int64_t value) {
    cluster.priority_classes.push_back({role, value, {{"gpol.dev/role", role}}});
  }
  const Obligation of(const std::string& name) {
    intent = intent_from_labels(cluster);
    origins.cohort.resize(cluster.cohorts.size());
    report_ = run(prove_reclaim);
    return find(report_, Family::Reclaim, name, cluster.resources.front());
  }
  Report report_;
};

}  // namespace

TEST_CASE("what may be reclaimed from anyone comes back; what may not does not, and a story shows it") {
  Labelled c;
  c.add("serving", "serving", {4, {}, {}}, Reclaim::Any);
  c.add("batch", "batch", {0, {}, {}});
  CHECK(c.of("serving").verdict == Verdict::Proven);
  c.cluster.queues[0].preemption.reclaim_within_cohort = Reclaim::Never;
  const Obligation o = c.of("serving");
  CHECK(o.verdict == Verdict::Refuted);
  REQUIRE(o.detail);
  CHECK(o.detail->story.size() >= 2);
}

TEST_CASE("LowerPriority serves where the priorities are known to be lower") {
  Labelled c;
  c.add("serving", "serving", {4, {}, {}}, Reclaim::LowerPriority);
  c.add("batch", "batch", {0, {}, {}});
  CHECK(c.of("serving").verdict == Verdict::Refuted);
  c.priority("serving", 100);
  c.priority("batch", 10);
  CHECK(c.of("serving").verdict == Verdict::Proven);
  c.cluster.queues[1].labels["gpol.dev/batch-priority"] = "any";
  CHECK(c.of("serving").verdict == Verdict::Refuted);
}

TEST_CASE("a StrictFIFO sibling's head starves it, unless it sorts after or always fits") {
  Labelled c;
  c.add("serving", "serving", {2, {}, {}}, Reclaim::Any);
  c.add("sibling", "batch", {2, {}, {}}).strategy = QueueingStrategy::StrictFIFO;
  c.add("batch", "batch", {0, {}, {}});
  CHECK(c.of("serving").verdict == Verdict::Refuted);
  c.cluster.queues[1].groups[0].flavors[0].quotas[0].lending = 0;
  CHECK(c.of("serving").verdict == Verdict::Proven);
  c.cluster.queues[1].groups[0].flavors[0].quotas[0].lending.reset();
  c.priority("serving", 100);
  c.priority("batch", 10);
  CHECK(c.of("serving").verdict == Verdict::Proven);
}

TEST_CASE("what the demand does not need may be held by anyone") {
  Labelled c({"nvidia.com/gpu", "cpu"});
  Queue& serving = c.add("serving", "serving", {1, {}, 0});
  serving.groups[0].flavors[0].quotas[1] = {4000, {}, 3000};  // one pod asks one core
  c.add("batch", "batch", {0, {}, {}});
  CHECK(c.of("serving").verdict == Verdict::Proven);
  c.cluster.queues[0].groups[0].flavors[0].quotas[1].lending = 4000;
  CHECK(c.of("serving").verdict == Verdict::Refuted);
}

TEST_CASE("a stopped serving queue gets nothing; a borrower on Hold keeps what it has") {
  Labelled c;
  c.add("serving", "serving", {4, {}, {}}, Reclaim::Any);
  c.add("batch", "batch", {0, {}, {}}).stop = StopPolicy::Hold;
  CHECK(c.of("serving").verdict == Verdict::Refuted);
  c.cluster.queues[1].stop = StopPolicy::HoldAndDrain;
  CHECK(c.of("serving").verdict == Verdict::Proven);
  c.cluster.queues[0].stop = StopPolicy::Hold;
  CHECK(c.of("serving").verdict == Verdict::Refuted);
}

TEST_CASE("a LocalQueue that is stopped: of serving it keeps the demand out, of batch it leaves victims") {
  Labelled c;
  c.add("serving", "serving", {4, {}, {}}, Reclaim::Any);
  c.add("batch", "batch", {0, {}, {}});
  c.cluster.local_queues = {{"ns", "door", "batch", {}, StopPolicy::Hold}};
  CHECK(c.of("serving").verdict == Verdict::Proven);
  c.cluster.local_queues = {{"ns", "door", "serving", {}, StopPolicy::Hold}};
  CHECK(c.of("serving").verdict == Verdict::Undecided);
}

TEST_CASE("demand that does not count as it is asked for is never proven to come back") {
  const auto verdict = [](auto change) {
    Labelled c;
    c.add("serving", "serving", {4, {}, {}}, Reclaim::Any);
    c.add("batch", "batch", {0, {}, {}});
    change(c.cluster.config);
    const Obligation o = c.of("serving");
    return std::pair(o.verdict, o.detail ? o.detail->reason : "");
  };
  const std::string gpu = "nvidia.com/gpu", start = "its demand does not count as it is asked for: ";
  CHECK(verdict([](KueueConfig&) {}).first == Verdict::Proven);
  CHECK(verdict([](KueueConfig& config) { config.transformations = {{"other", true, "", {{"else", "1"}}}}; }).first ==
        Verdict::Proven);
  CHECK(verdict([&](KueueConfig& config) { config.transformations = {{gpu, false, "", {{"credits", "1"}}}}; }) ==
        std::pair(Verdict::Undecided, start + "resources.transformations with the input nvidia.com/gpu"));
  CHECK(verdict([&](KueueConfig& config) { config.transformations = {{"mig", true, "", {{gpu, "1"}}}}; }) ==
        std::pair(Verdict::Undecided, start + "resources.transformations make nvidia.com/gpu of mig"));
  CHECK(verdict([](KueueConfig& config) { config.excluded_prefixes = {"nvidia.com/"}; }) ==
        std::pair(Verdict::Undecided, start + "resources.excludeResourcePrefixes leaves out nvidia.com/gpu"));
}

TEST_CASE("under fair sharing a queue below a cohort can be overtaken by whom it evicts") {
  Labelled c({"nvidia.com/gpu", "cpu"});
  c.cluster.config.fair_sharing = true;
  c.cluster.cohorts = {{"root", "", {}, ""}, {"team", "root", {}, ""}};
  c.add("serving", "serving", {3, {}, {}}, Reclaim::Any, "team").groups[0].flavors[0].quotas[1] = {3000, {}, 0};
  c.add("batch", "batch", {0, {}, {}});
  CHECK(c.of("serving").verdict == Verdict::Proven);  // nobody else is in its team
  c.add("neighbour", "batch", {2, {}, {}}, Reclaim::Any, "team");
  CHECK(c.of("serving").verdict != Verdict::Proven);
  c.cluster.config.fair_sharing = false;
  CHECK(c.of("serving").verdict == Verdict::Proven);
}

TEST_CASE("pods that others can borrow: a victim need hold none, and Kueue evicts nobody") {
  Labelled c({"nvidia.com/gpu", "pods"});
  c.add("serving", "serving", {2, {}, {}}, Reclaim::Any);
  c.add("batch", "batch", {2, {}, {}}, Reclaim::Any);
  Quota& others = c.cluster.queues[1].groups[0].flavors[0].quotas[1];
  CHECK(c.of("serving").verdict != Verdict::Proven);
  others.borrowing = 0;  // nobody can take them
  CHECK(c.of("serving").verdict == Verdict::Proven);
  others.borrowing = std::nullopt;
  c.cluster.queues[0].groups[0].flavors[0].quotas[1].lending = 0;  // it keeps all that it asks for
  CHECK(c.of("serving").verdict == Verdict::Proven);
  c.cluster.queues[0].groups[0].flavors[0].quotas[1] = {3, {}, 1};  // and may lend what it does not ask for
  CHECK(c.of("serving").verdict == Verdict::Proven);
  c.cluster.queues[0].groups[0].flavors[0].quotas[1].lending = 2;
  CHECK(c.of("serving").verdict != Verdict::Proven);
}

TEST_CASE("several flavors: what it borrows can be taken from it again and again") {
  Labelled c;
  c.cluster.flavors[0].node_labels = {{"pool", "pool"}};
  c.cluster.flavors.push_back({"other", {{"pool", "other"}}, {}, {}, ""});
  Queue& serving = c.add("serving", "serving", {2, {}, {}}, Reclaim::Any);
  serving.groups[0].flavors.push_back({1, {{2, {}, {}}}});
  c.add("batch", "batch", {2, {}, {}});
  CHECK(c.of("serving").verdict == Verdict::Proven);  // batch may evict nobody
  c.cluster.queues[1].preemption.reclaim_within_cohort = Reclaim::Any;
  CHECK(c.of("serving").verdict != Verdict::Proven);
  for (auto& flavor : c.cluster.queues[0].groups[0].flavors) flavor.quotas[0].borrowing = 0;
  CHECK(c.of("serving").verdict == Verdict::Proven);  // it never borrows
}

TEST_CASE("a demand of nothing proves nothing") {
  Labelled c({"nvidia.com/gpu", "cpu"});
  c.add("serving", "serving", {0, {}, {}}).groups[0].flavors[0].quotas[1] = {4000, {}, {}};
  c.add("batch", "batch", {0, {}, {}});
  const auto found = c.of("serving");
  CHECK(found.verdict == Verdict::Undecided);
  CHECK(found.detail->reason == "its demand is of no pod: it owns less than 1 GPU of each flavor");
}

// A field that no fact of reclaim turns on makes each queue one of its own: what is found is the same.
TEST_CASE("of many queues that are alike a few are looked at, and the verdicts are those of all", "[slow]") {
  for (unsigned way = 0; way < 96; ++way) {
    Labelled c({"nvidia.com/gpu", "cpu"});
    const bool lends = (way & 1U) != 0, strict = (way & 2U) != 0, priorities = (way & 4U) != 0;
    const Reclaim policy = (way & 8U) != 0 ? Reclaim::LowerPriority : Reclaim::Any;
    if (priorities) c.priority("serving", 100), c.priority("batch", 10);
    const std::optional<std::int64_t> limit = lends ? std::optional<std::int64_t>() : 0;
    for (int i = 0; i < 9; ++i) c.add("s" + std::to_string(i), "serving", {2, {}, limit}, policy);
    for (int i = 0; i < 8; ++i) {
      Queue& q = c.add("t" + std::to_string(i), (way & 16U) != 0 ? "batch" : "serving", {1, {}, {}}, Reclaim::Never);
      if (strict) q.strategy = QueueingStrategy::StrictFIFO;
    }
    for (unsigned i = 0; i < 1 + 7 * (way / 32); ++i) c.add("b" + std::to_string(i), "batch", {i % 2, {}, {}});
    const auto verdicts = [&] {
      std::vector<std::string> found;
      c.of("s0");
      for (const Obligation& o : c.report_.obligations)
        found.push_back(std::string(o.subject.name) + std::to_string(static_cast<int>(o.verdict)) +
                        (o.detail ? o.detail->message : ""));
      return found;
    };
    const auto few = verdicts();
    for (std::size_t q = 0; q < c.cluster.queues.size(); ++q)
      c.cluster.queues[q].preemption.max_priority_threshold = static_cast<std::int64_t>(q);
    INFO("way " << way);
    CHECK(few == verdicts());
  }
}
