#!/usr/bin/env bash
# Mutants of the examples that are proven again, besieged in the real Kueue code: in every history all that serving asks
# for within its reserves must be admitted in the end, and model and Kueue must agree on every cycle.
#
#   run.sh [MUTANTS [HISTORIES]]   the programs (default: those of build/release)
#
# Environment: GPOL_SIEGES   histories of every distinct cluster (default 3)
#              GPOL_SEED     of the first (default 1)
# Exit 0: none broke; 1: one did; 77: skipped, because Go >= 1.26 is not there.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
mutants=$(realpath "${1:-$root/build/release/tests/mutants}")
histories=$(realpath "${2:-$root/build/release/tests/histories}")
export PARTS=${PARTS:-$root/build/parts}
count=${GPOL_SIEGES:-3} seed=${GPOL_SEED:-1}

. "$here/../need_go.sh"
need_go mutants

"$here/../controlplane/controlplane.sh" judge

echo "mutants: seeds $seed to $((seed + count - 1)) of every distinct cluster"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
"$mutants" random "$seed" "$count" 2> "$log" | "$PARTS/bin/judge" -shrink "$histories" || { cat "$log"; exit 1; }
cat "$log"
grep -q 'escapes: 0$' "$log"
