// The set of files as a whole: names, order, overlays, determinism.
#include "emit/emit.h"

#include <algorithm>

#include "compiler/cluster/folders.h"
#include "emit/kustomize.h"
#include "tests/support/catch.h"
#include "tests/unit/emit/sample.h"

using namespace gpol;

TEST_CASE("the base lists its files in order of application") {
  CHECK(test::sample().file("base/kustomization.yaml") == R"(apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
sortOptions:
  order: fifo
resources:
  - namespaces.yaml
  - flavors.yaml
  - priorities.yaml
  - queues.yaml
)");
}

TEST_CASE("what is applied as it stands is the base, and it alone tells the revision") {
  CHECK(test::sample().file("kustomization.yaml") == R"(apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
metadata:
  annotations:
    gpol.dev/revision: "0123456789abcdef"
sortOptions:
  order: fifo
resources:
  - base
)");
  int told = 0;
  for (const RenderedFile& file : test::sample().files())
    told += file.bytes.find("0123456789abcdef") != std::string::npos;
  CHECK(told == 1);
}

TEST_CASE("within a file objects stand in order of application") {
  const std::string text = test::sample().file("base/queues.yaml");
  std::size_t at = 0;
  for (const std::string kind_and_name : {"Cohort org", "Cohort team", "ClusterQueue alone", "ClusterQueue search",
                                          "ClusterQueue train", "LocalQueue search", "LocalQueue train"}) {
    const std::size_t space = kind_and_name.find(' ');
    const std::size_t next = text.find(
        "kind: " + kind_and_name.substr(0, space) + "\nmetadata:\n  name: " + kind_and_name.substr(space + 1) + "\n",
        at);
    INFO(kind_and_name);
    REQUIRE(next != std::string::npos);
    at = next;
  }
}

TEST_CASE("a comment stays one, whatever a text holds") {
  CHECK(render({"x.yaml", {{yaml::Map{{"a", "b"}}, {"one\ntwo: \xE2\x80\xA8\x1b\xC2\x85", ""}}}}).bytes ==
        "# one\\x0atwo: \\xe2\\x80\\xa8\\x1b\\xc2\\x85\n#\na: b\n");
}

TEST_CASE("every file that the base lists exists, and no base file is left out") {
  const auto files = test::sample().files();
  std::string expected;
  for (const RenderedFile& file : files)
    if (file.path.starts_with("base/") && file.path != "base/kustomization.yaml")
      expected += "  - " + file.path.substr(5) + "\n";
  const std::string text = test::sample().file("base/kustomization.yaml");
  CHECK(text.substr(text.find("resources:\n") + 11) == expected);
}

TEST_CASE("every file stands in a folder that who reads it back knows") {
  for (const RenderedFile& file : test::sample().files()) {
    INFO(file.path);
    CHECK((folder_of(file.path) != nullptr || file.path == "kustomization.yaml"));
  }
  CHECK(folder_of("nodes/live.yaml")->holds == Holds::NodePatches);
  CHECK(folder_of("nodes.yaml") == nullptr);
}

TEST_CASE("each mode is an overlay, one file that replaces, adds and removes by position and leaves alone what stays") {
  CHECK(test::sample().file("overlays/day/kustomization.yaml") == R"(apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
sortOptions:
  order: fifo
resources:
  - ../../base
)");
  CHECK(test::sample().file("overlays/night/kustomization.yaml") == R"(apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
sortOptions:
  order: fifo
resources:
  - ../../base
patches:
  - target:
      group: kueue.x-k8s.io
      version: v1beta2
      kind: ClusterQueue
      name: search
    patch: |
      - op: replace
        path: /spec/resourceGroups/0/flavors/0/resources/0/nominalQuota
        value: "48"
      - op: remove
        path: /spec/resourceGroups/0/flavors/0/resources/0/lendingLimit
      - op: replace
        path: /spec/resourceGroups/0/flavors/0/resources/1/lendingLimit
        value: "8"
  - target:
      group: kueue.x-k8s.io
      version: v1beta2
      kind: ClusterQueue
      name: train
    patch: |
      - op: add
        path: /spec/resourceGroups/0/flavors/0/resources/1/borrowingLimit
        value: "64Gi"
)");
}

TEST_CASE("limits of a queue without a cohort are not patched in") {
  CHECK(test::sample().file("overlays/night/kustomization.yaml").find("name: alone") == std::string::npos);
}

TEST_CASE("a patch of a dotted name matches that name alone") {
  test::Sample sample = test::sample();
  sample.planned.cluster.queues[1].name = "se.arch";
  auto& changed = sample.planned.cluster.modes[1].changed;
  changed = {{{"se.arch", "h100", "cpu"}, {1000, 0, 0}}};
  const std::string text = sample.file("overlays/night/kustomization.yaml");
  CHECK(text.find("name: \"se\\\\.arch\"\n    patch: |\n") != std::string::npos);
}

TEST_CASE("a mode that names what is not there is a broken promise") {
  test::Sample sample = test::sample();
  sample.planned.cluster.modes[1].changed = {{{"nobody", "h100", "cpu"}, {}}};
  CHECK_THROWS_AS(sample.files(), std::logic_error);
  sample.planned.cluster.modes[1].changed = {{{"search", "spot", "cpu"}, {}}};
  CHECK_THROWS_AS(sample.files(), std::logic_error);
}

TEST_CASE("the same input gives the same bytes") {
  const auto first = test::sample().files(), second = test::sample().files();
  REQUIRE(first.size() == second.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    CHECK(first[i].path == second[i].path);
    CHECK(first[i].bytes == second[i].bytes);
  }
}

TEST_CASE("the order of the cluster's own lists does not show") {
  test::Sample turned = test::sample();
  Cluster& cluster = turned.planned.cluster;
  std::reverse(cluster.queues.begin(), cluster.queues.end());
  std::reverse(turned.planned.intent.roles.begin(), turned.planned.intent.roles.end());
  std::reverse(turned.planned.origins.queue.begin(), turned.planned.origins.queue.end());
  std::reverse(turned.planned.origins.quotas.begin(), turned.planned.origins.quotas.end());
  std::reverse(cluster.cohorts.begin(), cluster.cohorts.end());
  std::reverse(turned.planned.origins.cohort.begin(), turned.planned.origins.cohort.end());
  std::reverse(cluster.local_queues.begin(), cluster.local_queues.end());
  std::reverse(cluster.namespaces.begin(), cluster.namespaces.end());
  std::reverse(cluster.priority_classes.begin(), cluster.priority_classes.end());
  const auto first = test::sample().files(), second = turned.files();
  REQUIRE(first.size() == second.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    CHECK(first[i].path == second[i].path);
    CHECK(first[i].bytes == second[i].bytes);
  }
}

TEST_CASE("several documents are parted") {
  CHECK(render({"x.yaml", {{yaml::Map{{"a", "b"}}}, {yaml::Map{{"c", "d"}}}}}).bytes == "a: b\n---\nc: d\n");
  CHECK(render({"x.yaml", {}}).bytes.empty());
}
