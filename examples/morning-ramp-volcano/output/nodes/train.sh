#!/bin/sh
# Gives nodes the labels and taints of pool train; those that they have besides stay: sh train.sh NODE...
set -eu
[ "$#" -gt 0 ] || { echo 'usage: sh train.sh NODE...' >&2; exit 2; }
kubectl label nodes "$@" --overwrite gpol.dev/gpu-pool=train
kubectl taint nodes "$@" --overwrite gpol.dev/gpu-pool=train:NoSchedule
