#!/usr/bin/env bash
# A tenant leaves: its Job runs on what search lends when the policy without it is built (`--from` the output of before),
# applied, and pruned as a pipeline would. After each of these steps, the last of which retires the tenant, search asks
# for its whole reserve and gets it.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../results.sh"
. "$here/../tenant.sh"
rendered=$1 gpol=$2 policy=$3
name=retired
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
play() { tenant apply --server-side --validate=strict -f - > /dev/null; }
search() { tenant -n search-prod scale deployment search --replicas "$1" > /dev/null; }

# objects FILE: a line "KIND NAMESPACE NAME" per object that a pipeline may prune; those that it may not are left out
objects() {
  perl -0777 -ne '
    for (split /^---\n/m) {
      my ($kind) = /^kind: (\S+)/m or next;
      my ($meta) = /^metadata:\n((?:  .*\n)+)/m;
      my ($name) = $meta =~ /^  name: "?([^"\n]+)/m;
      my ($ns) = $meta =~ /^  namespace: "?([^"\n]+)/m;
      next if $ENV{PRUNED} && $meta =~ /Prune=false/;
      print join(" ", $kind, $ns // "-", $name), "\n" }' "$1" | sort
}
# prune OLD NEW: deletes what OLD had and NEW has not, and what it says may be pruned
prune() {
  local kind ns object
  while read -r kind ns object; do
    echo "prunes $kind $ns/$object" >&2
    if [ "$ns" = - ]; then pipeline delete "$kind" "$object" --wait=false; else pipeline -n "$ns" delete "$kind" "$object" --wait=false; fi
  done < <(comm -23 <(PRUNED=1 objects "$1") <(objects "$2")) > /dev/null
}

# What the tenant's departure makes of the policy, and what gpol makes of that.
sed '/^tenant finetune/d; /^allow finetune/d' "$policy" > "$work/left.gpol"
built() { # built POLICY DIR [OPTION...]
  "$gpol" build "$1" -o "$2" "${@:3}" && kubectl kustomize "$2/overlays/default" -o "$2.yaml"
}
expect "$name: the policy with the tenant is built" built "$policy" "$work/old"
leaves() {
  cp -r "$work/old" "$work/bare" && built "$work/left.gpol" "$work/bare" > "$work/bare.log" && grep 'leaves the output: `finetune`' "$work/bare.log"
}
expect "$name: without it and without --from the build says what leaves" leaves
expect "$name: without it, from the output of before, it is proven and built" built "$work/left.gpol" "$work/left" --from "$work/old"
expect "$name: retired, it is built" built "$work/left.gpol" "$work/gone" --from "$work/left" --retired finetune

trains() { running 1 ml-train job-name=train shared; }
# before: the output of before is applied, finetune's Job holds a node that search lent, and search has one replica
before() {
  apply "$work/old.yaml"
  search 1
  # A pod of before that still ends counts as running, too: it is waited for.
  within 90 running 1 search-prod app=search shared && within 90 for_all 5 trains
}
asks_for_all() { search 2 && within 120 running 2 search-prod app=search shared && for_all 5 running 2 search-prod app=search shared; }

workload Deployment search-prod search "$(queue search standard)" 1 "terminationGracePeriodSeconds: 1, containers: [$(container 8)]" | play
job ml-train train "$(queue finetune batch)" "$(there shared), terminationGracePeriodSeconds: 10, containers: [$(container 8)]" | play
expect "$name: finetune's Job runs on what search lends" before
expect "$name: search has its whole reserve when it asks" asks_for_all

expect "$name: search lets finetune's Job back in" before
expect "$name: the output without the tenant is applied" apply "$work/left.yaml"
expect "$name: its Job runs on" for_all 5 trains
job ml-train late "$(queue finetune batch)" "$(there shared), terminationGracePeriodSeconds: 10, containers: [$(container 8)]" | play
expect "$name: applied, search has its whole reserve when it asks" asks_for_all
search 1
expect "$name: finetune's Job has left" within 60 running 0 ml-train job-name shared
expect "$name: of finetune nothing starts any more" for_all 10 running 0 ml-train job-name shared

tenant -n ml-train delete job late > /dev/null
expect "$name: the output of before is applied again" before
expect "$name: the output without the tenant is applied again" apply "$work/left.yaml"
expect "$name: and pruned" prune "$work/old.yaml" "$work/left.yaml"
expect "$name: its queue is there, and its Job runs on" for_all 5 trains
expect "$name: pruned, search has its whole reserve when it asks" asks_for_all

tenant -n ml-train delete job train > /dev/null
ended() { [ -z "$(kubectl -n ml-train get workloads -o name)" ]; }
expect "$name: the work of finetune has ended" within 60 ended
expect "$name: the output in which it is retired is applied" apply "$work/gone.yaml"
expect "$name: and pruned, too" prune "$work/left.yaml" "$work/gone.yaml"
expect "$name: what may not be pruned is deleted by hand" pipeline delete clusterqueue finetune --timeout=60s
search 1
expect "$name: one replica of search ends" within 60 running 1 search-prod app=search shared
expect "$name: retired, search has its whole reserve when it asks" asks_for_all

# The twin: built without --from, and its queue pruned while its Job runs.
job ml-train train "$(queue finetune batch)" "$(there shared), terminationGracePeriodSeconds: 10, containers: [$(container 8)]" > "$work/train.yaml"
back() { search 1 && apply "$work/old.yaml" && play < "$work/train.yaml" && before; }
twin="retired, without --from"
expect "$twin: the tenant and its Job are back" back
expect "$twin: the output is applied" apply "$work/bare.yaml"
pipeline -n ml-train delete localqueue finetune --wait=false > /dev/null
pipeline delete clusterqueue finetune --wait=false > /dev/null
search 2
short() { trains && running 1 search-prod app=search shared; }
expect "$twin: pruned, finetune's Job keeps what search lent it, and a replica of search waits" for_all 30 short
