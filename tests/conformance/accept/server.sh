#!/usr/bin/env bash
# server.sh NAME RENDERED BUILT: applies the rendered overlays (RENDERED/<mode>.yaml) to the running control plane, in which
# Kueue runs with the emitted Configuration, as the pipeline with the role of BUILT/rbac and no other, and plays NAME's story
# with Jobs where there is one. RENDERED/broken/*.yaml is refused. Afterwards the first overlay holds, and nothing else is left.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/results.sh"
name=$1 rendered=$2 built=$3

# Whoever applies what gpol wrote is the `writer` that the policy names, and nobody else: the guards tell the two apart.
# It has the emitted role and no other: that must be enough.
export PIPELINE=system:serviceaccount:flux-system:kustomize-controller
expect "$name: an administrator applies the emitted roles" kubectl apply --server-side --validate=strict -f "$built/rbac"

if [ -f "$built/base/gateway-limits.yaml" ]; then
  kubectl create -f "$GATEWAY_CRDS" > /dev/null
  for _ in $(seq 100); do # `kubectl wait` fails where there is no status yet
    if kubectl get backendtrafficpolicies,httproutes -A > /dev/null 2>&1; then break; fi
    sleep 0.2
  done
fi

apply() { kubectl apply --as "$PIPELINE" --server-side --validate=strict -f "$rendered/$1.yaml"; }
unchanged() { kubectl diff --as "$PIPELINE" --server-side -f "$rendered/$1.yaml"; }

modes=()
for file in "$rendered"/*.yaml; do modes+=("$(basename "$file" .yaml)"); done
first=${modes[0]} # kept when there is no time outside all windows
[ ! -f "$rendered/default.yaml" ] || first=default
expect "$name: the server accepts overlay $first" apply "$first"
expect "$name: all ClusterQueues are Active" kubectl wait --for condition=Active clusterqueues --all --timeout=60s
for mode in "${modes[@]}" "$first"; do
  expect "$name: the switch to $mode applies" apply "$mode"
  expect "$name: in $mode the cluster holds what was rendered" unchanged "$mode"
  expect "$name: in $mode all ClusterQueues are Active" kubectl wait --for condition=Active clusterqueues --all --timeout=60s
done

for file in "$rendered"/broken/*.yaml; do
  [ -e "$file" ] || continue
  case "$(basename "$file")" in
    webhook-*) pattern='admission webhook "vclusterqueue.kb.io" denied' ;;
    *) pattern='is invalid|unknown field|field not declared in schema' ;;
  esac
  refuses "$name: the server refuses $(basename "$file" .yaml)" "$pattern" \
    kubectl apply --as "$PIPELINE" --server-side --validate=strict -f "$file"
done

story="$here/$name.sh"
if [ -f "$story" ]; then
  played "$name" "$story" "$rendered"
  expect "$name: after the story $first applies again" apply "$first"
  expect "$name: and the cluster holds what was rendered" unchanged "$first"
fi
[ ! -d "$built/partition" ] || played "$name" "$here/partition.sh" "$name" "$built"
