# Sourced: fake nodes for a control plane started with WITH=nodes.

# fake_node NAME CPU MEMORY PODS GPUS: an empty node of that size; kwok keeps it Ready
fake_node() {
  cat << END
---
apiVersion: v1
kind: Node
metadata: {name: $1}
status:
  capacity: &size {cpu: "$2", memory: "$3", pods: "$4", nvidia.com/gpu: "$5"}
  allocatable: *size
END
}

# policy_nodes GPOL POLICY BUILT: as many nodes of every pool as the policy declares at the most, each less what its
# daemons take, with a label and a taint of its own, and those that the commands of BUILT/nodes/POOL.sh add
policy_nodes() {
  local gpol=$1 policy=$2 built=$3 dump pool count kind i patched=()
  local -A cpu=() memory=() pods=() gpus=()
  dump=$("$gpol" check "$policy" --dump policy)
  while read -r kind c m g p dc dm dp; do
    cpu[$kind]=$((c - dc))m memory[$kind]=$((m - dm)) pods[$kind]=$((p - dp)) gpus[$kind]=$g
  done < <(perl -0777 -ne '
    while (/^groups (\S+) .*?each cpu=(\d+)m memory=(\d+) gpu=(\d+) pods=(\d+) daemons cpu=(\d+)m memory=(\d+) gpu=0 pods=(\d+)/mg) {
      print "$1 $2 $3 $4 $5 $6 $7 $8\n" }' <<< "$dump")
  local all=()
  while read -r pool count kind; do
    for ((i = 0; i < count; i++)); do
      fake_node "$pool-$i" "${cpu[$kind]}" "${memory[$kind]}" "${pods[$kind]}" "${gpus[$kind]}" |
        sed 's/^metadata: {/&labels: {example.com\/own: kept}, /
          s/^status:/spec: {taints: [{key: example.com\/own, value: kept, effect: PreferNoSchedule}]}\n&/'
      all+=("$pool-$i")
    done
  done < <(sed -nE 's/^pools (\S+) group (\S+) nodes_min [0-9]+ nodes_max ([0-9]+)$/\1 \3 \2/p' <<< "$dump") > "$built/nodes.yaml"
  kubectl create -f "$built/nodes.yaml" > /dev/null
  for i in "${all[@]}"; do sh "$built/nodes/${i%-*}.sh" "$i" > /dev/null; done
  local own
  own=$(kubectl get nodes -l example.com/own=kept,gpol.dev/gpu-pool \
    -o jsonpath='{range .items[*]}{.spec.taints[*].key}{"\n"}{end}' | grep -c 'example.com/own.*gpol.dev/gpu-pool\|gpol.dev/gpu-pool.*example.com/own')
  [ "$own" = "${#all[@]}" ] || { echo "of ${#all[@]} nodes $own kept their own label and taint beside the pool's"; return 1; }
  kubectl wait --for condition=Ready node --all --timeout=60s
}
