#!/usr/bin/env bash
# The morning: a node of each group is lost, the coder's two replicas of eight GPUs are Running within its deadline, and the
# web site has all its pods. Without the guard on shapes training scatters small pods, and no replica finds a whole node
# although its quota is free.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../results.sh"
. "$here/../tenant.sh"
rendered=$1
deadline=360 # `ready within 6min` of the policy
play() { tenant apply --server-side --validate=strict -f - > /dev/null; }
name="three-tiers with pods"

apply "$rendered/default.yaml"
expect "$name: 08:00 the switch evicts nobody" for_all 3 running 1 research-sweeps job-name=night shared
free_of() { # a node of the pool on which nothing of these Jobs stands
  local used
  used=$(kubectl get pods -A -l job-name -o jsonpath='{range .items[*]}node/{.spec.nodeName}{"\n"}{end}' | sort -u)
  kubectl get nodes -l "gpol.dev/gpu-pool=$1" -o name | grep -vxFf <(echo "$used") | head -1
}
for pool in shared site; do kubectl delete "$(free_of "$pool")" > /dev/null; done
expect "$name: 08:20 a lost node takes pods of the web site along: all eight run again" within 180 running 8 web app=web site
workload Deployment coder coder "$(queue coder interactive)" 2 "containers: [$(container 8)]" | play
begin=$SECONDS
expect "$name: 08:30 both replicas of the coder are Running within the deadline" within $deadline running 2 coder app=coder shared
echo "three-tiers: 08:30 both after $((SECONDS - begin)) s"
expect "$name: 08:31 training keeps its own quota" running 2 research-train job-name=train shared
expect "$name: 08:31 it stays so" for_all 5 running 2 coder app=coder shared
expect "$name: 08:31 the assistant never moved" running 4 assistant app=assistant front

twin="three-tiers with pods of any shape"
gone() { [ -z "$(kubectl -n "$1" get pods -l "$2" -o name)" ]; }
tenant -n coder delete deployment coder --wait=false > /dev/null
tenant -n research-train delete job train --wait=false > /dev/null
tenant -n research-sweeps delete job night --ignore-not-found --wait=false > /dev/null
within 60 gone coder app=coder && within 60 gone research-train job-name=train
pipeline delete validatingadmissionpolicybinding gpol-shape-shared-8 > /dev/null
sleep 2 # the server forgets it
nodes=$(kubectl get nodes -l gpol.dev/gpu-pool=shared -o name | wc -l)
spread="topologySpreadConstraints: [{maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: small}}}]"
for node in $(kubectl get nodes -l gpol.dev/gpu-pool=shared -o name); do
  kubectl label "$node" "kubernetes.io/hostname=${node#node/}" --overwrite > /dev/null
done
job research-train small "$(queue train training)" "$(there shared), $spread, containers: [$(container 1)]" |
  sed "s/parallelism: 1, completions: 1/parallelism: $nodes, completions: $nodes/; s/template: {/&metadata: {labels: {app: small}}, /" | play
expect "$twin: training's small pods stand on every node of shared" within 60 running "$nodes" research-train app=small shared
workload Deployment coder coder "$(queue coder interactive)" 2 "containers: [$(container 8)]" | play
admitted() { # by quota: both have lost their gate
  [ "$(kubectl -n coder get pods -l app=coder -o jsonpath='{range .items[*]}{.spec.schedulingGates}{"\n"}{end}' | grep -c '^$')" = 2 ]
}
expect "$twin: the coder's replicas are admitted" within 60 admitted
expect "$twin: and find no node" for_all 20 running 0 coder app=coder shared
apply "$rendered/default.yaml"
