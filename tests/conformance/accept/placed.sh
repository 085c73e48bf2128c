#!/usr/bin/env bash
# placed.sh NAME RENDERED BUILT GPOL POLICY: on a control plane with controllers and fake nodes (WITH=nodes), in which Kueue
# runs with the emitted Configuration: server.sh first; then the nodes that POLICY declares get the labels and taints of
# BUILT/nodes, and NAME's bypasses and its story with pods are played.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/results.sh"
. "$here/nodes.sh"
. "$here/tenant.sh"
name=$1 rendered=$2 built=$3 gpol=$4 policy=$5

played "$name" "$here/server.sh" "$name" "$rendered" "$built"

# The tenant may do everything by RBAC: only admission stands in the way.
kubectl create clusterrolebinding tenant --clusterrole cluster-admin --user tenant > /dev/null
expect "$name: the nodes that the policy declares take the emitted labels and taints" policy_nodes "$gpol" "$policy" "$built"
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
played "$name" "$here/roles.sh" "$name"
grep -q others.sh "$here/$name".placed/*.sh || played "$name" "$here/others.sh" "$name" # else its own story plays them
for story in "$here/$name".placed/*.sh; do
  [ ! -f "$story" ] || played "$name" "$story" "$rendered" "$gpol" "$policy"
done
