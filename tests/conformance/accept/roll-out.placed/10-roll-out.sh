#!/usr/bin/env bash
# While the guards only audit, nobody is refused anything; the one word changed in their bindings, they deny, and leave
# out the namespaces that are exempt.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../results.sh"
. "$here/../tenant.sh"
rendered=$1
name=roll-out
for ns in playground rook-ceph; do
  tenant create namespace $ns > /dev/null
  within 30 kubectl -n $ns get serviceaccount default > /dev/null
done
gpu_pod() { pod "$1" x "" "containers: [$(container 1)]" | tenant create --dry-run=server --validate=strict -f -; }
squatter() { pod web x "" "tolerations: [{operator: Exists}], containers: [{name: c, image: example.invalid/x}]" | tenant create --dry-run=server --validate=strict -f -; }
for ns in playground rook-ceph; do expect "$name: guards audit: a GPU pod in $ns is accepted" gpu_pod $ns; done
expect "$name: guards audit: a tenant's pod that tolerates everything is accepted" squatter

sed 's/^\( *\)- Audit$/\1- Deny/' "$rendered/default.yaml" > "$rendered/deny.yaml"
refused() { # refused WORDS CMD...
  local words=$1 said
  shift
  ! said=$("$@" 2>&1) && grep -qF "$words" <<< "$said"
}
expect "$name: the pipeline lets the guards deny" apply "$rendered/deny.yaml"
expect "$name: guards deny: a GPU pod elsewhere is refused" within 20 refused "a pod that asks for a GPU must be queued" gpu_pod playground
expect "$name: guards deny: a tenant's pod that tolerates everything is refused" within 20 refused "does not tolerate the taint" squatter
expect "$name: guards deny: a GPU pod in an exempt namespace is accepted" gpu_pod rook-ceph
bash "$here/../others.sh" "$name once the guards deny"
