#!/usr/bin/env bash
# What gpol reads in files that others wrote, and what quantities are worth to it, against Kubernetes' own code
# (sigs.k8s.io/yaml as kubectl uses it, apimachinery's resource.Quantity, Kueue's amounts). Chosen and random cases.
#
#   run.sh [READING]     READING: the program (default: build/release/tests/reading of the repository)
#
# Environment: GPOL_READING  how many random files (default 3,000; GPOL_CI=full: 10,000); GPOL_SEED  of the first (default 1)
# Exit 0: no difference but those that judge/main.go lists with their reason; 1: some; 77: skipped, because Go >= 1.26 is
# not there.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../common.sh"
reading=$(realpath "${1:-$root/build/release/tests/reading}")
need_go reading
suite reading GPOL_READING 3000 10000

"$controlplane" judge
play() { "$reading" "$1" "$2" | "$PARTS/bin/judge" reading; }
samples reading play "$seed" "$count"
