#!/usr/bin/env bash
# The quota rules of older versions of Kueue: random histories of each version (its gates and defaults), played by gpol's
# model; in every state that it reaches, the real code of that version is asked what each queue could be admitted to at
# once of each flavor and resource (judge/quotas.go). A version is a go.mod here, kueue-VERSION.mod; the newest is the
# one of ../go.mod. Who is admitted, and who is evicted for it, is compared with the newest alone (run.sh).
#
#   older.sh [HISTORIES]     HISTORIES: the program (default: build/release/tests/histories of the repository)
#
# Environment: GPOL_HISTORIES   how many histories of each version (default 1,500, about 0.9 million answers)
#              GPOL_SEED        of the first (default 1)
# Exit 0: no disagreement, and a planted one is found; 1: not; 77: skipped, because Go >= 1.26 is not there.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
histories=$(realpath "${1:-$root/build/release/tests/histories}")
export PARTS=${PARTS:-$root/build/parts}
count=${GPOL_HISTORIES:-1500} seed=${GPOL_SEED:-1}

. "$here/../need_go.sh"
need_go older

"$here/../controlplane/controlplane.sh" quota-judges
log=$(mktemp)
trap 'rm -f "$log"' EXIT
newest=$(cd "$here/.." && go list -mod=readonly -m -f '{{.Version}}' sigs.k8s.io/kueue)
for version in "$newest" $(basename -s .mod -a "$here"/kueue-v*.mod | sed 's/^kueue-//'); do
  judge=$PARTS/bin/quota-judge
  [ "$version" = "$newest" ] || judge=$PARTS/bin/quota-judge-kueue-$version
  "$histories" random "$seed" "$count" "${version#v}" | "$judge" | sed "s/^/older: Kueue $version: /" | tee "$log"
  answers=$(sed -n 's/.* \([0-9]*\) answers.*/\1/p' "$log")
  if [ "${answers:-0}" -lt $((count * 400)) ]; then # a history has 585 on average
    echo "older: Kueue $version: ${answers:-0} answers are fewer than $((count * 400))"
    exit 1
  fi
  # One more of everything that is left must be noticed.
  if "$histories" random "$seed" 20 "${version#v}" | sed 's/\( could have [^ ]* \)0\\n/\11\\n/g' | "$judge" > "$log"; then
    echo "older: Kueue $version: a planted disagreement is not found"
    exit 1
  fi
done
