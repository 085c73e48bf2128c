#!/bin/sh
# Has MIG Manager cut the GPUs of nodes as configuration gpol-cards.f974560d says: sh gpol-cards.f974560d.sh NODE...
# MIG Manager evicts nobody, and does not cut a GPU anew that is in use: first drain each node of the pods that have GPUs or slices (kubectl drain NODE --ignore-daemonsets), afterwards wait for the label nvidia.com/mig.config.state=success, then kubectl uncordon NODE.
set -eu
[ "$#" -gt 0 ] || { echo 'usage: sh gpol-cards.f974560d.sh NODE...' >&2; exit 2; }
missing=0
for node in "$@"; do
  kubectl get nodes -l gpol.dev/gpu-pool=cards -o name | grep -qxF "node/$node" || { echo "$node has no label gpol.dev/gpu-pool=cards" >&2; missing=1; }
done
[ "$missing" -eq 0 ]
kubectl label nodes "$@" --overwrite nvidia.com/mig.config=gpol-cards.f974560d
