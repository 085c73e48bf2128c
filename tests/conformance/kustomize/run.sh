#!/usr/bin/env bash
# What gpol builds of kustomizations, against kustomize's own code (v5.8.1: sigs.k8s.io/kustomize/api v0.21.1): the
# objects, their order, and which of them cannot be built at all. The cases are one text each
# (tests/support/kustomize_case.h): a kustomization with its files, and what to expect. Then random ones.
#
#   run.sh [KUSTOMIZATIONS]     KUSTOMIZATIONS: the program (default: build/release/tests/kustomizations of the repository)
#
# Environment: GPOL_KUSTOMIZATIONS  how many random ones (default 600; GPOL_CI=full: 2,000); GPOL_SEED  of the first
#              (default 1)
#              VERBOSE=1  also prints what both say of a case that fails in both
# Exit 0: no difference; 1: some; 77: skipped, because Go >= 1.26 is not there.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../common.sh"
kustomizations=$(realpath "${1:-$root/build/release/tests/kustomizations}")
need_go kustomizations
suite kustomizations GPOL_KUSTOMIZATIONS 600 2000

"$controlplane" judge
cd "$here"
"$kustomizations" cases/*.txt | "$PARTS/bin/judge" kustomize
play() {
  local folder=$work/$1
  mkdir -p "$folder"
  "$PARTS/bin/judge" kustomize random "$1" "$2" "$folder"
  find "$folder" -name '*.txt' -print0 | sort -z | xargs -0 "$kustomizations" | "$PARTS/bin/judge" kustomize
}
samples kustomizations play "$seed" "$count"
