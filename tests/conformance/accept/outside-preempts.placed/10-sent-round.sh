#!/usr/bin/env bash
# A node is lost, batch stands on all others, and the web site asks for a whole one: kube-scheduler evicts batch and holds
# the node while its pods end. Batch does what it can, and deletes nothing that runs there: it writes over the reason why
# its pods end, so that kube-scheduler no longer knows them for its own victims, shields each node that is kept by a
# PodDisruptionBudget, and has kube-scheduler look again by deleting a pod elsewhere. Without the guard on that reason the
# site is sent from node to node; with it it stays, and has its place within the deadline.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../results.sh"
. "$here/../nodes.sh"
. "$here/../tenant.sh"
deadline=105 # `back within` and the schedule of `gpol check`: the place, without the start-up after it
name="outside-preempts"
guard=gpol-preempted-pods-stay-marked
play() { tenant apply --server-side --validate=strict -f - > /dev/null; }
none() { [ -z "$(kubectl -n "$1" get pods -o name)" ]; }

fill() { # batch has all its 16 GPUs, and something on each of the three nodes
  local i
  for i in 1 2 3 4; do
    echo ---
    job ml-train "$1-$i" "$(queue finetune batch)" "terminationGracePeriodSeconds: 10, containers: [$(container 4)]" |
      sed 's/template: {/&metadata: {labels: {app: fill, shielded: "no"}}, /'
  done | play
}
everywhere() { running 4 ml-train app=fill site && [ "$(on_nodes)" = 3 ]; }
on_nodes() { kubectl -n ml-train get pods -l app=fill -o jsonpath='{range .items[*]}{.spec.nodeName}{"\n"}{end}' | sort -u | grep -c .; }
site="terminationGracePeriodSeconds: 1, priorityClassName: website, $(there site), $(tolerate), containers: [$(container 8)]"
ask() { workload Deployment web "$1" "" 1 "$site" | play; }
kept() { kubectl -n web get pods -o jsonpath='{.items[0].status.nominatedNodeName}'; }

# Until it is ended: `heard` is what the tenant was told, `kept` the nodes that were kept, one after another.
attack() {
  local n=0 node pod on ends shielded last=
  while :; do
    node=$(kept 2> /dev/null || true)
    [ -z "$node" ] || [ "$node" = "$last" ] || echo "$node" >> "$state/kept"
    last=$node
    kubectl -n ml-train get pods -l app=fill -o jsonpath='{range .items[?(@.spec.nodeName)]}{.metadata.name} {.spec.nodeName} {.metadata.labels.shielded} {.metadata.deletionTimestamp}{"\n"}{end}' > "$state/pods"
    while read -r pod on shielded ends; do
      if [ -n "$ends" ]; then
        tenant -n ml-train patch pod "$pod" --subresource status --type strategic \
          -p '{"status": {"conditions": [{"type": "DisruptionTarget", "reason": "Mine"}]}}' >> "$state/heard" 2>&1 || true
      fi
      [ "$shielded" = "$([ "$on" = "$node" ] && echo yes || echo no)" ] ||
        tenant -n ml-train label pod "$pod" --overwrite "shielded=$([ "$on" = "$node" ] && echo yes || echo no)" > /dev/null 2>&1 || true
    done < "$state/pods"
    tenant -n default delete pod "wake-$n" --grace-period=0 --force > /dev/null 2>&1 || true
    n=$((n + 1))
    pod default "wake-$n" "" "containers: [{name: c, image: example.invalid/x}]" | play || true
  done
}
begin() {
  state=$CP_DIR/state/$1
  mkdir -p "$state"
  : > "$state/heard" > "$state/kept"
  attack > /dev/null 2>&1 &
  attacker=$!
}
end() { kill "$attacker" 2> /dev/null && wait "$attacker" 2> /dev/null || true; }
trap 'end' EXIT
sent_round() { [ "$(wc -l < "$state/kept")" -ge 3 ]; }
refused() { grep -q "why a pod is disrupted is written by who disrupts it" "$state/heard"; }

kubectl delete node site-3 > /dev/null
fake_node elsewhere 64 256Gi 100 0 | kubectl create -f - > /dev/null
kubectl wait --for condition=Ready node/elsewhere --timeout=30s > /dev/null
within 30 kubectl -n default get serviceaccount default > /dev/null
play << END
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: shield, namespace: ml-train}
spec: {maxUnavailable: 0, selector: {matchLabels: {shielded: "yes"}}}
END

twin="$name without the guard on why a pod is disrupted"
kubectl get validatingadmissionpolicybinding "$guard" -o json | sed '/"resourceVersion"\|"uid"/d' > "$CP_DIR/binding.json"
pipeline delete validatingadmissionpolicybinding "$guard" > /dev/null
fill night
expect "$twin: batch stands on every node" within 30 everywhere
sleep 1 # the server forgets the guard
begin twin
ask early
expect "$twin: the site is sent from node to node" within 20 sent_round
end
kubectl create -f "$CP_DIR/binding.json" > /dev/null
tenant -n web delete deployment early --wait=false > /dev/null
tenant -n ml-train delete jobs --all --wait=false > /dev/null
expect "$twin: all of them go" within 40 none ml-train
within 20 none web

fill morning
expect "$name: batch stands on every node" within 30 everywhere
begin real
asked=$SECONDS
ask site
expect "$name: the site has its place within the deadline" within $deadline running 1 web app=site site
echo "$name: the place after $((SECONDS - asked)) s"
end
expect "$name: one node was kept for it, and no other" [ "$(wc -l < "$state/kept")" = 1 ]
expect "$name: batch was refused to write over why its pods end" refused
refuses "$name: nobody deletes the PriorityClass that its pods name" "written by the policy's pipeline alone" \
  tenant delete priorityclass website
