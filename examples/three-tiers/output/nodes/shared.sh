#!/bin/sh
# Gives nodes the labels and taints of pool shared; those that they have besides stay: sh shared.sh NODE...
set -eu
[ "$#" -gt 0 ] || { echo 'usage: sh shared.sh NODE...' >&2; exit 2; }
kubectl label nodes "$@" --overwrite gpol.dev/gpu-pool=shared
kubectl taint nodes "$@" --overwrite gpol.dev/gpu-pool=shared:NoSchedule
