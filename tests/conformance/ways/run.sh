#!/usr/bin/env bash
# Ways in which batch gets round its quota, of which gpol has a table (checker/families/quota_ways.cpp), played in the real
# code of Kueue: each must be open in the versions in which the table says so, and closed in the others.
#
#   run.sh
#
# elastic-jobs     in the newest version (../go.mod), by its scheduler and its controller of Jobs: a Job that grows
# large-requests   in the newest and in older ones (../differential/older.sh), by their quota code: requests that run over
#
# Environment: GPOL_SEED     it chooses which older version is asked (default 1)
#              GPOL_CI=full  all of them are
# Exit 0: all is as the table says, and of each a wrong table is found; 1: not; 77: skipped, because Go >= 1.26 is not there.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../common.sh"
need_go ways
seed=${GPOL_SEED:-1}
case "$seed" in *[!0-9]*) echo "ways: GPOL_SEED is a number" >&2; exit 2 ;; esac
seed=$((10#$seed)) # no octal number
echo "ways: seed $seed"

"$controlplane" judge
newest=$(module_version sigs.k8s.io/kueue)
mapfile -t versions < <(older_versions "$seed")
"$controlplane" quota-judges "${versions[@]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT

expected() { # expected WAY VERSION: what the table says
  case "$1 $2" in
    "elastic-jobs "*) echo open ;; # since v0.18, whose gate is on by default
    "large-requests v0.15."*) echo open ;;
    "large-requests "*) echo closed ;; # v0.18.0 and later
  esac
}
failed=0
play() { # play WAY VERSION JUDGE...
  local way=$1 version=$2 is wrong status=0
  shift 2
  is=$(expected "$way" "$version")
  "$@" "$way" "$is" > "$log" 2>&1 || { failed=1; echo "ways: FAILED: $way: Kueue $version: the table says: $is"; }
  sed "s/^/ways: $way: Kueue $version: /" "$log"
  # A table that says the other thing must be noticed.
  wrong=open
  if [ "$is" = open ]; then wrong=closed; fi
  "$@" "$way" "$wrong" > "$log" 2>&1 || status=$?
  if [ "$status" != 1 ]; then
    failed=1
    echo "ways: FAILED: $way: Kueue $version: a table that says $wrong is not found: exit $status"
  fi
}

play elastic-jobs "$newest" "$PARTS/bin/judge" ways
play large-requests "$newest" "$PARTS/bin/judge" ways
for version in "${versions[@]}"; do play large-requests "$version" "$PARTS/bin/quota-judge-$version"; done
echo "ways: took $SECONDS s"
exit $failed
