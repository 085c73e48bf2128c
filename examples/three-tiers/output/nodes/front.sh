#!/bin/sh
# Gives nodes the labels and taints of pool front; those that they have besides stay: sh front.sh NODE...
set -eu
[ "$#" -gt 0 ] || { echo 'usage: sh front.sh NODE...' >&2; exit 2; }
kubectl label nodes "$@" --overwrite gpol.dev/gpu-pool=front
kubectl taint nodes "$@" --overwrite gpol.dev/gpu-pool=front:NoSchedule
