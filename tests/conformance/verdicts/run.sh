#!/usr/bin/env bash
# gpol's verdicts against the real Kueue code: random small clusters as YAML; every claim figure is reached in the real
# cache and not passed, every proven reclaim attacked, every refuted one replayed. A disagreement is shrunk and printed.
#
#   run.sh [VERDICTS [HISTORIES]]   the programs (default: those of build/release)
#
# Environment: GPOL_BUNDLES    how many clusters (default 1,000)
#              GPOL_ATTACKS    on each cluster (default 20, half of them judged)
#              GPOL_SEED       of the first (default 1)
# Exit 0: no escape, no disagreement, at most 1 % undecided; 1: not; 77: skipped, because Go >= 1.26 is not there.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
verdicts=$(realpath "${1:-$root/build/release/tests/verdicts}")
histories=$(realpath "${2:-$root/build/release/tests/histories}")
export PARTS=${PARTS:-$root/build/parts}
count=${GPOL_BUNDLES:-1000} attacks=${GPOL_ATTACKS:-20} seed=${GPOL_SEED:-1}

. "$here/../need_go.sh"
need_go verdicts

"$here/../controlplane/controlplane.sh" judge
crds=$(cd "$here/.." && go list -mod=readonly -m -f '{{.Dir}}' sigs.k8s.io/kueue)/config/components/crd/bases

echo "verdicts: seeds $seed to $((seed + count - 1)), $attacks attacks on each"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
"$verdicts" random "$seed" "$count" "$attacks" 2> "$log" |
  "$PARTS/bin/judge" -shrink "$histories" -crds "$crds" || { cat "$log"; exit 1; }
cat "$log"
awk '/verdicts: undecided:/ { if ($(NF - 1) > 1.0) { print "verdicts: more than 1 % undecided"; exit 1 } }' "$log"
grep -q '^verdicts: escapes: 0$' "$log"
