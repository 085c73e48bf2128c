#!/usr/bin/env bash
# A tenant writes to its own running Job as fast as it can while serving asks. Kueue suspends a Job by patches that carry
# the version they were made for: if any of these writes were let in, its own would come too late, and the Job would keep
# its quota for as long as the tenant goes on.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../results.sh"
. "$here/../tenant.sh"
rendered=$1
deadline=240 # `ready within 4min` of the policy
play() { tenant apply --server-side --validate=strict -f - > /dev/null; }
name="morning-ramp, a Job written all the time"
none() { [ -z "$(kubectl -n "$1" get pods -l "$2" -o name)" ]; }
tenant -n search-prod delete statefulset/search job/owner pod/unlabelled pod/idle pod/homeless --ignore-not-found --wait=false > /dev/null
tenant -n ml-train delete job sweep --ignore-not-found --wait=false > /dev/null
within 60 none search-prod 'app!=today-search'
apply "$rendered/night.yaml"

job ml-train busy "$(queue finetune batch)" "$(there shared), containers: [$(container 8)]" | play
expect "$name: 02:00 finetune's Job runs" within 60 running 1 ml-train job-name=busy shared
apply "$rendered/default.yaml"
apply "$rendered/business.yaml"
writers=()
for writer in 1 2 3 4; do
  (while :; do tenant -n ml-train annotate job busy "a=$writer-$RANDOM" --overwrite > /dev/null 2>&1 || true; done) &
  writers+=($!)
done
trap 'kill "${writers[@]}" 2> /dev/null || true' EXIT
workload Deployment search-prod morning "$(queue search standard)" 2 "containers: [$(container 8)]" | play
begin=$SECONDS
expect "$name: 09:30 both replicas of search are Running within the deadline" within $deadline running 2 search-prod app=morning shared
echo "morning-ramp: after $((SECONDS - begin)) s, beside a Job that is written all the time"
kill "${writers[@]}"
unwritten() { [ -z "$(kubectl -n ml-train get job busy -o jsonpath='{.metadata.annotations.a}')" ]; }
expect "$name: none of it was let in" unwritten
tenant -n search-prod delete deployment morning --wait=false > /dev/null
tenant -n ml-train delete job busy --wait=false > /dev/null
within 60 none search-prod app=morning
within 60 none ml-train job-name=busy
