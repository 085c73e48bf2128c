#!/usr/bin/env bash
# Pods that never got a node, and pods that have ended: the API server deletes them with a grace of 0, whatever their
# controller says, and shows that to policies. Refused, a suspended Job would keep its pod and Kueue its quota, and whom
# the quota belongs to would wait for ever.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../results.sh"
. "$here/../tenant.sh"
rendered=$1
deadline=240 # `ready within 4min` of the policy
play() { tenant apply --server-side --validate=strict -f - > /dev/null; }
name="morning-ramp, pods without a node"
none() { [ -z "$(kubectl -n "$1" get pods -l "$2" -o name)" ]; }
apply "$rendered/night.yaml"

job ml-train lost "$(queue finetune batch)" "nodeSelector: {gpol.dev/gpu-pool: shared, kubernetes.io/hostname: nowhere}, containers: [$(container 8)]" | play
unbound() { kubectl -n ml-train get pods -l job-name=lost -o jsonpath='{.items[0].status.conditions[?(@.type=="PodScheduled")].reason}' | grep -qx Unschedulable; }
expect "$name: 02:00 finetune's Job holds eight GPUs, and its pod finds no node" within 60 unbound
apply "$rendered/default.yaml"
apply "$rendered/business.yaml"
workload Deployment search-prod late "$(queue search standard)" 1 "containers: [$(container 8)]" | play
begin=$SECONDS
expect "$name: 09:30 a replica of search is Running within the deadline" within $deadline running 1 search-prod app=late shared
echo "morning-ramp: after $((SECONDS - begin)) s, beside a pod that never got a node"
expect "$name: 09:30 the pod is gone" within 10 none ml-train job-name=lost
tenant -n search-prod delete deployment late --wait=false > /dev/null
tenant -n ml-train delete job lost --wait=false > /dev/null
within 60 none search-prod app=late

job ml-train done "$(queue finetune batch)" "$(there burst), containers: [$(container 2)]" | play
expect "$name: a Job runs" within 60 running 1 ml-train job-name=done burst
kubectl --as kubelet --as-group system:masters --as-group system:nodes -n ml-train patch pod "$(pod_of ml-train job-name=done)" \
  --subresource status --type merge -p '{"status":{"phase":"Succeeded"}}' > /dev/null
complete() { [ "$(kubectl -n ml-train get job done -o jsonpath='{.status.succeeded}')" = 1 ]; }
expect "$name: its pod ends" within 30 complete
tenant -n ml-train delete job done --wait=false > /dev/null
expect "$name: and leaves with it" within 30 none ml-train job-name=done
