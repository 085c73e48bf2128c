#!/bin/sh
# Gives nodes the labels and taints of pool cards; those that they have besides stay: sh cards.sh NODE...
set -eu
[ "$#" -gt 0 ] || { echo 'usage: sh cards.sh NODE...' >&2; exit 2; }
kubectl label nodes "$@" --overwrite gpol.dev/gpu-pool=cards
kubectl taint nodes "$@" --overwrite gpol.dev/gpu-pool=cards:NoSchedule
