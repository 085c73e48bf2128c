#!/usr/bin/env bash
# The quota rules of older versions of Kueue: random histories of each version (its gates and defaults), played by gpol's
# model; in every state that it reaches, the real code of that version is asked what each queue could be admitted to at
# once of each flavor and resource (judge/quotas.go). A version is a go.mod here, kueue-VERSION.mod; the newest is the
# one of ../go.mod. Who is admitted, and who is evicted for it, is compared with the newest alone (run.sh).
#
#   older.sh [HISTORIES]     HISTORIES: the program (default: build/release/tests/histories of the repository)
#
# Environment: GPOL_HISTORIES   how many histories of each version (default 300, about 175,000 answers; GPOL_CI=full: 1,500)
#              GPOL_SEED        of the first (default 1); it chooses which older version is asked
#              GPOL_CI=full     all of them are
# Exit 0: no disagreement, and a planted one is found; 1: not; 77: skipped, because Go >= 1.26 is not there.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../common.sh"
histories=$(realpath "${1:-$root/build/release/tests/histories}")
need_go older
suite older GPOL_HISTORIES 300 1500

"$controlplane" judge
newest=$(module_version sigs.k8s.io/kueue)
log=$work/log
asked() { # asked VERSION SEED COUNT
  local judge=("$PARTS/bin/quota-judge-$1") answers least=$(($3 < 100 ? 1 : $3 * 400)) # a history has 585 on average
  [ "$1" != "$newest" ] || judge=("$PARTS/bin/judge" quotas)
  "$histories" random "$2" "$3" "${1#v}" | "${judge[@]}" | sed "s/^/older: Kueue $1: /" | tee "$log"
  answers=$(sed -n 's/.* \([0-9]*\) answers.*/\1/p' "$log")
  if [ "${answers:-0}" -lt "$least" ]; then
    echo "older: Kueue $1: ${answers:-0} answers are fewer than $least"
    exit 1
  fi
  # One more of everything that is left must be noticed.
  if "$histories" random "$2" 20 "${1#v}" | sed 's/\( could have [^ ]* \)0\\n/\11\\n/g' | "${judge[@]}" > "$log"; then
    echo "older: Kueue $1: a planted disagreement is not found"
    exit 1
  fi
}
play() {
  local versions version
  mapfile -t versions < <(older_versions "$1")
  "$controlplane" quota-judges "${versions[@]}"
  for version in "$newest" "${versions[@]}"; do asked "$version" "$1" "$2"; done
}
samples older play "$seed" "$count"
