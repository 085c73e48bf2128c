#!/usr/bin/env bash
# What gpol builds of kustomizations, against kustomize's own code (v5.8.1: sigs.k8s.io/kustomize/api v0.21.1): the
# objects, their order, and which of them cannot be built at all. The cases are one text each
# (tests/support/kustomize_case.h): a kustomization with its files, and what to expect.
#
#   run.sh [KUSTOMIZATIONS]     KUSTOMIZATIONS: the program (default: build/release/tests/kustomizations of the repository)
#
# Environment: VERBOSE=1  also prints what both say of a case that fails in both
# Exit 0: no difference; 1: some; 77: skipped, because Go >= 1.26 is not there.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
kustomizations=$(realpath "${1:-$root/build/release/tests/kustomizations}")
export PARTS=${PARTS:-$root/build/parts}

. "$here/../need_go.sh"
need_go kustomizations

"$here/../controlplane/controlplane.sh" kustomize-judge
cd "$here"
"$kustomizations" cases/*.txt | "$PARTS/bin/kustomize-judge"
