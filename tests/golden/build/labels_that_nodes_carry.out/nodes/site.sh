#!/bin/sh
# Checks that nodes carry the label and taint of pool site, and changes nothing: sh site.sh NODE...
set -eu
[ "$#" -gt 0 ] || { echo 'usage: sh site.sh NODE...' >&2; exit 2; }
missing=0
for node in "$@"; do
  kubectl get nodes -l cloud.google.com/gke-nodepool=site -o name | grep -qxF "node/$node" || { echo "$node has no label cloud.google.com/gke-nodepool=site" >&2; missing=1; }
  kubectl get node "$node" -o jsonpath='{range .spec.taints[*]}{.key}={.value}:{.effect}{"\n"}{end}' | grep -qxF dedicated=:NoSchedule || { echo "$node has no taint dedicated=:NoSchedule" >&2; missing=1; }
done
[ "$missing" -eq 0 ]
