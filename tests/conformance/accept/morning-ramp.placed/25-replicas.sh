#!/usr/bin/env bash
# Guards that the example does not need, on the same server: a second serving tenant shares chat's pool, so that each
# rests on the size of the other's replicas. What a tenant queues in another size is refused, as a pod and as a template.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../results.sh"
. "$here/../tenant.sh"
gpol=$2 policy=$3
name="morning-ramp, shared pool"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

terms="start schedule 5s, image 20s, weights 40s, load 25s, warm 20s (measured 2026-10)"
{
  sed "s/^  reserve 16 gpus of live$/  reserve 8 gpus of live; replica 8 gpus; $terms/; s/^  class realtime$/  class together/; /^\$never-held/d" "$policy"
  echo 'class together : B { ready within 4min; grace 30s; kill margin 5s }'
  echo "tenant docs { namespace docs-prod; class together; reserve 8 gpus of live; replica 8 gpus; $terms }"
} > "$work/shared.gpol"
expect "$name: it is proven" "$gpol" build "$work/shared.gpol" -o "$work/out"
guards_named() { # guards_named PREFIX: the guards that are called so, with their bindings
  perl -e '$/ = "\n---\n"; $name = shift; while (<>) { chomp; print "---\n$_\n" if /^  name: \Q$name\E/m }' "$1" "$work/out/base"/*.yaml
}
guards_named gpol-replica- > "$work/guards.yaml"
expect "$name: the pipeline applies its guards" apply "$work/guards.yaml"

dry() { tenant create --dry-run=server --validate=strict -f - <<< "$1"; }
chat=$(queue chat realtime)
eight="containers: [$(container 8)]" four="containers: [$(container 4)]" none="containers: [{name: c, image: example.invalid/x}]"
two="containers: [$(container 4), {name: d, image: x, resources: {limits: {nvidia.com/gpu: 4}}}]"
early="$eight, initContainers: [$(container 4)]"
size="a replica asks for exactly 8 GPUs, in one container" no_init="an init container asks for no GPU"
attempts() { # attempts CHECK: of every kind and size
  local kind made spec
  for kind in pod job statefulset; do
    for spec in eight four none two early; do
      case $kind in
        pod) made=$(pod chat-prod x "$chat" "${!spec}") ;;
        job) made=$(job chat-prod x "$chat" "${!spec}") ;;
        statefulset) made=$(workload StatefulSet chat-prod x "$chat" 1 "${!spec}") ;;
      esac
      "$1" "$kind" "$spec" "$made"
    done
  done
}
with_guards() {
  case $2 in
    eight) expect "$name: a $1 of the declared size: accepted" dry "$3" ;;
    early) refuses "$name: a $1 with a GPU in an init container" "gpol-replica-8.*denied request: $no_init" dry "$3" ;;
    *) refuses "$name: a $1 of another size ($2)" "gpol-replica-8.*denied request: $size" dry "$3" ;;
  esac
}
without() { expect "$name: without its guards a $1 ($2): accepted" within 15 dry "$3"; }
settle() { sleep 3; } # the server takes policies up once a second: not all of one apply at once
in_force() { ! dry "$(pod chat-prod x "$chat" "$four")" && ! dry "$(job chat-prod x "$chat" "$four")"; }
expect "$name: they are in force" within 30 in_force
settle
attempts with_guards
kept="the queue of a replica is not written with its status"
chat_pod=$(pod_of chat-prod app=chat)
by_status() { tenant -n chat-prod patch pod "$chat_pod" --subresource status --dry-run=server --type merge -p '{"metadata":{"labels":{"kueue.x-k8s.io/queue-name":null}}}'; }
refuses "$name: a pod that was queued taken out of its queue, by its status" "gpol-replica-8-status.*denied request: $kept" by_status
pipeline delete -f "$work/guards.yaml" > /dev/null
attempts without
expect "$name: without its guards a pod taken out of its queue, by its status: accepted" within 15 by_status

# What shares a pool frees neither quota nor devices before its pods have ended.
guards_named gpol-sharing- > "$work/sharing.yaml"
expect "$name: the pipeline applies what sharing takes" apply "$work/sharing.yaml"
pod chat-prod stays "$chat" "$eight" | tenant create -f - > /dev/null
runs=$(pod_of chat-prod app=chat)
eviction=$work/eviction.json
echo '{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"stays","namespace":"chat-prod"},"deleteOptions":{"gracePeriodSeconds":0,"dryRun":["All"]}}' > "$eviction"
some="a pod that shares nodes with others that serve ends with some grace" most="a pod that shares nodes with others that serve ends within 30 s"
longer=$work/longer.json
sed 's/"gracePeriodSeconds":0/"gracePeriodSeconds":31/' "$eviction" > "$longer"
sharing() { # sharing CHECK: each way to free before the end
  "$1" "a queued Job" "who shares a pool with others that serve queues no Jobs" dry "$(job chat-prod x "$chat" "$eight")"
  "$1" "a pod without any grace" "$some" dry "$(pod chat-prod x "$chat" "$eight, terminationGracePeriodSeconds: 0")"
  "$1" "a pod deleted at once" "$some" tenant -n chat-prod delete pod "$runs" --grace-period=0 --force --wait=false --dry-run=server
  "$1" "a pod with a longer grace than its class says" "$most" dry "$(pod chat-prod x "$chat" "$eight, terminationGracePeriodSeconds: 31")"
  "$1" "a pod deleted with a longer grace" "$most" tenant -n chat-prod delete pod "$runs" --grace-period=31 --wait=false --dry-run=server
  "$1" "a pod evicted with a longer grace" "$most" tenant create --raw "/api/v1/namespaces/chat-prod/pods/stays/eviction?dryRun=All" -f "$longer"
  "$1" "a pod evicted at once" "$some" tenant create --raw "/api/v1/namespaces/chat-prod/pods/stays/eviction?dryRun=All" -f "$eviction"
}
with_sharing() {
  local what=$1 message=$2
  shift 2
  refuses "$name: $what" "gpol-sharing-.*denied request: $message" "$@"
}
without_sharing() {
  local what=$1
  shift 2
  expect "$name: without its guards $what: accepted" within 15 "$@"
}
shared_in_force() { ! dry "$(job chat-prod x "$chat" "$eight")"; }
expect "$name: that is in force" within 30 shared_in_force
settle
sharing with_sharing
expect "$name: a pod that has no node is deleted: accepted" tenant -n chat-prod delete pod stays --wait=false --dry-run=server
pipeline delete -f "$work/sharing.yaml" > /dev/null
sharing without_sharing
tenant -n chat-prod delete pod stays --wait=false > /dev/null
