#include <fmt/format.h>

#include "checker/families/codes.h"
#include "tests/support/catch.h"
#include "tests/unit/families/nodes_cluster.h"

using namespace gpol;
using namespace gpol::test;

namespace {

// Chat on `live`, train on `burst`, which is spot.
NodesCluster apart() {
  NodesCluster c;
  const auto live = c.pool("live", 2), burst = c.pool("burst", 2, 0, true);
  c.quota(c.serves("chat", 8), live, {160, 16, 16});
  c.quota(c.trains("train"), burst, {80, 8, 8});
  return c;
}

const Obligation& only(const Report& report) {
  REQUIRE(report.obligations.size() == 1);
  return report.obligations[0];
}

}  // namespace

TEST_CASE("pools with labels of their own keep pods apart") {
  const Report report = apart().run(prove_placement);
  CHECK(only(report).verdict == Verdict::Proven);
  CHECK(only(report).required);
  CHECK(report.analysed == std::vector{Family::Placement});
}

TEST_CASE("a batch flavor without labels lets its pods stand anywhere") {
  NodesCluster c = apart();
  c.cluster.flavors[1].node_labels.clear();
  const Report report = c.run(prove_placement);
  const Obligation& o = only(report);
  CHECK(o.verdict == Verdict::Refuted);
  CHECK(o.code == code::PlacementBatch);
  CHECK(o.subject.name == "train");
  CHECK(o.subject.flavor == "burst");
  CHECK(o.detail->story.size() == 1);
  CHECK(o.detail->fix);
}

TEST_CASE("a taint does not keep batch away, since any user can tolerate it") {
  NodesCluster c = apart();
  c.cluster.flavors[1].node_labels = {{"zone", "a"}};
  c.cluster.node_pools[0].labels["zone"] = "a";
  c.cluster.node_pools[1].labels["zone"] = "a";
  c.cluster.node_pools[0].taints.push_back({"keep", "out", "NoExecute"});
  const Report report = c.run(prove_placement);
  bool batch = false, serving = false;
  for (const Obligation* o : not_proven(report)) {
    batch = batch || o->code == code::PlacementBatch;
    serving = serving || o->code == code::PlacementNowhere;  // chat's flavor does not tolerate the new taint
  }
  CHECK(batch);
  CHECK(serving);
}

TEST_CASE("two flavors over the nodes of one pool overlap") {
  NodesCluster c = apart();
  c.cluster.flavors[1].node_labels = {{"pool", "live"}};
  const Report report = c.run(prove_placement);
  CHECK(only(report).code == code::PlacementBatch);
  CHECK(only(report).verdict == Verdict::Refuted);
}

TEST_CASE("a flavor of which nobody can be admitted reaches nothing") {
  NodesCluster c = apart();
  c.cluster.flavors[1].node_labels.clear();
  for (Quota& quota : c.cluster.queues[1].groups[0].flavors[0].quotas) quota = {0, 0, 0};
  CHECK(only(c.run(prove_placement)).verdict == Verdict::Proven);
}

TEST_CASE("labels that no node has: serving starts nowhere, batch is a side finding") {
  NodesCluster c = apart();
  c.cluster.flavors[0].node_labels["zone"] = "b";
  Report report = c.run(prove_placement);
  CHECK(only(report).code == code::PlacementNowhere);
  CHECK(only(report).verdict == Verdict::Refuted);
  CHECK(only(report).required);
  c = apart();
  c.cluster.flavors[1].node_labels["zone"] = "b";
  report = c.run(prove_placement);
  REQUIRE(report.obligations.size() == 2);
  CHECK(report.obligations[0].verdict == Verdict::Refuted);
  CHECK_FALSE(report.obligations[0].required);
  CHECK(report.obligations[1].verdict == Verdict::Proven);
}

TEST_CASE("serving falls back to spot where its queue has a second flavor") {
  NodesCluster c = apart();
  c.quota(0, 1, {80, 8, 8});
  Report report = c.run(prove_placement);
  bool spot = false;
  for (const Obligation* o : not_proven(report)) {
    CHECK(o->verdict == Verdict::Refuted);
    if (o->code != code::PlacementServing) continue;
    spot = true;
    CHECK(o->subject.name == "chat");
    CHECK(o->subject.flavor == "burst");
    CHECK(o->detail->story.size() == 4);  // replicas fill `live` first
  }
  CHECK(spot);
}

TEST_CASE("each that serves from spot is told how its node goes, in a queue and outside of it") {
  NodesCluster c;
  const auto burst = c.pool("burst", 2, 0, true);
  c.intent.capacities[0].notice = 120'000;
  c.quota(c.serves("chat", 8), burst, {80, 8, 1});
  c.quota(c.serves("maps", 0), burst, {40, 4, 1});
  OutsideReserve site;
  site.tenant = "site";
  site.flavor = burst;
  site.reserve = {40, 4, 1};
  c.intent.outside.push_back(site);
  const Report report = c.run(prove_placement);
  REQUIRE(report.obligations.size() == 3);
  const char* const names[] = {"chat", "maps", "site"};
  for (std::size_t i = 0; i < 3; ++i) {
    const Obligation& o = report.obligations[i];
    CHECK(o.verdict == Verdict::Refuted);
    CHECK(o.code == code::PlacementServing);
    CHECK(o.subject.name == names[i]);
    CHECK(o.subject.flavor == "burst");
    CHECK(o.detail->message ==
          fmt::format("`{}` serves from `burst`, whose nodes can all be taken away, 2min after a notice", names[i]));
    REQUIRE(o.detail->story.size() == 3);
    CHECK(o.detail->story[1].does ==
          "takes all spot nodes of `burst` back, 2min after its notice; the pod is gone with its node");
    CHECK(o.detail->fix->text == "reserve on a pool whose nodes are not spot");
  }
  CHECK(report.obligations[0].detail->story[2].does ==
        "asks for 1 pod of 8 GPUs, 0.08 cpu again and is admitted with `burst`, since its quota is free; there is no "
        "node of `burst`: it waits until the provider has one");
  CHECK(report.obligations[2].detail->story[0].does == "starts 1 pod of 1 GPU; it stands on a spot node of `burst`");
}

TEST_CASE("class C on spot is promised nothing") {
  NodesCluster c;
  const auto burst = c.pool("burst", 2, 0, true);
  OutsideReserve site;
  site.tenant = "site";
  site.isolation = Isolation::C;
  site.flavor = burst;
  site.reserve = {40, 4, 1};
  c.intent.outside.push_back(site);
  c.quota(c.trains("train"), burst, {80, 8, 8});
  CHECK(only(c.run(prove_placement)).verdict == Verdict::Proven);
}

TEST_CASE("serving on nodes of another flavor") {
  NodesCluster c = apart();
  c.intent.capacities[1].spot = false;
  c.cluster.flavors[0].node_labels = {{"zone", "a"}};
  for (NodePool& pool : c.cluster.node_pools) pool.labels["zone"] = "a";
  const Report report = c.run(prove_placement);
  CHECK(only(report).code == code::PlacementServing);
  // Chat's flavor does not tolerate the taint of `burst`, so that no pod of it was found there.
  CHECK(only(report).verdict == Verdict::Undecided);
  c.cluster.node_pools[1].taints.clear();
  CHECK(only(c.run(prove_placement)).verdict == Verdict::Refuted);
}

TEST_CASE("a pod that asks for nothing is given no flavor unless its queue counts pods") {
  NodesCluster c = apart();
  c.cluster.queues[1].groups[0].covered = {0, 1};
  for (auto& row : c.cluster.queues[1].groups[0].flavors) row.quotas.resize(2);
  const Report report = c.run(prove_placement);
  CHECK(only(report).code == code::PlacementBatch);
  CHECK(only(report).verdict == Verdict::Refuted);
  CHECK(only(report).subject.flavor.empty());
}

TEST_CASE("a toleration without a key tolerates every taint") {
  NodesCluster c = apart();
  c.cluster.flavors[0].tolerations.clear();
  CHECK(only(c.run(prove_placement)).code == code::PlacementNowhere);
  c.cluster.flavors[0].tolerations = {{"", "Exists", "", "", std::nullopt}};
  CHECK(only(c.run(prove_placement)).verdict == Verdict::Proven);
}
