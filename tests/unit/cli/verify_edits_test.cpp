// gpol verify: edits that the cluster would refuse are none. Others: tests/property/edits.cpp.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/manifests.h"
#include "tests/support/run_gpol.h"

using namespace gpol::test;
using nlohmann::json;

namespace {

// q2 has lent what it owns to a tree in which somebody is on Hold, and has a preference.
constexpr const char* kQueues = R"(
apiVersion: config.kueue.x-k8s.io/v1beta2
fairSharing: {}
kind: Configuration
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Cohort
metadata:
  name: root
spec:
  resourceGroups:
  - coveredResources:
    - nvidia.com/gpu
    flavors:
    - name: f2
      resources:
      - name: nvidia.com/gpu
        nominalQuota: 6
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Cohort
metadata:
  name: c12
spec:
  fairSharing:
    weight: 500m
  parentName: root
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: ClusterQueue
metadata:
  name: q1
spec:
  cohort: c12
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata:
  labels:
    gpol.dev/role: serving
  name: q2
spec:
  cohortName: c25
  flavorFungibility:
    preference: PreemptionOverBorrowing
    whenCanBorrow: TryNextFlavor
  namespaceSelector: {}
  resourceGroups:
  - coveredResources:
    - nvidia.com/gpu
    flavors:
    - name: f2
      resources:
      - name: nvidia.com/gpu
        nominalQuota: 3
    - name: f1
      resources:
      - name: nvidia.com/gpu
        nominalQuota: 1
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata:
  labels:
    gpol.dev/role: serving
  name: q0
spec:
  cohortName: c12
  namespaceSelector: {}
  resourceGroups:
  - coveredResources:
    - nvidia.com/gpu
    flavors:
    - name: f2
      resources:
      - lendingLimit: 0
        name: nvidia.com/gpu
        nominalQuota: 1
    - name: f1
      resources:
      - lendingLimit: 0
        name: nvidia.com/gpu
        nominalQuota: 6
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Cohort
metadata:
  name: c25
spec:
  parentName: c12
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata:
  name: q5
spec:
  cohortName: c11
  resourceGroups:
  - coveredResources:
    - nvidia.com/gpu
    flavors:
    - name: f2
      resources:
      - name: nvidia.com/gpu
        nominalQuota: 4
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: ClusterQueue
metadata:
  labels:
    gpol.dev/role: batch
  name: q3
spec:
  cohort: c11
  preemption:
    reclaimWithinCohort: Any
  resourceGroups:
  - coveredResources:
    - nvidia.com/gpu
    flavors:
    - name: f2
      resources:
      - name: nvidia.com/gpu
        nominalQuota: 3
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata:
  labels:
    gpol.dev/role: batch
  name: q4
spec:
  cohortName: root
  resourceGroups:
  - coveredResources:
    - nvidia.com/gpu
    flavors:
    - name: f1
      resources:
      - name: nvidia.com/gpu
        nominalQuota: 1
    - name: f2
      resources:
      - borrowingLimit: 0
        name: nvidia.com/gpu
        nominalQuota: 6
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Cohort
metadata:
  name: c11
spec:
  parentName: root
  resourceGroups:
  - coveredResources:
    - nvidia.com/gpu
    flavors:
    - name: f2
      resources:
      - name: nvidia.com/gpu
        nominalQuota: 4
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Cohort
metadata:
  name: c24
spec:
  parentName: c11
  resourceGroups:
  - coveredResources:
    - nvidia.com/gpu
    flavors:
    - name: f2
      resources:
      - name: nvidia.com/gpu
        nominalQuota: 1
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata:
  name: q6
spec:
  cohortName: c11
  resourceGroups:
  - coveredResources:
    - nvidia.com/gpu
    flavors:
    - name: f2
      resources:
      - name: nvidia.com/gpu
        nominalQuota: 4
  stopPolicy: Hold
)";

}  // namespace

// cel:preference-needs-next-flavor
TEST_CASE("verify: no edit takes TryNextFlavor away from under a preference", "[slow]") {
  const json report =
      json::parse(run_gpol({"verify", "-", "--bounded", "q1,q3,q4,q5,q6", "--format", "json"}, kQueues).out);
  bool mended = false;
  for (const json& o : report["obligations"]) {
    if (o["subject"]["name"] != "q2" || o["fix"].is_null()) continue;
    for (const json& edit : o["fix"]["edits"]) {
      mended = true;
      if (edit["location"]["document"] != 4) continue;  // of another queue, which has no preference
      CHECK(edit["location"]["field"].get<std::string>().find("flavorFungibility") == std::string::npos);
    }
  }
  CHECK(mended);
}

TEST_CASE("verify --fix: writes what was tried, keeps the loan, and leaves to people what ends it") {
  const Scratch dir;
  const std::string classes =
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: WorkloadPriorityClass\nmetadata: {name: high}\nvalue: 100\n---\n"
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: WorkloadPriorityClass\nmetadata: {name: low}\nvalue: 1\n";
  // Of two resources, so that what is evicted for one may only need the other.
  const auto two = [](const std::string& name, int gpus) {
    std::string text = cluster_queue(name, "nominalQuota: " + std::to_string(gpus));
    text.replace(text.find("[nvidia.com/gpu]"), 16, "[cpu, nvidia.com/gpu]");
    return text.replace(text.find("      - {name: nvidia"), 0, "      - {name: cpu, nominalQuota: 64}\n");
  };
  const auto queues = [&](const std::string& more) { return two("chat", 8) + two("train", 4) + two("tune", 4) + more; };
  const auto fix = [&](const char* serving) {
    return run_gpol({"verify", dir.path().string(), "--serving", serving, "--fix"});
  };
  const auto text = [&] { return read_text((dir / "queues.yaml").string()); };
  // Class A: nobody may hold it.
  write_text(dir / "queues.yaml", queues(""));
  const auto claimed = fix("chat");
  CHECK(claimed.code == 0);
  CHECK(claimed.out.find("SAFE  others can hold none of the 8 GPUs") == 0);
  CHECK(claimed.out.find("wrote `") != std::string::npos);
  CHECK(text().find("lendingLimit: 0") != std::string::npos);
  const std::string once = text();
  CHECK(fix("chat").code == 0);
  CHECK(text() == once);
  // Class B beside two queues of batch: labels keep the loan.
  write_text(dir / "queues.yaml", queues(classes));
  const auto back = fix("chat=B");
  CHECK(back.code == 0);
  CHECK(text().find("gpol.dev/role: serving") != std::string::npos);
  CHECK(text().find("reclaimWithinCohort: Any") != std::string::npos);
  CHECK(text().find("lendingLimit") == std::string::npos);
  // Without classes only the end of the loan would do.
  write_text(dir / "queues.yaml", queues(""));
  const auto left = fix("chat=B");
  CHECK(left.code == 1);
  CHECK(left.out.find("not written, as it ends the loan of class B") != std::string::npos);
  CHECK(text() == queues(""));
  CHECK(run_gpol({"verify", "-", "--fix"}, queues("")).code == 2);
  // Where a document cannot be read, figures are told and nothing is written.
  const std::string broken = queues("") + "---\nkind: {\n";
  write_text(dir / "queues.yaml", broken);
  const auto refused = fix("chat");
  CHECK(refused.code == 1);
  CHECK(refused.out.find("figures are of what could be read") != std::string::npos);
  CHECK(refused.out.find("wrote `") == std::string::npos);
  CHECK(text() == broken);
  // A mistake in another folder stands in no edit's way.
  write_text(dir / "queues.yaml", "");
  write_text(dir / "one/queues.yaml", queues(""));
  write_text(dir / "other/queues.yaml",
             cluster_queue("chat", "nominalQuota: 2") + cluster_queue("chat", "nominalQuota: 4"));
  CHECK(fix("chat").out.find("wrote `") != std::string::npos);
  CHECK(read_text((dir / "one/queues.yaml").string()).find("lendingLimit: 0") != std::string::npos);
  std::filesystem::remove_all(dir / "one"), std::filesystem::remove_all(dir / "other");
  // What kustomize builds is written where people say it, and its cost is told all the same.
  write_text(dir / "queues.yaml", queues(""));
  write_text(dir / "kustomization.yaml", "resources: [queues.yaml]\n");
  CHECK(run_gpol({"verify", dir.path().string(), "--serving", "chat"}).out.find("[tried; others lose the loan of 8 ") !=
        std::string::npos);
  const auto built = fix("chat");
  CHECK(built.code == 1);
  CHECK(built.out.find("kustomize builds the object") != std::string::npos);
  CHECK(text() == queues(""));
}
