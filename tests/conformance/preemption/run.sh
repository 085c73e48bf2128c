#!/usr/bin/env bash
# The model of kube-scheduler's preemption (checker/nodes/preemption.h) against the real plugins: random states of nodes,
# where a pod fits, whether it may preempt, whom it would evict, which node is chosen.
#
#   run.sh [SCENES]     SCENES: the program (default: build/release/tests/scenes of the repository)
#
# Environment: GPOL_SCENES   how many cases (default 2,000); GPOL_SEED   of the first (default 1)
# Exit 0: no difference; 1: some; 77: skipped, because Go >= 1.26 is not there.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
scenes=$(realpath "${1:-$root/build/release/tests/scenes}")
export PARTS=${PARTS:-$root/build/parts}
count=${GPOL_SCENES:-2000} seed=${GPOL_SEED:-1}

. "$here/../need_go.sh"
need_go preemption

"$here/../controlplane/controlplane.sh" preemption-judge
"$scenes" "$seed" "$count" | "$PARTS/bin/preemption-judge"
