#!/usr/bin/env bash
# What gpol says a cluster would refuse (checker/observe/schema) against what refuses it: the schemas and CEL rules of
# Kueue's CRDs, the API server's own code, Kueue's webhooks. First the tables against the CRDs, field by field; then the
# documents of invalid/, which break one rule each and name it, and of valid/; then mutants of the valid ones.
#
#   run.sh [OBJECTS]     OBJECTS: the program (default: build/release/tests/objects of the repository)
#
# Environment: GPOL_MUTANTS   how many (default 40,000); GPOL_SEED   of the first (default 1)
# Exit 0: they agree on everything; 1: they do not; 77: skipped, because Go >= 1.26 is not there.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
objects=$(realpath "${1:-$root/build/release/tests/objects}")
export PARTS=${PARTS:-$root/build/parts}
count=${GPOL_MUTANTS:-40000} seed=${GPOL_SEED:-1}

. "$here/../need_go.sh"
need_go objects

"$here/../controlplane/controlplane.sh" accept
kueue=$(cd "$here/.." && go list -mod=readonly -m -f '{{.Dir}}' sigs.k8s.io/kueue)
crds=$kueue/config/components/crd/bases

"$objects" tables | "$PARTS/bin/accept" tables "$crds"
"$objects" judge "$here"/invalid/*.yaml "$here"/valid/*.yaml | "$PARTS/bin/accept" agree "$crds"
echo "objects: mutants of seeds $seed to $((seed + count - 1))"
"$objects" mutants "$seed" "$count" "$here"/valid/*.yaml | "$PARTS/bin/accept" agree "$crds"
