#!/bin/sh
# Has the device plugin offer the GPUs of nodes as its configuration gpol-clients says: sh gpol-clients.sh NODE...
# The plugin starts anew, and the GPUs get another name: first drain each node of the pods that have GPUs (kubectl drain NODE --ignore-daemonsets), afterwards look that the node offers what README.md says, then kubectl uncordon NODE.
set -eu
[ "$#" -gt 0 ] || { echo 'usage: sh gpol-clients.sh NODE...' >&2; exit 2; }
missing=0
for node in "$@"; do
  kubectl get nodes -l gpol.dev/gpu-pool=clients -o name | grep -qxF "node/$node" || { echo "$node has no label gpol.dev/gpu-pool=clients" >&2; missing=1; }
done
[ "$missing" -eq 0 ]
kubectl label nodes "$@" --overwrite nvidia.com/device-plugin.config=gpol-clients
