#!/bin/sh
# Has the device plugin offer the GPUs of nodes as its configuration gpol-turns says: sh gpol-turns.sh NODE...
# The plugin starts anew, and the GPUs get another name: first drain each node of the pods that have GPUs (kubectl drain NODE --ignore-daemonsets), afterwards look that the node offers what README.md says, then kubectl uncordon NODE.
set -eu
[ "$#" -gt 0 ] || { echo 'usage: sh gpol-turns.sh NODE...' >&2; exit 2; }
missing=0
for node in "$@"; do
  kubectl get nodes -l gpol.dev/gpu-pool=turns -o name | grep -qxF "node/$node" || { echo "$node has no label gpol.dev/gpu-pool=turns" >&2; missing=1; }
done
[ "$missing" -eq 0 ]
kubectl label nodes "$@" --overwrite nvidia.com/device-plugin.config=gpol-turns
