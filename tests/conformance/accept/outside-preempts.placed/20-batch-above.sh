#!/usr/bin/env bash
# Batch names a PriorityClass above the site's. Without the guard on it two small pods that nobody may evict stand on the
# other nodes, and for a large one kube-scheduler evicts the site, which runs. With it their pods are refused.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../results.sh"
. "$here/../tenant.sh"
name="outside-preempts"
guard=gpol-batch-pod-priority
play() { tenant apply --server-side --validate=strict -f - > /dev/null; }
none() { [ -z "$(kubectl -n "$1" get pods -o name)" ]; }
above="priorityClassName: system-cluster-critical, terminationGracePeriodSeconds: 10"
apart="affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: apart}}}]}}"
small() {
  job ml-train "$1" "$(queue finetune batch)" "$above, $apart, containers: [$(container 1)]" |
    sed 's/parallelism: 1, completions: 1/parallelism: 2, completions: 2/; s/template: {/&metadata: {labels: {app: apart}}, /' | play
}
told() {
  kubectl -n ml-train get events --field-selector reason=FailedCreate,involvedObject.kind=Job \
    -o jsonpath='{range .items[*]}{.involvedObject.name}{" "}{.message}{"\n"}{end}' | grep "^$1 " | grep -F "pods of this namespace have priority 0"
}
drop() { tenant -n ml-train delete jobs --all --wait=false > /dev/null && within 180 none ml-train; } # under load the fake kubelet is late

drop
for node in $(kubectl get nodes -l gpol.dev/gpu-pool=site -o name); do
  kubectl label "$node" "kubernetes.io/hostname=${node#node/}" --overwrite > /dev/null
done
expect "$name: the site runs" within 60 running 1 web app=site site
site=$(kubectl -n web get pods -l app=site -o jsonpath='{.items[0].metadata.uid}')
stays() { [ "$(kubectl -n web get pods -l app=site -o jsonpath='{.items[*].metadata.uid}')" = "$site" ]; }
goes() { ! stays; }

small above
expect "$name: pods of batch above the site are refused" within 40 told above
expect "$name: and none of them is there" none ml-train
drop

twin="$name without the guard on batch's priority"
kubectl get validatingadmissionpolicybinding "$guard" -o json | sed '/"resourceVersion"\|"uid"/d' > "$CP_DIR/binding.json"
pipeline delete validatingadmissionpolicybinding "$guard" > /dev/null
sleep 2 # the server forgets it
small apart
expect "$twin: small pods stand on the other nodes" within 60 running 2 ml-train app=apart site
expect "$twin: the site still runs" stays
job ml-train large "$(queue finetune batch)" "$above, containers: [$(container 8)]" | play
expect "$twin: the site is evicted for a pod of batch" within 60 goes
drop # first: the guard refuses updates of pods that were made without it, their finalizers' end among them
kubectl create -f "$CP_DIR/binding.json" > /dev/null
