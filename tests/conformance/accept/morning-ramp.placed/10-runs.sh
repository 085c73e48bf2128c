#!/usr/bin/env bash
# What is queued correctly runs, on the nodes of its pool, under all guards: a Deployment, a StatefulSet, Jobs, a CronJob.
# The twin (../unsafe-today.yaml, on nodes of its own) is begun here: its morning is watched for the deadline's four minutes
# while everything else is played; 30-ramp.sh looks at its end.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../results.sh"
. "$here/../nodes.sh"
. "$here/../tenant.sh"
rendered=$1 state=$CP_DIR/state
mkdir -p "$state"
play() { tenant apply --server-side --validate=strict -f - > /dev/null; }

twin="morning-ramp with pods, as teams run it"
for i in 0 1 2 3; do fake_node "today-$i" 184 1984Gi 100 8 | sed 's/^metadata: {/&labels: {example.com\/gpu: h100}, /'; done |
  kubectl create -f - > /dev/null
apply "$here/../unsafe-today.yaml"
for i in {0..15}; do
  echo ---
  job ml-train "today-$i" "$(queue today-finetune batch)" "containers: [$(container 2)]" | sed 's/template: {/&metadata: {labels: {app: today}}, /'
done | play
expect "$twin: 02:00 finetune's pods hold all 32 GPUs" within 60 running 16 ml-train app=today h100 example.com/gpu
workload Deployment search-prod today-search "kueue.x-k8s.io/queue-name: today-search" 2 "containers: [$(container 8)]" | play
date +%s > "$state/today-asked"
expect "$twin: 09:30 search asks for two pods of 8 GPUs" within 60 phase search-prod "$(sleep 3; pod_of search-prod app=today-search)" Pending

name="morning-ramp with pods, as gpol built it"
apply "$rendered/night.yaml"
workload Deployment chat-prod chat "$(queue chat realtime)" 2 "containers: [$(container 8)]" | play
workload StatefulSet search-prod search "$(queue search standard)" 1 "containers: [$(container 8)]" | play
job ml-train train "$(queue finetune batch)" "$(there shared), containers: [$(container 8)]" | play
job ml-train sweep "$(queue finetune batch)" "$(there burst), containers: [$(container 2)]" | sed 's/parallelism: 1, completions: 1/parallelism: 3, completions: 9/' | play
play << END
apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly, namespace: ml-train}
spec:
  schedule: "0 0 1 1 *"
  jobTemplate:
    metadata: {labels: {$(queue finetune batch)}}
    spec: {template: {spec: {restartPolicy: Never, $(there burst), containers: [$(container 2)]}}}
END
tenant -n ml-train create job --from cronjob/nightly nightly-1 > /dev/null
expect "$name: chat's Deployment runs on live" within 60 running 2 chat-prod app=chat live
expect "$name: search's StatefulSet runs on shared" within 60 running 1 search-prod app=search shared
expect "$name: finetune's Job of 8 GPUs runs on shared" within 60 running 1 ml-train job-name=train shared
expect "$name: finetune's Job of small pods runs on burst" within 60 running 3 ml-train job-name=sweep burst
expect "$name: a CronJob's Job runs on burst" within 60 running 1 ml-train job-name=nightly-1 burst
tenant -n ml-train delete cronjob,job nightly nightly-1 --ignore-not-found > /dev/null 2>&1 || true
