#!/bin/sh
# Gives nodes the labels and taints of pool live; those that they have besides stay: sh live.sh NODE...
set -eu
[ "$#" -gt 0 ] || { echo 'usage: sh live.sh NODE...' >&2; exit 2; }
kubectl label nodes "$@" --overwrite gpol.dev/gpu-pool=live
kubectl taint nodes "$@" --overwrite gpol.dev/gpu-pool=live:NoSchedule
