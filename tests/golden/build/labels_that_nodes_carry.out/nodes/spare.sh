#!/bin/sh
# Checks that nodes carry what pool spare says of them, then gives them what is gpol's own: sh spare.sh NODE...
set -eu
[ "$#" -gt 0 ] || { echo 'usage: sh spare.sh NODE...' >&2; exit 2; }
missing=0
for node in "$@"; do
  kubectl get nodes -l cloud.google.com/gke-nodepool=spare -o name | grep -qxF "node/$node" || { echo "$node has no label cloud.google.com/gke-nodepool=spare" >&2; missing=1; }
done
[ "$missing" -eq 0 ]
kubectl taint nodes "$@" --overwrite gpol.dev/gpu-pool=spare:NoSchedule
