#!/usr/bin/env bash
# server.sh NAME RENDERED: applies the rendered overlays (RENDERED/<mode>.yaml) to the running control plane, in which
# Kueue runs with the emitted Configuration, and plays NAME's story where there is one. RENDERED/broken/*.yaml is refused.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/results.sh"
name=$1 rendered=$2

apply() { kubectl apply --server-side --validate=strict -f "$rendered/$1.yaml"; }
unchanged() { kubectl diff --server-side -f "$rendered/$1.yaml"; }

# Everything that runs with this Configuration is Kueue's own doing: what the harness replaced is in the log.
others=()
for file in "$rendered"/*.yaml; do
  mode=$(basename "$file" .yaml)
  case "$mode" in default | misspelt) ;; *) others+=("$mode") ;; esac
done
expect "$name: the server accepts overlay default" apply default
expect "$name: all ClusterQueues are Active" kubectl wait --for condition=Active clusterqueues --all --timeout=60s
for mode in "${others[@]}" default; do
  expect "$name: the switch to $mode applies" apply "$mode"
  expect "$name: in $mode the cluster holds what was rendered" unchanged "$mode"
  expect "$name: in $mode all ClusterQueues are Active" kubectl wait --for condition=Active clusterqueues --all --timeout=60s
done

for file in "$rendered"/broken/*.yaml; do
  case "$(basename "$file")" in
    webhook-*) pattern='admission webhook "vclusterqueue.kb.io" denied' ;;
    *) pattern='is invalid|unknown field|field not declared in schema' ;;
  esac
  refuses "$name: the server refuses $(basename "$file" .yaml)" "$pattern" \
    kubectl apply --server-side --validate=strict -f "$file"
done

story="$here/$name.sh"
[ ! -f "$story" ] || bash "$story" "$rendered"
