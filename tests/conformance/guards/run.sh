#!/usr/bin/env bash
# What gpol makes of ValidatingAdmissionPolicies against the API server's own code (k8s.io/apiserver): which expressions
# it takes into a policy, what they are worth, which requests a set of policies admits. Random cases.
#
#   run.sh [GUARDS]     GUARDS: the program (default: build/release/tests/guards of the repository)
#
# Environment: GPOL_GUARDS   how many cases (default 2,000; GPOL_CI=full: 6,000); GPOL_SEED   of the first (default 1)
# Exit 0: no difference; 1: some; 77: skipped, because Go >= 1.26 is not there.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../common.sh"
guards=$(realpath "${1:-$root/build/release/tests/guards}")
need_go guards
suite guards GPOL_GUARDS 2000 6000

"$controlplane" judge
play() { "$guards" "$1" "$2" | "$PARTS/bin/judge" guards; }
samples guards play "$seed" "$count"
