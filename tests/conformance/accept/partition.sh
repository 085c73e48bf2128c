#!/usr/bin/env bash
# partition.sh NAME BUILT: what BUILT/partition holds, on the running control plane: the API server takes the ConfigMaps;
# `kubectl patch` changes of a ClusterPolicy that is there what it should and nothing else; the commands label nodes of
# their pool, and no others. The CRD is that of gpu-operator v1.11.1, the newest that is to be had as a Go module, with
# `migManager.config.default` of later ones.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/results.sh"
name=$1 partition=$2/partition
cd "$CP_DIR"

module=$(cd / && GOTOOLCHAIN=local GOFLAGS=-mod=mod go mod download -json github.com/NVIDIA/gpu-operator@v1.11.1)
grep -qF '"Sum": "h1:MuM3nFga8dcK0krgxarYaSmpGSnFYOl2zBQRBNvHKD0="' <<< "$module" || { echo "gpu-operator v1.11.1 is another one" >&2; exit 1; }
crds=$(sed -n 's/^\t"Dir": "\(.*\)",$/\1/p' <<< "$module")/config/crd/bases
kubectl create -f "$crds/nvidia.com_clusterpolicies.yaml" > /dev/null
kubectl patch crd clusterpolicies.nvidia.com --type json -p '[{"op": "add", "value": {"type": "string", "enum": ["all-disabled", ""]},
  "path": "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/migManager/properties/config/properties/default"}]' > /dev/null
kubectl wait --for condition=Established crd/clusterpolicies.nvidia.com --timeout=60s > /dev/null
kubectl get namespace gpu-operator > /dev/null 2>&1 || kubectl create namespace gpu-operator > /dev/null

for file in "$partition"/mig-parted.yaml "$partition"/device-plugin.yaml; do
  [ ! -f "$file" ] || expect "$name: the server accepts $(basename "$file")" kubectl apply --server-side --validate=strict -f "$file"
done

cat > cluster-policy.yaml << 'END'
apiVersion: nvidia.com/v1
kind: ClusterPolicy
metadata: {name: cluster-policy}
spec:
  operator: {defaultRuntime: containerd}
  daemonsets: {priorityClassName: system-node-critical}
  dcgm: {enabled: true}
  dcgmExporter: {image: dcgm-exporter}
  driver: {enabled: false}
  gfd: {image: gpu-feature-discovery}
  nodeStatusExporter: {enabled: false}
  toolkit: {enabled: true}
  devicePlugin: {image: k8s-device-plugin, config: {name: theirs, default: any}}
  mig: {strategy: single}
  migManager: {enabled: true, config: {name: theirs}}
END
kubectl create -f cluster-policy.yaml > /dev/null
field() { kubectl get clusterpolicy cluster-policy -o "jsonpath={.spec.$1}"; }
# What the patch says of a field, as its lines do: a word, `null`, or nothing.
says() { perl -ne '/^( *)([A-Za-z]+): ?(.*)$/ or next; splice @at, length($1) / 2; push @at, $2; print $3 if join(".", @at) eq "spec.'"$1"'"' "$partition/cluster-policy.yaml"; }
expect "$name: the patch of the ClusterPolicy" kubectl patch clusterpolicy cluster-policy --type merge --patch-file "$partition/cluster-policy.yaml"
for path in mig.strategy migManager.config.name migManager.config.default devicePlugin.config.name devicePlugin.config.default; do
  before=
  case $path in
    mig.strategy) before=single ;;
    *.name) before=theirs ;;
    devicePlugin.config.default) before=any ;;
  esac
  meant=$(says "$path") found=$(field "$path")
  case $meant in '') meant=$before ;; null) meant= ;; esac
  expect "$name: $path is then \`$meant\`" [ "$found" = "$meant" ]
done
for path in driver.enabled operator.defaultRuntime daemonsets.priorityClassName migManager.enabled; do
  expect "$name: $path is as it was" [ "$(field "$path")" = "$(sed -n "s/.*${path%.*}: {.*${path#*.}: \([a-z-]*\).*/\1/p" cluster-policy.yaml)" ]
done

for script in "$partition"/*.sh; do
  config=$(basename "$script" .sh)
  key=$(sed -n 's/^kubectl label .* \([^ =]*\)=[^ ]*$/\1/p' "$script")
  pool=$(sed -n 's/^  kubectl get nodes -l \([^ ]*\) .*/\1/p' "$script")
  printf 'apiVersion: v1\nkind: Node\nmetadata: {name: %s}\n---\n' "in-$config" "out-$config" | kubectl create -f - > /dev/null
  kubectl label node "in-$config" "$pool" > /dev/null
  refuses "$name: $config.sh: a node of another pool" "out-$config has no label $pool" sh "$script" "in-$config" "out-$config"
  labelled() { kubectl get node "$1" -o "go-template={{index .metadata.labels \"$key\"}}"; }
  expect "$name: $config.sh: then no node has it" [ "$(labelled "in-$config")" = "<no value>" ]
  expect "$name: $config.sh: nodes of its pool" sh "$script" "in-$config"
  expect "$name: $config.sh: then they have it" [ "$(labelled "in-$config")" = "$config" ]
  file=mig-parted.yaml
  [ "$key" = nvidia.com/mig.config ] || file=device-plugin.yaml
  expect "$name: $config is a configuration of $file" grep -qE "^ *$config:" "$partition/$file"
done
kubectl delete nodes --all > /dev/null
