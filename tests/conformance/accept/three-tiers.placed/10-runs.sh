#!/usr/bin/env bash
# The night of three tiers: everybody who asks as the policy says runs on the nodes of its pool, the web site without any
# queue. What leaves its place is refused.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../results.sh"
. "$here/../tenant.sh"
rendered=$1
play() { tenant apply --server-side --validate=strict -f - > /dev/null; }
name="three-tiers with pods"

apply "$rendered/night.yaml"
for ns in web playground; do kubectl create namespace $ns > /dev/null 2>&1 || true; done
within 30 kubectl -n playground get serviceaccount default > /dev/null
site="$(there site), $(tolerate), containers: [$(container 1)]"
workload Deployment assistant assistant "$(queue assistant realtime)" 4 "containers: [$(container 4)]" | play
workload Deployment web web "" 8 "$site" | play
job research-train train "$(queue train training)" "$(there shared), containers: [$(container 8)]" |
  sed 's/parallelism: 1, completions: 1/parallelism: 2, completions: 2/' | play
expect "$name: the assistant's four replicas run on front" within 60 running 4 assistant app=assistant front
expect "$name: the web site's Deployment runs on site without a queue" within 60 running 8 web app=web site
expect "$name: training has its own quota of shared" within 60 running 2 research-train job-name=train shared
job research-sweeps night "$(queue sweeps opportunistic)" "$(there shared), containers: [$(container 8)]" | play
expect "$name: sweeps borrow a node of shared at night" within 60 running 1 research-sweeps job-name=night shared
job research-sweeps small "$(queue sweeps opportunistic)" "$(there scratch), containers: [$(container 2)]" | play
expect "$name: sweeps have their own quota of scratch" within 60 running 1 research-sweeps job-name=small scratch

must_queue="must be queued: label it kueue.x-k8s.io/queue-name in a tenant's namespace"
create() { tenant create --dry-run=server --validate=strict -f -; }
gpu="containers: [$(container 1)]"
refuses "$name: a pod of the web site on shared" "$must_queue" create <<< "$(pod web x "" "$(there shared), $(tolerate), $gpu")"
refuses "$name: a pod of the web site that names no nodes" "$must_queue" create <<< "$(pod web x "" "$(tolerate), $gpu")"
refuses "$name: somebody else's pod on the web site's nodes" "$must_queue" create <<< "$(pod playground x "" "$site")"
refuses "$name: a batch pod on the web site's nodes" "pods of this namespace are made by Jobs|does not tolerate the taint|$must_queue" create <<< "$(pod research-train x "kueue.x-k8s.io/priority-class: training" "$site")"
refuses "$name: a Job elsewhere on the web site's nodes" "$must_queue" create <<< "$(job playground x "" "$site")"
expect "$name: a pod of the web site on site is accepted" create <<< "$(pod web x "" "$site")"
