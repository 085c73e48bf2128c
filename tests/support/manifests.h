// Manifests for tests, as text.
#pragma once

#include <string>

namespace gpol::test {

// A ClusterQueue of cohort `all` that lets in the namespace of its own name, with one flavor, h100, of GPUs. In: its
// quota, as in "nominalQuota: 8, lendingLimit: 0", and further fields of its spec, each a line. Ends in `---`.
inline std::string cluster_queue(const std::string& name, const std::string& quota, const std::string& more = "") {
  return "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: " + name +
         "}\nspec:\n  cohortName: all\n  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: " + name +
         "}}\n" + more +
         "  resourceGroups:\n  - coveredResources: [nvidia.com/gpu]\n    flavors:\n    - name: h100\n      resources:\n"
         "      - {name: nvidia.com/gpu, " +
         quota + "}\n---\n";
}

}  // namespace gpol::test
