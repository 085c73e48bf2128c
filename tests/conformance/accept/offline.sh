#!/usr/bin/env bash
# offline.sh NAME BUILT CRDS OUT: judges a directory that `gpol build` wrote, without a server. OUT receives what the real
# kustomize makes of each overlay (OUT/<mode>.yaml) and broken twins of a ClusterQueue (OUT/broken/*.yaml).
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/results.sh"
name=$1 built=$2 crds=$3 out=$4
mkdir -p "$out/broken"

modes=0 mode=none
for overlay in "$built"/overlays/*/; do
  mode=$(basename "$overlay")
  modes=$((modes + 1))
  expect "$name: kustomize renders overlay $mode" kubectl kustomize "$overlay" -o "$out/$mode.yaml"
  expect "$name: schema, CEL and webhooks accept overlay $mode" accept check "$crds" "$out/$mode.yaml"
done
[ "$modes" -gt 0 ] || { fail "$name: no overlay"; exit; }

# What is applied one by one must stand by itself as well, and no file may be left out of the kustomization.
shopt -s nullglob
files=()
for file in "$built"/base/*.yaml; do [ "$(basename "$file")" = kustomization.yaml ] || files+=("$file"); done
expect "$name: schema, CEL and webhooks accept the ${#files[@]} files of base" accept check "$crds" "${files[@]}"
objects() { grep -c '^kind:' "$@" | awk -F: '{n += $NF} END {print n}'; }
if [ "$(objects "${files[@]}" /dev/null)" = "$(objects "$out/$mode.yaml" /dev/null)" ]; then
  pass "$name: the kustomization lists every object"
else fail "$name: base holds other objects than the rendered overlay"; fi

# What Argo CD and Flux render when they are given the directory.
expect "$name: kustomize renders the directory itself" kubectl kustomize "$built" -o "$out/broken/.whole"
expect "$name: schema, CEL and webhooks accept it" accept check "$crds" "$out/broken/.whole"
if kubectl kustomize "$built/base" | cmp -s - "$out/broken/.whole"; then
  pass "$name: the directory itself is its base, in the same order"
else fail "$name: the directory itself renders something else than its base"; fi

config="$built/controller/controller_manager_config.yaml"
expect "$name: Kueue's loader accepts the Configuration" accept config "$config"

# Negative controls: the same judges must refuse what is wrong.
if grep -q '^  cohortName:' "$out/$mode.yaml"; then # one alone has no limits to break
  expect "$name: each broken ClusterQueue is refused by the judge that must" accept break "$crds" "$out/$mode.yaml" "$out/broken"
fi
sed 's/^kind: Configuration$/&\nwaitForPodsRedy: {timeout: 30m}/' "$config" > "$out/broken/misspelt-configuration"
refuses "$name: a misspelt Configuration is refused" 'unknown field "waitForPodsRedy"' accept config "$out/broken/misspelt-configuration"
