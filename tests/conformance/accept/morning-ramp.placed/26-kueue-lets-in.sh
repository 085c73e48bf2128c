#!/usr/bin/env bash
# What Kueue itself would let start without counting it, asked for by a tenant with every right: pods of a StatefulSet
# that is being updated, whose gates it takes off though nobody admitted them, and an elastic Job that asks for GPUs only
# once it is charged for its first template. Neither runs. Nor does it give back the quota of a Job that still runs.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../results.sh"
. "$here/../tenant.sh"
rendered=$1
name="morning-ramp, what Kueue lets in"
play() { tenant apply --server-side --validate=strict -f - > /dev/null; }
none() { # none NAMESPACE SELECTOR: no pod of it runs
  [ -z "$(kubectl -n "$1" get pods -l "$2" --field-selector status.phase=Running -o name)" ]
}
apply "$rendered/night.yaml"

grab() { # grab VERSION: on chat's nodes
  workload StatefulSet search-prod grab "$(queue search standard)" 4 "$(there live), $(tolerate), containers: [$(container 8)]" |
    sed -e "s/serviceName: grab/&\n  podManagementPolicy: Parallel\n  updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 3}}/" \
      -e "s/labels: {app: grab}}/labels: {app: grab}, annotations: {version: \"$1\"}}/"
}
# Without the toleration of its own the pods are made, and Kueue takes its gates off: no node of a pool takes them.
snatch() {
  local made
  made=$(grab "$1")
  made=${made//grab/snatch}
  echo "${made/", $(tolerate)"/}"
}
if snatch 1 | grep tolerations; then exit 1; fi
both() { grab "$1"; echo ---; snatch "$1"; }
elastic=", annotations: {kueue.x-k8s.io/elastic-job: \"true\"}"
job ml-train elastic "kueue.x-k8s.io/queue-name: nowhere, kueue.x-k8s.io/priority-class: batch" \
  "$(there shared), containers: [{name: c, image: x, resources: {requests: {cpu: 1, memory: 1Gi}}}]" "$elastic" |
  sed 's/parallelism: 1, completions: 1,/parallelism: 3, completions: 100,/' | play
pipeline delete validatingadmissionpolicybinding gpol-batch-jobs-stay-as-made > /dev/null # Kueue's own ways are looked at
charge() { tenant -n ml-train patch job elastic --type json -p '[{"op":"replace","path":"/spec/template/spec/containers/0/resources",
  "value":{"requests":{"cpu":"1","memory":"1Gi","nvidia.com/gpu":"8"},"limits":{"nvidia.com/gpu":"8"}}}]' > /dev/null; }
both 1 | play
sleep 4
both 2 | play
expect "$name: pods of a StatefulSet in the middle of an update: none runs" for_all 12 none search-prod app=grab &
within 15 charge
tenant -n ml-train label job elastic --overwrite kueue.x-k8s.io/queue-name=finetune > /dev/null
made() { [ -n "$(kubectl -n search-prod get pods -l app=snatch -o name)" ]; }
expect "$name: pods of a StatefulSet that tolerate nothing: they are made" within 20 made
expect "$name: pods of a StatefulSet that tolerate nothing, in the middle of an update: none runs" for_all 12 none search-prod app=snatch &
# Three times eight GPUs are more than it may borrow.
expect "$name: a Job that was charged before it asked for GPUs: none of its pods runs" for_all 12 none ml-train job-name=elastic &
wait
tenant -n search-prod delete statefulset grab snatch > /dev/null
tenant -n ml-train delete job elastic > /dev/null
apply "$rendered/night.yaml"

# Of three pods one ends: the quota of all three stays in use, whatever the Job has still to do.
job ml-train three "$(queue finetune batch)" "$(there burst), containers: [$(container 2)]" |
  sed 's/parallelism: 1, completions: 1,/parallelism: 3, completions: 3,/' | play
expect "$name: a Job of three pods runs" within 60 running 3 ml-train job-name=three burst
kubectl --as kubelet --as-group system:masters --as-group system:nodes -n ml-train patch pod "$(pod_of ml-train job-name=three)" \
  --subresource status --type merge -p '{"status":{"phase":"Succeeded"}}' > /dev/null
ended() { [ "$(kubectl -n ml-train get job three -o jsonpath='{.status.succeeded}')" = 1 ]; }
expect "$name: one of them ends" within 30 ended
kept() { [ -z "$(kubectl -n ml-train get workloads -o jsonpath='{.items[?(@.metadata.ownerReferences[0].name=="three")].status.reclaimablePods}')" ]; }
expect "$name: none of its quota is given back" for_all 5 kept
tenant -n ml-train delete job three --wait=false > /dev/null
