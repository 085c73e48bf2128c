#!/usr/bin/env bash
# Builds the judge (main.go) to $PARTS/bin/volcano-judge (../../common.sh). The first time this compiles most of
# Kubernetes' scheduler and of Volcano; then Go's cache has it.
#
# Exit 77: skipped, because Go >= 1.26 is not there.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../../common.sh"
need_go volcano
mkdir -p "$PARTS/bin"
PARTS=$(cd "$PARTS" && pwd)

exec 9> "$PARTS/lock" # as ../../controlplane/controlplane.sh
flock 9
made=$PARTS/volcano
bash "$here/apis.sh" "$made"
cd "$here"
# Bypasses no checksum: judge.sum is go.sum.
GOFLAGS=-mod=readonly go mod download volcano.sh/volcano
upstream=$(GOFLAGS=-mod=readonly go list -m -f '{{.Dir}}' volcano.sh/volcano)
# What schema.go embeds is upstream's, and lies in no folder of ours.
echo "{\"Replace\":{\"$here/queues.yaml\":\"$upstream/config/crd/volcano/bases/scheduling.volcano.sh_queues.yaml\"}}" \
  > "$made/overlay.json"
go_build -ldflags '-s -w' -modfile "$made/judge.mod" -overlay "$made/overlay.json" -o "$PARTS/bin/volcano-judge" .
