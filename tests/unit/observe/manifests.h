// Manifests to start tests from: the smallest object of each kind, and what observe says about an edited one.
#pragma once

#include <string>
#include <vector>

#include "checker/observe/observe.h"
#include "tests/support/catch.h"

namespace gpol::manifests {

inline const std::string kFlavor =
    "apiVersion: kueue.x-k8s.io/v1beta2\n"
    "kind: ResourceFlavor\n"
    "metadata:\n  name: shared\n"
    "spec:\n  nodeLabels:\n    pool: shared\n";

inline const std::string kQueue =
    "apiVersion: kueue.x-k8s.io/v1beta2\n"
    "kind: ClusterQueue\n"
    "metadata:\n  name: search\n"
    "spec:\n"
    "  cohortName: west\n"
    "  resourceGroups:\n"
    "  - coveredResources: [cpu, nvidia.com/gpu]\n"
    "    flavors:\n"
    "    - name: shared\n"
    "      resources:\n"
    "      - name: cpu\n"
    "        nominalQuota: 1500m\n"
    "      - name: nvidia.com/gpu\n"
    "        nominalQuota: 8\n"
    "        borrowingLimit: 0\n"
    "        lendingLimit: \"4\"\n";

inline const std::string kLocalQueue =
    "apiVersion: kueue.x-k8s.io/v1beta2\n"
    "kind: LocalQueue\n"
    "metadata:\n  name: search\n  namespace: search-prod\n"
    "spec:\n  clusterQueue: search\n";

inline const std::string kBaseKustomization =
    "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
    "resources:\n- flavor.yaml\n- queue.yaml\n";

inline const std::string kNightKustomization =
    "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
    "resources:\n- ../../base\n"
    "patches:\n"
    "- target:\n    group: kueue.x-k8s.io\n    version: v1beta2\n    kind: ClusterQueue\n    name: search\n"
    "  patch: |\n";

inline std::string limit_path(const std::string& field, int resource = 1) {
  return "/spec/resourceGroups/0/flavors/0/resources/" + std::to_string(resource) + "/" + field;
}

// The overlay with a patch of this one operation, "{op: replace, path: ..., value: 8}".
inline std::string night(const std::string& operation) { return kNightKustomization + "    - " + operation + "\n"; }

inline const std::string kNightPatch = "{op: replace, path: " + limit_path("borrowingLimit") + ", value: \"8\"}";

inline std::vector<YamlFile> layout() {
  return {{"kustomization.yaml",
           "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
           "metadata:\n  annotations:\n    gpol.dev/revision: x\nresources:\n- base\n"},
          {"base/kustomization.yaml", kBaseKustomization},
          {"base/flavor.yaml", kFlavor},
          {"base/queue.yaml", kQueue},
          {"overlays/day/kustomization.yaml",
           "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n- ../../base\n"},
          {"overlays/night/kustomization.yaml", night(kNightPatch)},
          {"controller/controller_manager_config.yaml",
           "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\nmanageJobsWithoutQueueName: true\n"}};
}

inline Observed observe_text(const std::string& text) {
  const std::vector<YamlFile> files{{"in.yaml", text}};
  return observe(files);
}

// The text with `from`, which must be there once, replaced.
inline std::string edited(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  REQUIRE(text.find(from, at + 1) == std::string::npos);
  return text.replace(at, from.size(), to);
}

// Every problem as "file:line[document] field: what", one per line.
inline std::string listed(const Observed& observed) {
  std::string text;
  for (const auto& p : observed.problems)
    text += p.file + ":" + std::to_string(p.line) + "[" + std::to_string(p.document) + "] " + p.field + ": " + p.what +
            "\n";
  return text;
}

inline std::string problems_of(const std::string& text) { return listed(observe_text(text)); }

}  // namespace gpol::manifests
