#!/usr/bin/env bash
# A namespace of batch holds as many Jobs as `at most ... jobs` says: the ResourceQuota counts them, the control plane may
# write what it counts although a guard keeps everybody else from it, and a Job more is refused, also one that would wait.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../results.sh"
. "$here/../tenant.sh"
name="morning-ramp, counted jobs"
play() { tenant apply --server-side --validate=strict -f - > /dev/null; }
counted() { kubectl -n ml-train get resourcequota gpol-jobs -o jsonpath='{.status.used.count/jobs\.batch}'; }
jobs() { kubectl -n ml-train get jobs -o name | wc -l; }
all_counted() { [ "$(counted)" = "$(jobs)" ]; }
small() { job ml-train "$1" "$(queue finetune batch)" "containers: [$(container 8)]"; }
limit() { pipeline -n ml-train patch resourcequota gpol-jobs --type merge -p "{\"spec\":{\"hard\":{\"count/jobs.batch\":\"$1\"}}}" > /dev/null; }
at_limit() { [ "$(kubectl -n ml-train get resourcequota gpol-jobs -o jsonpath='{.status.hard.count/jobs\.batch}')" = "$1" ]; }
refused() { # refused NAME: by the quota, in its words
  local out
  if out=$(small "$1" | play 2>&1); then
    echo "accepted: $out"
    return 1
  fi
  echo "$out"
  grep -qF "exceeded quota: gpol-jobs" <<< "$out"
}

expect "$name: every Job of the namespace is counted" within 30 all_counted
before=$(jobs)
limit $((before + 1)) # the pipeline may
expect "$name: the pipeline's limit is in force" within 30 at_limit $((before + 1))
expect "$name: the last one gets in" play < <(small counted-1)
expect "$name: one more is refused" refused counted-2
expect "$name: and is not there" [ "$(kubectl -n ml-train get job counted-2 --ignore-not-found -o name)" = "" ]
expect "$name: all are counted" within 30 all_counted
tenant -n ml-train delete job counted-1 --wait=false > /dev/null
gone() { [ "$(jobs)" -le "$before" ]; }
expect "$name: a Job deleted makes room for another" within 60 gone
expect "$name: which is counted down" within 60 all_counted
expect "$name: and the next gets in" play < <(small counted-3)
tenant -n ml-train delete job counted-3 --wait=false > /dev/null
expect "$name: that one goes, too" within 60 gone
limit 200
expect "$name: the policy's limit again" within 30 at_limit 200
