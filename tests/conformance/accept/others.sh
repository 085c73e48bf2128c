#!/usr/bin/env bash
# others.sh NAME: what other people run on the cluster is made, and made anew once its pods are deleted, under all guards
# of the policy: others/*.yaml, each by the user that its line `# as:` names.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/results.sh"
. "$here/tenant.sh"
name="$1, other people"
node=$(kubectl get nodes -o jsonpath='{.items[0].metadata.name}')
work=$CP_DIR/state/others
mkdir -p "$work"

namespaces_of() { sed -nE 's/^metadata: .*namespace: ([a-z0-9-]+).*/\1/p; s/^  namespace: ([a-z0-9-]+)$/\1/p' "$1" | sort -u; }
kinds='deployments,daemonsets,statefulsets,jobs'
made() { # made NAMESPACE...: each of what makes pods there has one
  local ns pods makers
  for ns in "$@"; do
    [ "$ns" != kube-system ] || continue
    makers=$(kubectl -n "$ns" get "$kinds" -o name | grep -c . || true)
    pods=$(kubectl -n "$ns" get pods -o name | grep -c . || true)
    [ "$pods" -ge "$makers" ] && [ "$pods" -gt 0 ] || { kubectl -n "$ns" get "$kinds,pods"; return 1; }
  done
}
forget() { # forget NAMESPACE: its pods at once, also those that something means to keep
  local pod
  kubectl -n "$1" delete pods --all --force --grace-period=0 --wait=false > /dev/null 2>&1
  for pod in $(kubectl -n "$1" get pods -o jsonpath='{range .items[?(@.metadata.finalizers)]}{.metadata.name}{"\n"}{end}'); do
    kubectl -n "$1" patch pod "$pod" --type merge -p '{"metadata":{"finalizers":null}}' > /dev/null 2>&1 || true
  done
}
# No controller was told by a guard that it may not make a pod there. (Kueue's webhook refuses one whose ReplicaSet it has
# not seen yet, and the controller tries again.)
unrefused() {
  local ns said
  for ns in "$@"; do
    said=$(kubectl -n "$ns" get events --field-selector reason=FailedCreate -o jsonpath='{.items[*].message}')
    [[ $said != *ValidatingAdmissionPolicy* ]] || { echo "$said"; return 1; }
  done
}

files=("$here/others/cluster-scoped.yaml")
for file in "$here"/others/*.yaml; do
  [ "$file" = "${files[0]}" ] || files+=("$file")
done
declare -A users=()
for file in "${files[@]}"; do
  user=$(sed -n 's/^# as: //p' "$file")
  [ -n "${users[$user]:-}" ] ||
    kubectl create clusterrolebinding "others-${#users[@]}" --clusterrole cluster-admin --user "$user" > /dev/null 2>&1 || true
  users[$user]=1
  for ns in $(namespaces_of "$file"); do kubectl create namespace "$ns" > /dev/null 2>&1 || true; done
  for ns in $(namespaces_of "$file"); do within 30 kubectl -n "$ns" get serviceaccount default > /dev/null; done
  sed "s/NODE/$node/" "$file" > "$work/$(basename "$file")"
done
for again in made "made anew"; do
  for file in "${files[@]}"; do
    title=$(basename "$file" .yaml)
    expect "$name: $title: accepted, $again" kubectl --as "$(sed -n 's/^# as: //p' "$file")" apply --server-side --force-conflicts \
      --validate=strict -f "$work/$title.yaml"
  done
  for file in "${files[@]}"; do
    title=$(basename "$file" .yaml)
    mapfile -t there < <(namespaces_of "$file")
    [ "${#there[@]}" -gt 0 ] || continue
    expect "$name: $title: its pods are $again" within 60 made "${there[@]}"
    expect "$name: $title: none was refused" unrefused "${there[@]}"
    for ns in "${there[@]}"; do forget "$ns"; done
  done
done

admitted() { kubectl -n genomics get workloads -o jsonpath='{.items[*].status.conditions[?(@.type=="Admitted")].status}' | grep -q True; }
expect "$name: another team's queue admits its Job" within 30 admitted
expect "$name: another team deletes a Workload of its own" kubectl --as system:serviceaccount:deployers:helm -n genomics delete workloads --all --wait=false
expect "$name: a default priority for all pods is accepted" kubectl --as admin create --dry-run=server --validate=strict -f - << 'END'
{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: usual}, value: 5, globalDefault: true}
END
shop_pod() { kubectl -n shop get pods -o name | grep .; }
within 30 shop_pod > /dev/null
expect "$name: kubectl debug of a pod" kubectl --as admin -n shop debug "$(shop_pod | head -1)" --image=example.invalid/x --attach=false

for file in "${files[@]}"; do kubectl delete --wait=false --ignore-not-found -f "$work/$(basename "$file")" > /dev/null 2>&1 || true; done
for file in "${files[@]}"; do
  for ns in $(namespaces_of "$file"); do forget "$ns"; done
done
