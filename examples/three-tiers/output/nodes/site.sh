#!/bin/sh
# Gives nodes the labels and taints of pool site; those that they have besides stay: sh site.sh NODE...
set -eu
[ "$#" -gt 0 ] || { echo 'usage: sh site.sh NODE...' >&2; exit 2; }
kubectl label nodes "$@" --overwrite gpol.dev/gpu-pool=site
kubectl taint nodes "$@" --overwrite gpol.dev/gpu-pool=site:NoSchedule
