# Sourced by what plays tenants on a control plane with fake nodes.
export PIPELINE=system:serviceaccount:flux-system:kustomize-controller # the `writers` of the examples
pipeline() { kubectl --as "$PIPELINE" "$@"; }
tenant() { timeout 60 kubectl --as tenant "$@"; }
apply() { pipeline apply --server-side --validate=strict -f "$1" > /dev/null; }

# within SECONDS CMD...: until CMD succeeds; what it said last when it did not
within() {
  local end=$((SECONDS + $1)) said
  shift
  until said=$("$@" 2>&1); do
    [ $SECONDS -lt $end ] || { kubectl get workloads,pods -A -o wide; echo "$said"; return 1; }
    sleep 0.3
  done
}
# for_all SECONDS CMD...: CMD succeeds at every look
for_all() {
  local end=$((SECONDS + $1))
  shift
  while [ $SECONDS -lt $end ]; do
    "$@" || { kubectl get workloads,pods -A -o wide; return 1; }
    sleep 0.5
  done
}

# running COUNT NAMESPACE SELECTOR POOL [LABEL]: exactly so many pods are Running, all on nodes of the pool
running() {
  local nodes on pool_nodes
  nodes=$(kubectl -n "$2" get pods -l "$3" --field-selector status.phase=Running -o jsonpath='{range .items[*]}{.spec.nodeName}{"\n"}{end}')
  pool_nodes=$(kubectl get nodes -l "${5:-gpol.dev/gpu-pool}=$4" -o name)
  [ "$(grep -c . <<< "$nodes")" = "$1" ] || return 1
  for on in $nodes; do grep -qx "node/$on" <<< "$pool_nodes" || return 1; done
}
phase() { [ "$(kubectl -n "$1" get pod "$2" -o jsonpath='{.status.phase}')" = "$3" ]; }
pod_of() { kubectl -n "$1" get pods -l "$2" -o jsonpath='{.items[0].metadata.name}'; }

# container GPUS: of a pod spec, in flow style
container() { echo "{name: c$1, image: example.invalid/x, resources: {requests: {cpu: \"4\", memory: 32Gi}, limits: {nvidia.com/gpu: \"$1\"}}}"; }

# workload KIND NAMESPACE NAME LABELS REPLICAS SPEC: a Deployment or a StatefulSet; LABELS and SPEC are the inside of {...}
workload() {
  cat << END
apiVersion: apps/v1
kind: $1
metadata: {name: $3, namespace: $2, labels: {$4}}
spec:
  replicas: $5
  $([ "$1" = StatefulSet ] && echo "serviceName: $3")
  selector: {matchLabels: {app: $3}}
  template: {metadata: {labels: {app: $3}}, spec: {$6}}
END
}
# job NAMESPACE NAME LABELS SPEC [MORE METADATA]: a Job of one pod
job() {
  cat << END
apiVersion: batch/v1
kind: Job
metadata: {name: $2, namespace: $1, labels: {$3}${5:-}}
spec: {parallelism: 1, completions: 1, backoffLimit: 100, template: {spec: {restartPolicy: Never, $4}}}
END
}
# pod NAMESPACE NAME LABELS SPEC [MORE METADATA]
pod() { echo "{apiVersion: v1, kind: Pod, metadata: {name: $2, namespace: $1, labels: {$3}${5:-}}, spec: {$4}}"; }
queue() { echo "kueue.x-k8s.io/queue-name: $1, kueue.x-k8s.io/priority-class: $2"; }
there() { echo "nodeSelector: {gpol.dev/gpu-pool: $1}"; }
tolerate() { echo "tolerations: [{key: gpol.dev/gpu-pool, operator: Exists}]"; }
