#!/usr/bin/env bash
# Prints what `gpol verify` takes on the manifests of 1,000 teams, one file each, beside kubeconform with local schemas: in
# turns, so that what else the machine does falls on both. kubeconform looks at the structure of each file; gpol does,
# and at the rules of CRDs and webhooks, and proves what the serving queues own.
#
#   bench/verify.sh [GPOL [KUBECONFORM]]    default: build/release/gpol, kubeconform
#
# Needs: python3, python3-yaml; for kubeconform (`go install github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0`) Go >= 1.26, which
# also brings Kueue's CRDs. Without it only gpol is timed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
gpol=$(realpath "${1:-build/release/gpol}")
kubeconform=${2:-kubeconform}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 bench/manifests.py "$work/teams" 1000
python3 bench/manifests.py "$work/many" 10000
peers=()
if command -v "$kubeconform" > /dev/null && command -v go > /dev/null; then
  crds=$(cd tests/conformance && go list -mod=readonly -m -f '{{.Dir}}' sigs.k8s.io/kueue)/config/components/crd/bases
  python3 bench/manifests.py --schemas "$crds" "$work/schemas"
  peers=("kubeconform -strict, 1000 files=$kubeconform -strict -schema-location '$work/schemas/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json' $work/teams")
fi
python3 bench/beside.py 7 "gpol verify, 1000 files, 300 serving queues=$gpol verify $work/teams" "${peers[@]}"
python3 bench/beside.py 1 "gpol verify, 10000 files, 3000 serving queues=$gpol verify $work/many"
