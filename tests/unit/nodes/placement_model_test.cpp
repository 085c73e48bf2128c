// kube-scheduler's filters, case by case.
#include "checker/nodes/placement_model.h"
#include "tests/support/catch.h"

using namespace gpol;
using namespace gpol::nodes;

namespace {

Cluster two_pools() {
  Cluster cluster;
  cluster.resources = {"cpu", "nvidia.com/gpu", "pods"};
  cluster.flavors = {{"red", {{"pool", "red"}}, {}, {{"pool", "Equal", "red", "NoSchedule", std::nullopt}}, ""},
                     {"bare", {}, {}, {}, ""}};
  cluster.node_pools = {{"red", {{"pool", "red"}, {"zone", "a"}}, {{"pool", "red", "NoSchedule"}}},
                        {"blue", {{"pool", "blue"}}, {{"pool", "blue", "PreferNoSchedule"}}}};
  return cluster;
}

Pod pod(std::int64_t cpu, std::int64_t gpus) { return {{cpu, gpus, 0}, {}, {}}; }

}  // namespace

TEST_CASE("a toleration matches a taint as toleration.go says") {
  const Taint taint{"pool", "red", "NoSchedule"};
  CHECK(tolerates({"pool", "Equal", "red", "NoSchedule", {}}, taint));
  CHECK(tolerates({"pool", "", "red", "", {}}, taint));  // no operator: Equal; no effect: all
  CHECK(tolerates({"pool", "Exists", "", "", {}}, taint));
  CHECK(tolerates({"", "Exists", "", "", {}}, taint));  // no key: every taint
  CHECK_FALSE(tolerates({"pool", "Equal", "blue", "", {}}, taint));
  CHECK_FALSE(tolerates({"zone", "Exists", "", "", {}}, taint));
  CHECK_FALSE(tolerates({"pool", "Exists", "", "NoExecute", {}}, taint));
  CHECK_FALSE(tolerates({"pool", "Near", "red", "", {}}, taint));
}

TEST_CASE("only taints that forbid scheduling keep a pod away") {
  const std::vector<Taint> taints{{"a", "1", "PreferNoSchedule"}, {"b", "2", "NoExecute"}};
  const std::vector<Toleration> other{{"a", "Exists", "", "", {}}}, right{{"b", "Exists", "", "", {}}};
  CHECK(untolerated(taints, other) == &taints[1]);
  CHECK(untolerated(taints, right) == nullptr);
  CHECK(untolerated({}, {}) == nullptr);
}

TEST_CASE("a selector needs every pair of it") {
  CHECK(selects({}, {{"a", "1"}}));
  CHECK(selects({{"a", "1"}}, {{"a", "1"}, {"b", "2"}}));
  CHECK_FALSE(selects({{"a", "2"}}, {{"a", "1"}}));
  CHECK_FALSE(selects({{"c", "1"}}, {{"a", "1"}}));
}

TEST_CASE("admission adds labels and tolerations, and contradicting selectors never start") {
  const Cluster cluster = two_pools();
  const std::uint32_t red[] = {0}, bare[] = {1};
  auto made = admitted(cluster, red, pod(1, 1));
  REQUIRE(made);
  CHECK(made->selector.at("pool") == "red");
  CHECK(made->tolerations.size() == 1);
  Pod own = pod(1, 1);
  own.selector["pool"] = "blue";
  CHECK_FALSE(admitted(cluster, red, own));
  REQUIRE(admitted(cluster, bare, own));
  CHECK(admitted(cluster, bare, own)->selector == own.selector);
}

TEST_CASE("each filter turns a pod away") {
  const Cluster cluster = two_pools();
  PlacementModel model(cluster);
  const auto red = model.add_nodes(0, 1, {4000, 8, 2}), blue = model.add_nodes(1, 1, {4000, 8, 2});
  const std::uint32_t flavor[] = {0};
  const Pod of_red = *admitted(cluster, flavor, pod(1000, 4));
  CHECK(model.filter(red, of_red) == Filter::Fits);
  CHECK(model.filter(blue, of_red) == Filter::NodeSelector);
  CHECK(model.filter(red, pod(1000, 4)) == Filter::Taint);
  CHECK(model.filter(blue, pod(1000, 4)) == Filter::Fits);  // PreferNoSchedule only prefers
  CHECK(model.feasible(of_red) == std::vector<std::uint32_t>{red});

  CHECK(model.place(red, of_red));
  CHECK(model.filter(red, *admitted(cluster, flavor, pod(3001, 0))) == Filter::Resource);
  CHECK(model.filter(red, *admitted(cluster, flavor, pod(3000, 5))) == Filter::Resource);
  CHECK(model.place(red, *admitted(cluster, flavor, pod(3000, 4))));
  CHECK(model.filter(red, *admitted(cluster, flavor, pod(0, 0))) == Filter::Pods);  // two pods are all it takes
  model.remove(red, of_red);
  CHECK(model.place(red, of_red));
  CHECK_FALSE(model.place(red, of_red));
  model.lose(red);
  CHECK(model.filter(red, of_red) == Filter::Gone);
}

TEST_CASE("what a pod does not ask for never keeps it away") {
  const Cluster cluster = two_pools();
  PlacementModel model(cluster);
  const auto blue = model.add_nodes(1, 1, {0, 0, 1});
  CHECK(model.filter(blue, pod(0, 0)) == Filter::Fits);
  CHECK(model.filter(blue, pod(1, 0)) == Filter::Resource);
}
