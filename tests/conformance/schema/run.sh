#!/usr/bin/env bash
# What gpol says a cluster would refuse (checker/observe/schema) against what refuses it: the schemas and CEL rules of
# Kueue's CRDs, the API server's own code, Kueue's webhooks, Kueue's loader of its Configuration. First the tables of
# feature gates and frameworks against Kueue's own and the tables of the kinds against the CRDs, field by field; then the
# Configurations of configuration/ and mutants of the accepted ones (what Kueue says of values at which gpol does not
# look, as ciphers, certificates, metrics and MultiKueue, does not count: notLookedAt in ../accept/config.go); then the
# documents of invalid/, which break one rule each and name it, and of valid/; then every object of tests/bundles; then
# mutants of the valid ones. At last a real API server with the real Kueue is asked to create the documents and some of
# the mutants.
#
#   run.sh [OBJECTS]     OBJECTS: the program (default: build/release/tests/objects of the repository)
#
# Environment: GPOL_MUTANTS   how many (default 4,000; GPOL_CI=full: 20,000), a tenth of them for the server; GPOL_SEED   of
#              the first (default 1)
# Exit 0: they agree on everything; 1: they do not; 77: skipped, because Go >= 1.26 is not there.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../common.sh"
objects=$(realpath "${1:-$root/build/release/tests/objects}")
need_go objects
suite objects GPOL_MUTANTS 4000 20000

"$controlplane" judge
kueue=$(module_dir sigs.k8s.io/kueue)
crds=$kueue/config/components/crd/bases

"$objects" gates | "$PARTS/bin/judge" accept gates "$kueue/pkg/features/kube_features.go"
"$objects" tables | "$PARTS/bin/judge" accept tables "$crds"
echo "objects: Configurations, and mutants of them"
"$objects" configurations "$here"/configuration/*.yaml | "$PARTS/bin/judge" accept configurations 2> /dev/null
"$objects" judge "$here"/invalid/*.yaml "$here"/valid/*.yaml | "$PARTS/bin/judge" accept agree "$crds"
echo "objects: every object of tests/bundles"
find "$root/tests/bundles" -name '*.yaml' -o -name '*.json' | sort | xargs "$objects" bundles | "$PARTS/bin/judge" accept agree "$crds"
asked=$work/asked # of the server
"$objects" judge "$here"/invalid/*.yaml "$here"/valid/*.yaml > "$asked"
play() {
  echo "objects: mutants of seeds $1 to $(($1 + $2 - 1))"
  "$objects" configurations "$1" "$2" "$here"/configuration/accepted.yaml | "$PARTS/bin/judge" accept configurations 2> /dev/null
  "$objects" mutants "$1" "$2" "$here"/valid/*.yaml | "$PARTS/bin/judge" accept agree "$crds"
  "$objects" mutants "$1" $((($2 + 9) / 10)) "$here"/valid/*.yaml >> "$asked"
}
samples objects play "$seed" "$count"

for tool in perl openssl flock; do
  command -v "$tool" > /dev/null || { echo "objects: no $tool: the API server is not asked"; exit 0; }
done
"$controlplane" build
played="objects $seed $count"
"$controlplane" run accept server "$asked"
