#!/usr/bin/env bash
# What gpol says a cluster would refuse (checker/observe/schema) against what refuses it: the schemas and CEL rules of
# Kueue's CRDs, the API server's own code, Kueue's webhooks, Kueue's loader of its Configuration. First the tables of
# feature gates and frameworks against Kueue's own and the tables of the kinds against the CRDs, field by field; then the
# Configurations of configuration/ and mutants of the accepted ones; then the documents of invalid/, which break one rule
# each and name it, and of valid/; then every object of tests/bundles; then mutants of the valid ones. At last a real API
# server with the real Kueue is asked to create the documents and some of the mutants.
#
#   run.sh [OBJECTS]     OBJECTS: the program (default: build/release/tests/objects of the repository)
#
# Environment: GPOL_MUTANTS   how many (default 20,000), a tenth of them for the server; GPOL_SEED   of the first (default 1)
# Exit 0: they agree on everything; 1: they do not; 77: skipped, because Go >= 1.26 is not there.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
objects=$(realpath "${1:-$root/build/release/tests/objects}")
export PARTS=${PARTS:-$root/build/parts}
count=${GPOL_MUTANTS:-20000} seed=${GPOL_SEED:-1}

. "$here/../need_go.sh"
need_go objects

"$here/../controlplane/controlplane.sh" accept
kueue=$(cd "$here/.." && go list -mod=readonly -m -f '{{.Dir}}' sigs.k8s.io/kueue)
crds=$kueue/config/components/crd/bases

"$objects" gates | "$PARTS/bin/accept" gates "$kueue/pkg/features/kube_features.go"
"$objects" tables | "$PARTS/bin/accept" tables "$crds"
echo "objects: Configurations, and mutants of them"
"$objects" configurations "$here"/configuration/*.yaml | "$PARTS/bin/accept" configurations 2> /dev/null
"$objects" configurations "$seed" "$count" "$here"/configuration/accepted.yaml |
  "$PARTS/bin/accept" configurations 2> /dev/null
"$objects" judge "$here"/invalid/*.yaml "$here"/valid/*.yaml | "$PARTS/bin/accept" agree "$crds"
echo "objects: every object of tests/bundles"
find "$root/tests/bundles" -name '*.yaml' -o -name '*.json' | sort | xargs "$objects" bundles | "$PARTS/bin/accept" agree "$crds"
echo "objects: mutants of seeds $seed to $((seed + count - 1))"
"$objects" mutants "$seed" "$count" "$here"/valid/*.yaml | "$PARTS/bin/accept" agree "$crds"

for tool in perl openssl flock; do
  command -v "$tool" > /dev/null || { echo "objects: no $tool: the API server is not asked"; exit 0; }
done
"$here/../controlplane/controlplane.sh" build
lines=$(mktemp)
trap 'rm -f "$lines"' EXIT
{
  "$objects" judge "$here"/invalid/*.yaml "$here"/valid/*.yaml
  "$objects" mutants "$seed" $((count / 10)) "$here"/valid/*.yaml
} > "$lines"
"$here/../controlplane/controlplane.sh" run accept server "$lines"
