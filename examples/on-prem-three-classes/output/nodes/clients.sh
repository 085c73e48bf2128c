#!/bin/sh
# Gives nodes the labels and taints of pool clients; those that they have besides stay: sh clients.sh NODE...
set -eu
[ "$#" -gt 0 ] || { echo 'usage: sh clients.sh NODE...' >&2; exit 2; }
kubectl label nodes "$@" --overwrite gpol.dev/gpu-pool=clients
kubectl taint nodes "$@" --overwrite gpol.dev/gpu-pool=clients:NoSchedule
