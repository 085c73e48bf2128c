#!/usr/bin/env python3
"""Prints the Kueue manifests of one cohort whose queues are all alike, or of a pool of Nodes that serving and batch share.

usage: cohort.py N keep|lend BATCH     N serving queues of class A, 8 GPUs each, that lend none or all; BATCH queues beside them
       cohort.py nodes N SERVING BATCH   N Nodes of 32 GPUs; a serving and a batch queue of so many, with cpu, memory and pods
"""
import sys


def queue(name, role, quotas, lends=True):
    rows = "".join(f'\n      - name: {resource}\n        nominalQuota: {amount}' + ("" if lends else '\n        lendingLimit: 0')
                   for resource, amount in quotas)
    return f"""apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {{name: {name}, labels: {{gpol.dev/role: {role}}}}}
spec:
  cohortName: all
  namespaceSelector: {{matchLabels: {{kubernetes.io/metadata.name: {name}}}}}
  preemption: {{reclaimWithinCohort: {"Any" if role == "serving" else "Never"}}}
  resourceGroups:
  - coveredResources: [{", ".join(resource for resource, _ in quotas)}]
    flavors:
    - name: h100
      resources:{rows}
"""


def main():
    taint = "[{key: gpu, value: h100, effect: NoSchedule}]"
    documents = ["apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: h100}\n"
                 f"spec: {{nodeLabels: {{gpu: h100}}, nodeTaints: {taint}}}\n"]
    if sys.argv[1] == "nodes":
        for name, role, n in (("chat", "serving", sys.argv[3]), ("train", "batch", sys.argv[4])):
            quotas = [("cpu", n), ("memory", n + "Gi"), ("nvidia.com/gpu", n), ("pods", n)]
            documents.append(queue(name, role, quotas, lends=False))
        for i in range(int(sys.argv[2])):
            documents.append(f"apiVersion: v1\nkind: Node\nmetadata: {{name: n{i}, labels: {{gpu: h100}}}}\nspec: {{taints: {taint}}}\n"
                             'status: {allocatable: {cpu: "128", memory: 1000Gi, nvidia.com/gpu: "32", pods: "110"}}\n')
    else:
        for i in range(int(sys.argv[1])):
            documents.append(queue(f"q{i:05d}", "serving", [("nvidia.com/gpu", 8)], sys.argv[2] == "lend"))
        documents += [queue(f"b{i:05d}", "batch", [("nvidia.com/gpu", 8)]) for i in range(int(sys.argv[3]))]
    print("---\n".join(documents), end="")


main()
