// gpol verify: edits that the cluster would refuse are none. Others: tests/property/edits.cpp.
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/run_gpol.h"

using gpol::test::run_gpol;
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
