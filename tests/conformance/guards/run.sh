#!/usr/bin/env bash
# What gpol makes of ValidatingAdmissionPolicies against the API server's own code (k8s.io/apiserver): which expressions
# it takes into a policy, what they are worth, which requests a set of policies admits. Random cases.
#
#   run.sh [GUARDS]     GUARDS: the program (default: build/release/tests/guards of the repository)
#
# Environment: GPOL_GUARDS   how many cases (default 6,000); GPOL_SEED   of the first (default 1)
# Exit 0: no difference; 1: some; 77: skipped, because Go >= 1.26 is not there.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
guards=$(realpath "${1:-$root/build/release/tests/guards}")
export PARTS=${PARTS:-$root/build/parts}
count=${GPOL_GUARDS:-6000} seed=${GPOL_SEED:-1}

. "$here/../need_go.sh"
need_go guards

"$here/../controlplane/controlplane.sh" guards-judge
"$guards" "$seed" "$count" | "$PARTS/bin/guards-judge"
