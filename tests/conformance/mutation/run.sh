#!/usr/bin/env bash
# Mutants of the examples that are proven again, besieged in the real Kueue code: in every history all that serving asks
# for within its reserves must be admitted in the end, and model and Kueue must agree on every cycle.
#
#   run.sh [MUTANTS [HISTORIES]]   the programs (default: those of build/release)
#
# Environment: GPOL_SIEGES   histories of every distinct cluster (default 1; GPOL_CI=full: 3)
#              GPOL_SEED     of the first (default 1)
# Exit 0: none broke; 1: one did; 77: skipped, because Go >= 1.26 is not there.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../common.sh"
mutants=$(realpath "${1:-$root/build/release/tests/mutants}")
histories=$(realpath "${2:-$root/build/release/tests/histories}")
need_go mutants
suite mutants GPOL_SIEGES 1 3

"$controlplane" judge
play() {
  local log=$work/log
  echo "mutants: seeds $1 to $(($1 + $2 - 1)) of every distinct cluster"
  "$mutants" random "$1" "$2" 2> "$log" | "$PARTS/bin/judge" histories -shrink "$histories" || { cat "$log"; exit 1; }
  cat "$log"
  grep -q 'escapes: 0$' "$log"
}
samples mutants play "$seed" "$count"
