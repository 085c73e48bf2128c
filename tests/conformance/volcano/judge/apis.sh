#!/usr/bin/env bash
# Makes DIR/judge.mod (and judge.sum), which is go.mod with DIR/apis in the place of volcano.sh/apis. Volcano v1.15.1
# requires v1.15.1 of it, which is not to be had everywhere, and replaces it by a folder of its own repository, which is
# not in its module. v1.14.0 is to be had, and lacks one constant that is used (pkg/scheduler/cache/util.go).
#
#   apis.sh DIR
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$1"
dir=$(cd "$1" && pwd)
cd "$here"
export GOTOOLCHAIN=local GOFLAGS=-mod=readonly

go mod download volcano.sh/apis # go.mod replaces the version; go.sum has what it must be
upstream=$(go list -m -f '{{.Dir}}' volcano.sh/apis)
if [ "$(cat "$dir/apis.made" 2> /dev/null)" != "$upstream" ]; then
  rm -rf "$dir/apis" "$dir/apis.made"
  cp -r "$upstream" "$dir/apis"
  chmod -R u+w "$dir/apis"
  cat > "$dir/apis/pkg/apis/scheduling/v1beta1/queue_allocation_gate.go" << 'GO'
package v1beta1

const QueueAllocationGateKey = GroupName + "/queue-allocation-gate"
GO
  echo "$upstream" > "$dir/apis.made"
fi
cp go.sum "$dir/judge.sum"
cp go.mod "$dir/judge.mod.new"
go mod edit -replace "volcano.sh/apis=$dir/apis" "$dir/judge.mod.new"
mv "$dir/judge.mod.new" "$dir/judge.mod"
