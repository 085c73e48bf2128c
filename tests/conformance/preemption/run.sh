#!/usr/bin/env bash
# The model of kube-scheduler's preemption (checker/nodes/preemption.h) against the real plugins: random states of nodes,
# where a pod fits, whether it may preempt, whom it would evict, which node is chosen.
#
#   run.sh [SCENES]     SCENES: the program (default: build/release/tests/scenes of the repository)
#
# Environment: GPOL_SCENES   how many cases (default 700; GPOL_CI=full: 2,000); GPOL_SEED   of the first (default 1)
# Exit 0: no difference; 1: some; 77: skipped, because Go >= 1.26 is not there.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../common.sh"
scenes=$(realpath "${1:-$root/build/release/tests/scenes}")
need_go preemption
suite preemption GPOL_SCENES 700 2000

"$controlplane" judge
play() { "$scenes" "$1" "$2" | "$PARTS/bin/judge" preemption; }
samples preemption play "$seed" "$count"
