#!/bin/sh
# Gives nodes the labels and taints of pool turns; those that they have besides stay: sh turns.sh NODE...
set -eu
[ "$#" -gt 0 ] || { echo 'usage: sh turns.sh NODE...' >&2; exit 2; }
kubectl label nodes "$@" --overwrite gpol.dev/gpu-pool=turns
kubectl taint nodes "$@" --overwrite gpol.dev/gpu-pool=turns:NoSchedule
