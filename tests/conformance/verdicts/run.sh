#!/usr/bin/env bash
# What `gpol verify` says against the real Kueue code: random small clusters as YAML, and the bundles of tests/bundles;
# every claim figure is reached in the real cache and not passed, every proven reclaim attacked, every refuted one
# replayed. A disagreement is shrunk and printed. What the judge cannot play is counted, by reason. Last, elastic Jobs that
# grow (elastic.h): where gpol says that this way round quota is shut no figure is passed, and where it is open some are.
#
#   run.sh [VERDICTS [HISTORIES]]   the programs (default: those of build/release)
#
# Environment: GPOL_BUNDLES    how many clusters (default 300; GPOL_CI=full: 1,000); with elastic Jobs one for each eight
#              GPOL_ATTACKS    on each cluster (default 20, half of them judged); of tests/bundles 8, or as many where
#                              GPOL_CI=full
#              GPOL_SEED       of the first (default 1)
# Exit 0: no escape, no disagreement; of the random ones no more are undecided or not analysed, and of what no attack
# breaks no fewer proven, than `good_of_many` (confirm.cpp) allows; 1: not; 77: skipped, because Go >= 1.26 is not there.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../common.sh"
verdicts=$(realpath "${1:-$root/build/release/tests/verdicts}")
histories=$(realpath "${2:-$root/build/release/tests/histories}")
need_go verdicts
suite verdicts GPOL_BUNDLES 300 1000

attacks=${GPOL_ATTACKS:-20} on_bundles=8
if [ "${GPOL_CI:-}" = full ]; then on_bundles=20; fi

"$controlplane" judge
crds=$(module_dir sigs.k8s.io/kueue)/config/components/crd/bases

judged() {
  local log=$work/log
  "$verdicts" "$@" 2> "$log" | "$PARTS/bin/judge" histories -shrink "$histories" -crds "$crds" || { cat "$log"; exit 1; }
  cat "$log"
}
cd "$root" # where the bundles' arguments are told from
bundles() {
  echo "verdicts: tests/bundles, $2 attacks of seed $1 on each"
  judged bundles "$1" "$2" tests/bundles/*/
}
random() {
  echo "verdicts: seeds $1 to $(($1 + $2 - 1)), $attacks attacks on each"
  judged random "$1" "$2" "$attacks"
}
elastic() { # elastic SEED COUNT LEAST: so many attacks must pass a figure
  "$verdicts" elastic "$1" "$2" 3 | "$PARTS/bin/judge" ways drawn "$crds" "$3"
}
drawn() {
  echo "elastic: seeds $1 to $(($1 + $2 - 1)), 3 attacks on each"
  elastic "$1" "$2" 0
}
samples bundles bundles "$seed" "$on_bundles"
samples verdicts random "$seed" "$count"
# These pass some; of another few none might.
echo "elastic: seeds 1 to 20, which are always the same"
elastic 1 20 1
samples elastic drawn "$seed" $(((count + 7) / 8))
