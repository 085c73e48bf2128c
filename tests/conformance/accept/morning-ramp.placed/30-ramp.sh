#!/usr/bin/env bash
# The morning with pods: finetune's Job stands on a node of shared, another node is lost, and search, a Deployment of
# replicas of eight GPUs, has both of them Running within its deadline. The twin of 10-runs.sh has none by then.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../results.sh"
. "$here/../tenant.sh"
rendered=$1 state=$CP_DIR/state
deadline=240 # `ready within 4min` of the policy
play() { tenant apply --server-side --validate=strict -f - > /dev/null; }
name="morning-ramp with pods, as gpol built it"

empty() { [ -z "$(kubectl -n search-prod get pods -l 'app!=today-search' -o name)" ]; }
within 60 empty
apply "$rendered/night.yaml"
job ml-train night "$(queue finetune batch)" "$(there shared), containers: [$(container 8)]" | play
expect "$name: 02:00 finetune borrows a node of shared" within 60 running 1 ml-train job-name=night shared
apply "$rendered/default.yaml"
apply "$rendered/business.yaml"
expect "$name: 08:00 the switch evicts nobody" for_all 3 running 1 ml-train job-name=night shared
lost=$(kubectl get nodes -l gpol.dev/gpu-pool=shared -o name | grep -v "/$(kubectl -n ml-train get pods -l job-name=night -o jsonpath='{.items[0].spec.nodeName}')$" | head -1)
kubectl delete "$lost" > /dev/null
begin=$SECONDS
workload Deployment search-prod morning "$(queue search standard)" 2 "containers: [$(container 8)]" | play
expect "$name: 09:30 both replicas of search are Running within the deadline" within $deadline running 2 search-prod app=morning shared
echo "morning-ramp: 09:30 both after $((SECONDS - begin)) s"
expect "$name: 09:31 finetune's pods are off shared" within 10 running 0 ml-train job-name=night shared
expect "$name: 09:31 it stays so" for_all 5 running 2 search-prod app=morning shared
expect "$name: 09:31 chat never moved" running 2 chat-prod app=chat live

twin="morning-ramp with pods, as teams run it"
waits() { running 0 search-prod app=today-search h100 && running 16 ml-train app=today h100 example.com/gpu; }
left=$(($(cat "$state/today-asked") + deadline - $(date +%s)))
[ "$left" -lt 5 ] && left=5
echo "morning-ramp: the twin's deadline is watched for $left s more"
expect "$twin: 09:34 both replicas of search are Pending past the deadline, finetune keeps everything" for_all $((left + 1)) waits
