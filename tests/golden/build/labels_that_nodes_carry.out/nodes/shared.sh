#!/bin/sh
# Checks that nodes carry the label and taint of pool shared, and changes nothing: sh shared.sh NODE...
set -eu
[ "$#" -gt 0 ] || { echo 'usage: sh shared.sh NODE...' >&2; exit 2; }
missing=0
for node in "$@"; do
  kubectl get nodes -l cloud.google.com/gke-nodepool=shared -o name | grep -qxF "node/$node" || { echo "$node has no label cloud.google.com/gke-nodepool=shared" >&2; missing=1; }
  kubectl get node "$node" -o jsonpath='{range .spec.taints[*]}{.key}={.value}:{.effect}{"\n"}{end}' | grep -qxF sku=gpu:NoExecute || { echo "$node has no taint sku=gpu:NoExecute" >&2; missing=1; }
done
[ "$missing" -eq 0 ]
