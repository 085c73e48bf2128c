#!/usr/bin/env bash
# roles.sh NAME: what the emitted roles grant, asked of the API server's own authorizer: a person who has gpol-tenant in one
# namespace, and the pipeline, which has gpol-writer.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/results.sh"
. "$here/tenant.sh"
name=$1
ns=$(kubectl get namespaces -l gpol.dev/role=batch -o jsonpath='{.items[0].metadata.name}')
kubectl -n "$ns" create rolebinding member --clusterrole gpol-tenant --user member > /dev/null

can() { kubectl auth can-i "$@" -q; }
ask() { # ask yes|no TITLE VERB RESOURCE...: as a member of the tenant
  local wanted=$1 title=$2 said=yes
  shift 2
  can --as member "$@" || said=no
  [ "$said" = "$wanted" ] && pass "$name: a member of the tenant: $title: $wanted" || fail "$name: a member of the tenant: $title: $said"
}
ask yes "creates Jobs" create jobs -n "$ns"
ask yes "reads the logs of its pods" get pods --subresource log -n "$ns"
ask yes "reads its LocalQueues" list localqueues.kueue.x-k8s.io -n "$ns"
ask no "creates Jobs elsewhere" create jobs -n default
ask no "creates a LocalQueue" create localqueues.kueue.x-k8s.io -n "$ns"
ask no "admits a Workload by hand" patch workloads.kueue.x-k8s.io --subresource status -n "$ns"
ask no "binds a pod" create pods --subresource binding -n "$ns"
ask no "takes the gate off a pod, or changes its owner" patch pods -n "$ns"
ask no "nominates a node by the status of a pod" patch pods --subresource status -n "$ns"
ask no "labels its namespace" patch "namespaces/$ns"
ask no "changes a guard" patch validatingadmissionpolicies.admissionregistration.k8s.io
ask no "unbinds a guard" delete validatingadmissionpolicybindings.admissionregistration.k8s.io
ask no "grants itself more" create rolebindings.rbac.authorization.k8s.io -n "$ns"

expect "$name: the pipeline may change guards" can --as "$PIPELINE" patch validatingadmissionpolicies.admissionregistration.k8s.io
refuses "$name: the pipeline may not run anything" "" can --as "$PIPELINE" create pods -n "$ns"
refuses "$name: the pipeline may not grant anything" "" can --as "$PIPELINE" create clusterrolebindings.rbac.authorization.k8s.io
