#!/usr/bin/env bash
# placed.sh NAME RENDERED BUILT GPOL POLICY: on a control plane with controllers and fake nodes (WITH=nodes), in which Kueue
# runs with the emitted Configuration: an administrator grants BUILT/rbac, the nodes that POLICY declares get the labels and taints of BUILT/nodes, the first
# overlay is applied, and NAME's bypasses and its story with pods are played.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/results.sh"
. "$here/nodes.sh"
. "$here/tenant.sh"
name=$1 rendered=$2 built=$3 gpol=$4 policy=$5

# The pipeline has the emitted role and no other: it must be enough.
expect "$name: an administrator applies the emitted roles" kubectl apply --server-side --validate=strict -f "$built/rbac"
# The tenant may do everything by RBAC: only admission stands in the way.
kubectl create clusterrolebinding tenant --clusterrole cluster-admin --user tenant > /dev/null

expect "$name: the nodes that the policy declares take the emitted labels and taints" policy_nodes "$gpol" "$policy" "$built"
expect "$name: the pipeline applies the first overlay" pipeline apply --server-side --validate=strict -f "$rendered/default.yaml"
expect "$name: all ClusterQueues are Active" kubectl wait --for condition=Active clusterqueues --all --timeout=60s
type_checked() { # by the controller manager: every policy was looked at, and nothing was found
  local all seen said
  all=$(kubectl get validatingadmissionpolicies -o name | wc -l)
  for _ in {1..60}; do
    seen=$(kubectl get validatingadmissionpolicies -o jsonpath='{range .items[*]}{.status.typeChecking}{"\n"}{end}' | grep -c '{' || true)
    [ "$seen" != "$all" ] || break
    sleep 0.5
  done
  said=$(kubectl get validatingadmissionpolicies -o jsonpath='{range .items[*]}{.status.typeChecking.expressionWarnings}{end}')
  echo "$seen of $all were checked: $said"
  [ "$seen" = "$all" ] && [ -z "$said" ]
}
expect "$name: the CEL of every guard has the right types" type_checked
bash "$here/roles.sh" "$name"
grep -q others.sh "$here/$name".placed/*.sh || bash "$here/others.sh" "$name" # else its own story plays them
for story in "$here/$name".placed/*.sh; do
  [ ! -f "$story" ] || bash "$story" "$rendered" "$gpol" "$policy"
done
