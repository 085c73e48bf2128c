#!/bin/sh
# Gives nodes the labels and taints of pool scratch; those that they have besides stay: sh scratch.sh NODE...
set -eu
[ "$#" -gt 0 ] || { echo 'usage: sh scratch.sh NODE...' >&2; exit 2; }
kubectl label nodes "$@" --overwrite gpol.dev/gpu-pool=scratch
kubectl taint nodes "$@" --overwrite gpol.dev/gpu-pool=scratch:NoSchedule
