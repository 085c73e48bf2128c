#!/usr/bin/env bash
# offline_volcano.sh NAME BUILT CRDS OUT: judges a directory that `gpol build` wrote for Volcano, without a server: schema
# and CEL of every object. What Volcano's own code says of it: ../volcano/run.sh.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/results.sh"
name=$1 built=$2 crds=$3 out=$4
mkdir -p "$out"

expect "$name: kustomize renders the directory" kubectl kustomize "$built" -o "$out/whole.yaml"
expect "$name: schema and CEL accept it" accept check "$crds" "$out/whole.yaml"
files=()
for file in "$built"/base/*.yaml; do [ "$(basename "$file")" = kustomization.yaml ] || files+=("$file"); done
expect "$name: schema and CEL accept the ${#files[@]} files of base" accept check "$crds" "${files[@]}"
objects() { grep -c '^kind:' "$@" | awk -F: '{n += $NF} END {print n}'; }
if [ "$(objects "${files[@]}" /dev/null)" = "$(objects "$out/whole.yaml" /dev/null)" ]; then
  pass "$name: the kustomization lists every object"
else fail "$name: base holds other objects than are rendered"; fi
# A negative control: the same judge must refuse what is wrong.
sed 's/^  reclaimable: .*/&\n  priority: -1/;/^  priority: [0-9]/d' "$built/base/queues.yaml" > "$out/broken"
refuses "$name: a queue with a priority below 0 is refused" 'greater than or equal to 0' accept check "$crds" "$out/broken"
