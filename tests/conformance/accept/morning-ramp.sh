#!/usr/bin/env bash
# morning-ramp.sh RENDERED: plays the night and the morning of examples/morning-ramp on the real Kueue, first with what
# gpol emitted, then with unsafe-today.yaml and unsafe-sibling.yaml, and demands that serving gets its GPUs in the first and
# starves in the others.
# Jobs only, and no nodes yet: pods, if anybody makes them, are pending, but quota, admission, preemption and conditions are
# real. What it makes is gone when it ends, but for one binding, which the caller's next overlay brings back.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/results.sh"
rendered=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

applied() { kubectl apply --as "$PIPELINE" --server-side --validate=strict -f "$1" > /dev/null; }
switch() { applied "$rendered/$1.yaml"; }
declare -A class=([chat-prod]=realtime [search-prod]=standard [ml-train]=batch)

# asks QUEUE NAMESPACE FLAVOR GPUS CPU MEMORY NAME...: one Job of one pod per NAME, for nodes of FLAVOR alone
asks() {
  local queue=$1 namespace=$2 flavor=$3 gpus=$4 cpu=$5 memory=$6 name labels
  shift 6
  labels=$(kubectl get resourceflavor "$flavor" -o jsonpath='{.spec.nodeLabels}')
  for name in "$@"; do
    cat << END
---
apiVersion: batch/v1
kind: Job
metadata:
  name: $name
  namespace: $namespace
  labels: {kueue.x-k8s.io/queue-name: $queue, kueue.x-k8s.io/priority-class: "${class[$namespace]}"}
spec:
  suspend: true
  parallelism: 1
  completions: 1
  template:
    spec:
      restartPolicy: Never
      nodeSelector: $labels
      containers:
      - name: c
        image: example.invalid/x
        resources: {requests: {cpu: "$cpu", memory: $memory}, limits: {nvidia.com/gpu: "$gpus"}}
END
  done > "$work/jobs.yaml"
  kubectl apply --server-side --validate=strict -f "$work/jobs.yaml" > /dev/null
}

# having CONDITION NAMESPACE QUEUE: how many workloads of the queue have the condition true
having() {
  kubectl -n "$2" get workloads -o jsonpath='{range .items[?(@.spec.queueName=="'"$3"'")]}{.status.conditions[?(@.type=="'"$1"'")].status}{"\n"}{end}' |
    grep -c '^True$' || true
}
soon() { # soon COUNT CONDITION NAMESPACE QUEUE: within 20 s
  local end=$((SECONDS + 20))
  until [ "$(having "$2" "$3" "$4")" = "$1" ]; do
    [ $SECONDS -lt $end ] || { kubectl get workloads -A -o yaml; return 1; }
    sleep 0.3
  done
}
stays() { # stays SECONDS COUNT CONDITION NAMESPACE QUEUE: at every look
  local end=$((SECONDS + $1))
  while [ $SECONDS -lt $end ]; do
    [ "$(having "$3" "$4" "$5")" = "$2" ] || { kubectl get workloads -A; return 1; }
    sleep 0.3
  done
}
workloads() { # workloads COUNT NAMESPACE QUEUE: Kueue has made so many Workloads, so a missing admission is its decision
  local end=$((SECONDS + 20))
  until [ "$(kubectl -n "$2" get workloads -o jsonpath='{range .items[?(@.spec.queueName=="'"$3"'")]}x{"\n"}{end}' | grep -c x)" = "$1" ]; do
    [ $SECONDS -lt $end ] || { kubectl get workloads -A; return 1; }
    sleep 0.3
  done
}
why() { kubectl -n "$1" get workloads -o jsonpath='{range .items[?(@.spec.queueName=="'"$2"'")]}{range .status.conditions[*]}{.type}={.status}({.reason}) {end}{"\n"}{end}'; }
preempted_by_reclaim() { # of finetune, how many
  [ "$(why ml-train finetune | grep -c 'Preempted=True(InCohortReclamation)')" = "$1" ] || { why ml-train finetune; return 1; }
}

safe="morning-ramp, as gpol built it"
switch default
asks finetune ml-train shared 8 16 128Gi train-0
expect "$safe: 21:59 finetune's Job on shared exists" workloads 1 ml-train finetune
expect "$safe: 21:59 it waits" stays 5 0 Admitted ml-train finetune
switch night
expect "$safe: 22:00 it is admitted" soon 1 Admitted ml-train finetune
asks finetune ml-train shared 8 16 128Gi train-1
expect "$safe: 02:00 finetune asks for 8 more" workloads 2 ml-train finetune
expect "$safe: 02:00 it borrows 8 GPUs of search and not 16" stays 5 1 Admitted ml-train finetune
switch default
switch business
expect "$safe: 08:00 the switch evicts nobody" stays 3 1 Admitted ml-train finetune
asks chat chat-prod live 8 16 128Gi chat-0 chat-1
expect "$safe: 09:30 chat's reserve is admitted" soon 2 Admitted chat-prod chat
expect "$safe: 09:30 and nobody was evicted for it" stays 2 0 Evicted ml-train finetune
asks search search-prod shared 8 128 960Gi search-0 search-1
expect "$safe: 09:30 search's whole reserve is admitted" soon 2 Admitted search-prod search
expect "$safe: 09:30 finetune was evicted from all it borrowed" soon 0 Admitted ml-train finetune
expect "$safe: 09:30 by reclaim, once" preempted_by_reclaim 1
expect "$safe: 09:31 it stays so" stays 5 2 Admitted search-prod search &
expect "$safe: 09:31 chat was never evicted" stays 5 2 Admitted chat-prod chat &
wait

# In the twins nobody thought of priorities: all have that of batch, which a guard demands of ml-train's Jobs, and which
# another one keeps serving from.
kubectl --as "$PIPELINE" delete validatingadmissionpolicybinding gpol-serving-above-batch > /dev/null
sleep 2 # the server forgets it
class[chat-prod]=batch class[search-prod]=batch
twin="morning-ramp, as teams run it"
applied "$here/unsafe-today.yaml"
expect "$twin: all ClusterQueues are Active" kubectl wait --for condition=Active clusterqueues --all --timeout=60s
jobs=()
for i in {0..15}; do jobs+=("today-train-$i"); done
asks today-finetune ml-train today 2 4 32Gi "${jobs[@]}"
expect "$twin: 02:00 finetune holds all 32 GPUs" soon 16 Admitted ml-train today-finetune
asks today-chat chat-prod today 8 16 128Gi today-chat-0 today-chat-1
asks today-search search-prod today 8 128 960Gi today-search-0 today-search-1
expect "$twin: 09:30 chat asks" workloads 2 chat-prod today-chat
expect "$twin: 09:30 search asks" workloads 2 search-prod today-search
# Looked at while the next twin is played, which has nodes, queues and a cohort of its own.
expect "$twin: 09:30 search waits" stays 15 0 Admitted search-prod today-search &
expect "$twin: 09:30 chat waits" stays 15 0 Admitted chat-prod today-chat &
expect "$twin: 09:30 finetune keeps everything" stays 15 16 Admitted ml-train today-finetune &

twin="morning-ramp, beside a strict sibling"
applied "$here/unsafe-sibling.yaml"
expect "$twin: all ClusterQueues are Active" kubectl wait --for condition=Active clusterqueues --all --timeout=60s
asks sibling-finetune ml-train sibling 8 16 128Gi sibling-train-0 sibling-train-1
expect "$twin: 02:00 finetune holds all 16 GPUs" soon 2 Admitted ml-train sibling-finetune
asks sibling-sweeps ml-train sibling 8 16 128Gi sibling-sweep
expect "$twin: 06:10 sweeps asks for the 8 that it lent" workloads 1 ml-train sibling-sweeps
expect "$twin: 06:10 it may evict nobody" stays 3 0 Admitted ml-train sibling-sweeps
asks sibling-search search-prod sibling 8 128 960Gi sibling-search-0
expect "$twin: 09:30 search asks" workloads 1 search-prod sibling-search
expect "$twin: 09:30 search waits, though it may reclaim" stays 15 0 Admitted search-prod sibling-search &
expect "$twin: 09:30 finetune keeps everything" stays 15 2 Admitted ml-train sibling-finetune &
wait
kubectl --as "$PIPELINE" patch clusterqueue sibling-sweeps --type merge -p '{"spec":{"preemption":{"reclaimWithinCohort":"Any"}}}' > /dev/null
expect "$twin: with reclaim on for the sibling search is admitted" soon 1 Admitted search-prod sibling-search

for namespace in "${!class[@]}"; do kubectl -n "$namespace" delete jobs --all --wait=false > /dev/null; done
left() { # of the Jobs, their Workloads and pods
  for namespace in "${!class[@]}"; do kubectl -n "$namespace" get jobs,workloads,pods -o name; done
}
end=$((SECONDS + 60))
until [ -z "$(left)" ]; do
  [ $SECONDS -lt $end ] || { fail "morning-ramp: Jobs are left over"; left; break; }
  sleep 0.3
done
kubectl --as "$PIPELINE" delete -f "$here/unsafe-today.yaml" -f "$here/unsafe-sibling.yaml" --timeout=60s > /dev/null
