#!/usr/bin/env python3
"""Writes the Kueue manifests of N teams, one file each, and schemas for kubeconform from Kueue's CRDs.

usage: manifests.py DIR N                team-00000.yaml ...: ClusterQueue (4 flavors x 3 resources), LocalQueue, WorkloadPriorityClass
       manifests.py --schemas CRDS DIR   clusterqueue_v1beta2.json ... (needs python3-yaml)

Three teams of ten serve; ten teams share a cohort, all cohorts hang under `root`. No randomness beyond a fixed congruence.
"""
import json
import os
import sys

FLAVORS = ["h100-reserved", "h100-spot", "a100-reserved", "l40s-mig"]


def pick(i, k, lo, hi):
    x = (i * 1103515245 + k * 12345 + 777) & 0x7FFFFFFF
    x = (x * 1103515245 + 12345) & 0x7FFFFFFF
    return lo + (x >> 8) % (hi - lo + 1)


def team(i):
    name, serving = f"team-{i:05d}", i % 10 < 3
    role = "serving" if serving else "batch"
    lines = ["apiVersion: kueue.x-k8s.io/v1beta2", "kind: ClusterQueue", "metadata:", f"  name: {name}", "  labels:",
             f"    gpol.dev/role: {role}", "spec:", f"  cohortName: cohort-{i // 10:04d}", "  queueingStrategy: BestEffortFIFO",
             "  namespaceSelector:", "    matchLabels:", f"      kubernetes.io/metadata.name: {name}", "  preemption:",
             f"    reclaimWithinCohort: {'Any' if serving else 'LowerPriority'}", "    withinClusterQueue: LowerPriority",
             "    borrowWithinCohort:", "      policy: Never", "  resourceGroups:",
             "  - coveredResources:", "    - cpu", "    - memory", "    - nvidia.com/gpu", "    flavors:"]
    for k, flavor in enumerate(FLAVORS):
        own, borrow, lend = pick(i, k, 4, 9), 0 if serving else pick(i, k + 10, 1, 4), 0 if serving else pick(i, k + 20, 1, 3)
        lines += [f"    - name: {flavor}", "      resources:"]
        for resource, times, unit in (("cpu", 16, ""), ("memory", 128, "Gi"), ("nvidia.com/gpu", 1, "")):
            lines += [f"      - name: {resource}", f'        nominalQuota: "{own * times}{unit}"',
                      f'        borrowingLimit: "{borrow * times}{unit}"', f'        lendingLimit: "{lend * times}{unit}"']
    lines += ["---", "apiVersion: kueue.x-k8s.io/v1beta2", "kind: LocalQueue", "metadata:", "  name: main", f"  namespace: {name}",
              "spec:", f"  clusterQueue: {name}"]
    lines += ["---", "apiVersion: kueue.x-k8s.io/v1beta2", "kind: WorkloadPriorityClass", "metadata:", f"  name: {name}-default",
              f"value: {(10000 if serving else 100) + i % 7}", f"description: default priority of {name} ({role})"]
    return "\n".join(lines + [""])


def strict(schema):
    if isinstance(schema, list):
        return [strict(s) for s in schema]
    if not isinstance(schema, dict):
        return schema
    out = {k: strict(v) for k, v in schema.items()}
    if out.get("x-kubernetes-int-or-string"):
        out.pop("anyOf", None)
        out["type"] = ["integer", "string"]
    if "properties" in out and not out.get("x-kubernetes-preserve-unknown-fields"):
        out.setdefault("additionalProperties", False)
    return out


def schemas(crds, folder):
    import yaml
    os.makedirs(folder, exist_ok=True)
    for file in sorted(os.listdir(crds)):
        if not file.startswith("kueue"):
            continue
        crd = yaml.safe_load(open(f"{crds}/{file}"))
        for version in crd["spec"]["versions"]:
            schema = strict(version["schema"]["openAPIV3Schema"])
            schema["properties"]["metadata"] = {"type": "object"}
            with open(f"{folder}/{crd['spec']['names']['kind'].lower()}_{version['name']}.json", "w") as out:
                json.dump(schema, out)


def main():
    if sys.argv[1] == "--schemas":
        return schemas(sys.argv[2], sys.argv[3])
    os.makedirs(sys.argv[1], exist_ok=True)
    for i in range(int(sys.argv[2])):
        with open(f"{sys.argv[1]}/team-{i:05d}.yaml", "w") as out:
            out.write(team(i))


main()
