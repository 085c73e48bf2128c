#!/usr/bin/env bash
# What gpol builds of kustomizations, against kustomize's own code (v5.8.1: sigs.k8s.io/kustomize/api v0.21.1): the
# objects, their order, and which of them cannot be built at all. The cases are one text each
# (tests/support/kustomize_case.h): a kustomization with its files, and what to expect. Then random ones.
#
#   run.sh [KUSTOMIZATIONS]     KUSTOMIZATIONS: the program (default: build/release/tests/kustomizations of the repository)
#
# Environment: GPOL_KUSTOMIZATIONS  how many random ones (default 2,000); GPOL_SEED  of the first (default 1)
#              VERBOSE=1  also prints what both say of a case that fails in both
# Exit 0: no difference; 1: some; 77: skipped, because Go >= 1.26 is not there.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
kustomizations=$(realpath "${1:-$root/build/release/tests/kustomizations}")
export PARTS=${PARTS:-$root/build/parts}
count=${GPOL_KUSTOMIZATIONS:-2000} seed=${GPOL_SEED:-1}

. "$here/../need_go.sh"
need_go kustomizations

"$here/../controlplane/controlplane.sh" kustomize-judge
cd "$here"
"$kustomizations" cases/*.txt | "$PARTS/bin/kustomize-judge"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$PARTS/bin/kustomize-judge" random "$seed" "$count" "$work"
cd "$work"
find . -name '*.txt' -print0 | sort -z | xargs -0 "$kustomizations" | "$PARTS/bin/kustomize-judge"
