#!/bin/sh
# Gives nodes the labels and taints of pool burst; those that they have besides stay: sh burst.sh NODE...
set -eu
[ "$#" -gt 0 ] || { echo 'usage: sh burst.sh NODE...' >&2; exit 2; }
kubectl label nodes "$@" --overwrite gpol.dev/gpu-pool=burst
kubectl taint nodes "$@" --overwrite gpol.dev/gpu-pool=burst:NoSchedule
