#!/usr/bin/env bash
# What `gpol verify` says against the real Kueue code: random small clusters as YAML, and the bundles of tests/bundles;
# every claim figure is reached in the real cache and not passed, every proven reclaim attacked, every refuted one
# replayed. A disagreement is shrunk and printed. What the judge cannot play is counted, by reason.
#
#   run.sh [VERDICTS [HISTORIES]]   the programs (default: those of build/release)
#
# Environment: GPOL_BUNDLES    how many clusters (default 1,000)
#              GPOL_ATTACKS    on each cluster (default 20, half of them judged)
#              GPOL_SEED       of the first (default 1)
# Exit 0: no escape, no disagreement; of the random ones at most 3 % undecided or not analysed and at least 95 % proven of
# what no attack breaks; 1: not; 77: skipped, because Go >= 1.26 is not there.
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

log=$(mktemp)
trap 'rm -f "$log"' EXIT
judged() {
  "$verdicts" "$@" 2> "$log" | "$PARTS/bin/judge" -shrink "$histories" -crds "$crds" || { cat "$log"; exit 1; }
  cat "$log"
}
cd "$root" # where the bundles' arguments are told from
echo "verdicts: tests/bundles, 20 attacks on each"
judged bundles 20 tests/bundles/*/
echo "verdicts: seeds $seed to $((seed + count - 1)), $attacks attacks on each"
judged random "$seed" "$count" "$attacks"
