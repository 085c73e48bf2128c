#include <random>

#include "checker/families/codes.h"
#include "checker/families/fragmentation_formula.h"
#include "tests/support/catch.h"
#include "tests/unit/families/nodes_cluster.h"

using namespace gpol;
using namespace gpol::test;

namespace {

// Search reserves 16 of three nodes, one of which may be lost, and lends 8; train borrows them.
NodesCluster lent(std::optional<std::int64_t> shape) {
  NodesCluster c;
  const auto pool = c.pool("shared", 3, 1);
  const auto search = c.serves("search", 8, "root");
  c.quota(search, pool, {160, 16, 16}, 0, 8);
  const auto train = c.trains("train");
  c.quota(train, pool, {0, 0, 0}, 8, 0);
  if (shape) c.intent.roles[train].pod_shapes[pool] = {1, *shape};
  return c;
}

Verdict verdict_of(const NodesCluster& c) {
  const Report report = c.run(prove_fragmentation);
  REQUIRE(report.analysed == std::vector{Family::Fragmentation});
  REQUIRE(report.obligations.size() == 1);
  CHECK(report.obligations[0].required);
  return report.obligations[0].verdict;
}

}  // namespace

TEST_CASE("whole nodes leave whole nodes, smaller pods do not") {
  CHECK(verdict_of(lent(8)) == Verdict::Proven);
  CHECK(verdict_of(lent(4)) == Verdict::Refuted);
  CHECK(verdict_of(lent(std::nullopt)) == Verdict::Refuted);
}

TEST_CASE("a refutation is told, and says what to do") {
  const NodesCluster c = lent(std::nullopt);
  const Report report = c.run(prove_fragmentation);
  const Obligation& o = report.obligations.at(0);
  CHECK(o.code == code::Fragmentation);
  CHECK(o.subject.kind == "ClusterQueue");
  CHECK(o.subject.name == "search");
  CHECK(o.subject.flavor == "shared");
  REQUIRE(o.detail);
  REQUIRE(o.detail->story.size() == 2);  // no node need be lost for it
  CHECK(o.detail->story[0].actor == "train");
  CHECK(o.detail->story[1].actor == "search");
  REQUIRE(o.detail->fix);
  CHECK(o.detail->fix->text.find("shape 8 gpus of shared") != std::string::npos);
}

TEST_CASE("more nodes than batch can stand on are enough") {
  for (const std::int64_t nodes : {8, 9}) {
    NodesCluster c = lent(1);
    c.intent.capacities[0].nodes_min = nodes;
    c.intent.capacities[0].lost = 0;
    // Eight pods of one GPU close eight nodes.
    CHECK(verdict_of(c) == (nodes == 8 ? Verdict::Refuted : Verdict::Proven));
  }
}

TEST_CASE("lost nodes count, and the story loses no more of them than it takes") {
  for (const std::int64_t lost : {0, 1, 2}) {
    NodesCluster c = lent(1);
    c.intent.capacities[0].nodes_min = 9;
    c.intent.capacities[0].lost = lost;
    const Report report = c.run(prove_fragmentation);
    CHECK(report.obligations[0].verdict == (lost == 0 ? Verdict::Proven : Verdict::Refuted));
    if (lost > 0) CHECK(report.obligations[0].detail->story[0].does.find("1 of `shared` is lost; 8 are left") == 0);
  }
}

TEST_CASE("a tenant alone must fit its own replicas") {
  for (const std::int64_t gpus : {2, 3, 4, 8}) {
    NodesCluster c;
    const auto pool = c.pool("live", 2);
    c.quota(c.serves("chat", gpus), pool, {160, 16, 16});
    CHECK(verdict_of(c) == (gpus == 3 ? Verdict::Refuted : Verdict::Proven));
  }
}

TEST_CASE("a tenant without a declared replica is judged by pods of one GPU") {
  NodesCluster c;
  const auto pool = c.pool("live", 2);
  c.quota(c.serves("chat", 0), pool, {160, 16, 16});
  CHECK(verdict_of(c) == Verdict::Proven);
  c.intent.capacities[0].lost = 1;
  CHECK(verdict_of(c) == Verdict::Refuted);
}

TEST_CASE("replicas of two tenants close nodes to each other") {
  NodesCluster c;
  const auto pool = c.pool("live", 2);
  c.quota(c.serves("small", 1), pool, {80, 8, 8});
  c.quota(c.serves("large", 8), pool, {80, 8, 8});
  const Report report = c.run(prove_fragmentation);
  const auto found = not_proven(report);
  REQUIRE(found.size() == 1);
  CHECK(found[0]->subject.name == "large");
  CHECK(found[0]->verdict == Verdict::Refuted);
}

TEST_CASE("pods of another flavor that match the nodes stand there, too") {
  NodesCluster c;
  const auto pool = c.pool("live", 2);
  c.quota(c.serves("chat", 8), pool, {160, 16, 16});
  CHECK(verdict_of(c) == Verdict::Proven);
  const auto other = c.pool("other", 2);
  c.quota(c.trains("train", ""), other, {20, 2, 2});
  CHECK(verdict_of(c) == Verdict::Proven);
  c.cluster.flavors[other].node_labels.clear();  // its pods can go anywhere
  CHECK(verdict_of(c) == Verdict::Refuted);
}

TEST_CASE("a replica that also finds nodes elsewhere is not refuted by closing these") {
  NodesCluster c = lent(std::nullopt);
  c.pool("more", 1);
  c.cluster.flavors[0].node_labels.clear();
  c.cluster.flavors[0].tolerations = {{"", "Exists", "", "", std::nullopt}};
  const Report report = c.run(prove_fragmentation);
  REQUIRE(report.obligations.size() == 1);
  CHECK(report.obligations[0].verdict == Verdict::Undecided);
  CHECK_FALSE(report.obligations[0].detail->reason.empty());
}

TEST_CASE("what is not modelled is undecided, with its cause") {
  NodesCluster c = lent(8);
  c.cluster.flavors[0].topology = "racks";
  CHECK(verdict_of(c) == Verdict::Undecided);
  c = lent(8);
  c.cluster.modes.push_back({"night", {{{"search", "shared", "cpu"}, {80, 0, 80}}}});
  CHECK(verdict_of(c) == Verdict::Undecided);
}

TEST_CASE("a queue that holds nothing stands nowhere") {
  NodesCluster c = lent(std::nullopt);
  c.cluster.queues[1].stop = StopPolicy::HoldAndDrain;
  CHECK(verdict_of(c) == Verdict::Proven);
}

TEST_CASE("a queue on Hold may still stand where it stood") {
  NodesCluster c = lent(std::nullopt);
  c.cluster.queues[1].stop = StopPolicy::Hold;
  CHECK(verdict_of(c) == Verdict::Refuted);
}

TEST_CASE("pods outside the queue stand beside those within it, and must fit themselves") {
  NodesCluster c;
  const auto pool = c.pool("live", 2);
  c.quota(c.serves("large", 8), pool, {80, 8, 8});
  CHECK(verdict_of(c) == Verdict::Proven);
  OutsideReserve web;
  web.tenant = "web";
  web.flavor = pool;
  web.reserve = {20, 2, 2};
  web.replica = {10, 1, 1};
  c.intent.outside.push_back(web);
  {
    const Report report = c.run(prove_fragmentation);  // one pod of web on each node
    const auto found = not_proven(report);
    REQUIRE(found.size() == 1);
    CHECK(found[0]->subject.name == "large");
    CHECK(found[0]->verdict == Verdict::Refuted);
    CHECK(found[0]->detail->story.front().actor == "web");
  }
  c.intent.outside[0].replica = {10, 8, 1};
  c.intent.outside[0].reserve = {80, 8, 8};
  CHECK(verdict_of(c) == Verdict::Proven);  // a node each
  c.intent.capacities[0].lost = 1;
  const Report report = c.run(prove_fragmentation);
  const auto found = not_proven(report);
  REQUIRE(found.size() == 2);
  CHECK(found[0]->subject.kind != found[1]->subject.kind);  // ClusterQueue and Tenant
  for (const Obligation* o : found) CHECK(o->verdict == Verdict::Refuted);
}

TEST_CASE("requests that Kueue counts otherwise than nodes do are undecided") {
  NodesCluster c = lent(8);
  c.cluster.config.excluded_prefixes = {"nvidia.com/"};
  CHECK(verdict_of(c) == Verdict::Undecided);
}

TEST_CASE("without node facts the family is not analysed, without serving nothing is required") {
  SmallCluster none;
  none.serving("chat", Isolation::A, {8, 0, 0});
  CHECK(none.run(prove_fragmentation).analysed.empty());
  NodesCluster c;
  const auto pool = c.pool("burst", 2);
  c.quota(c.trains("train"), pool, {80, 8, 8});
  const Report report = c.run(prove_fragmentation);
  REQUIRE(report.obligations.size() == 1);
  CHECK_FALSE(report.obligations[0].required);
  CHECK(report.obligations[0].verdict == Verdict::Proven);
}

TEST_CASE("formulas are dumped, each once") {
  std::vector<Formula> dump;
  lent(8).run(prove_fragmentation, &dump);
  int fillings = 0, closed = 0;
  for (const Formula& formula : dump) {
    fillings += formula.name == "fragmentation/fillings" ? 1 : 0;
    closed += formula.name == "fragmentation/closed" ? 1 : 0;
  }
  CHECK(fillings == 1);
  CHECK(closed == 1);
}

TEST_CASE("a way that makes the formula true refutes it without the solver") {
  std::vector<Formula> dump;
  const Report report = lent(4).run(prove_fragmentation, &dump);
  CHECK(report.obligations.at(0).verdict == Verdict::Refuted);
  CHECK(std::none_of(dump.begin(), dump.end(), [](const Formula& f) { return f.name == "fragmentation/closed"; }));
}

TEST_CASE("ways that are no way do not make the formula true") {
  // Nodes of 8; a replica of 4 finds none where 5 are taken, by any pods of batch, which has 12 of them in all.
  nodes::Question q;
  q.node = {8};
  q.replica = {4};
  for (const std::int64_t each : {3, 1}) {
    nodes::PodKind& kind = q.kinds.emplace_back();
    kind.each = kind.counted = {each};
    kind.beyond = {each == 1};
    kind.at_most = {12};
  }
  q.batch = q.together = {12};
  const auto fillings = nodes::fillings(q);
  REQUIRE(fillings);
  for (const std::int64_t wanted : {2, 3}) {
    const Formula formula = closed_formula("closed", q, *fillings, wanted);
    const auto closed = nodes::most_closed(q, *fillings, wanted, [](const auto&) { return true; });
    CHECK(closed.at_least == 2);
    CHECK(closes(formula, q, *fillings, closed.nodes) == (wanted == 2));
    for (std::size_t i = 0; i < fillings->size(); ++i) {
      std::vector<std::int64_t> all_of_one(fillings->size(), 0);
      all_of_one[i] = wanted;
      CHECK((!closes(formula, q, *fillings, all_of_one) || nodes::within_limits(q, *fillings, all_of_one)));
    }
  }
}

TEST_CASE("in the largest units it is the same question") {
  std::mt19937 dice(11);
  const auto upto = [&](std::int64_t most) {
    return static_cast<std::int64_t>(dice() % static_cast<std::size_t>(most + 1));
  };
  Solver solver;
  int can = 0, cannot = 0, smaller = 0;
  for (int i = 0; i < 300; ++i) {
    nodes::Question q;
    const std::int64_t unit = 2 + upto(5);
    q.node = {unit * (2 + upto(6)) + upto(unit - 1), 10};
    q.replica = {unit * (1 + upto(3)), 1};
    nodes::PodKind serving{true, {unit * (1 + upto(2)), 1}, {false, false}, {}, upto(2), upto(2), {}};
    serving.counted = serving.each;
    q.kinds = {serving, {false, {unit * (1 + upto(3)), 1}, {upto(3) == 0, false}, {}, 0, 0, {}}};
    q.kinds[1].at_most = {upto(40), upto(6)};
    q.batch = {upto(40), upto(9)};
    q.together = {upto(60) - 5, upto(9)};
    const auto fillings = nodes::fillings(q);
    REQUIRE(fillings);
    const nodes::Question units = in_largest_units(q, *fillings);
    smaller += units.node[0] < q.node[0] ? 1 : 0;
    INFO("question " << i);
    CHECK(solver.check(fillings_formula("test/fillings", units, *fillings)).kind == Answer::Kind::Unsat);
    const std::int64_t wanted = 1 + upto(2);
    const auto kind = solver.check(closed_formula("test/closed", q, *fillings, wanted)).kind;
    CHECK(solver.check(closed_formula("test/closed", units, *fillings, wanted)).kind == kind);
    (kind == Answer::Kind::Sat ? can : cannot)++;
  }
  CHECK(smaller > 150);
  CHECK(can > 40);
  CHECK(cannot > 40);
}
