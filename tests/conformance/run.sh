#!/usr/bin/env bash
# What gpol builds, judged by the real upstream parts: the pinned CRDs (schema and CEL), Kueue's webhooks and
# Configuration loader, a real API server with the real Kueue, and the morning ramp played on it.
#
#   run.sh [GPOL]     GPOL: the program (default: build/release/gpol of the repository)
#   ONLY=NAME run.sh  of that policy alone
#
# Every safe example is built and judged. The last line counts what passed. Exit 0: all passed; 1: not; 77: skipped,
# because Go >= 1.26 or another tool that the harness needs is not there (ctest: SKIP_RETURN_CODE).
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
gpol=$(realpath "${1:-$root/build/release/gpol}")
export PARTS=${PARTS:-$root/build/parts}

skip() {
  echo "conformance: skipped: $*"
  echo "conformance: 0 passed, 0 failed, 1 skipped"
  exit 77
}
command -v go > /dev/null || skip "no go"
version=$(GOTOOLCHAIN=local go env GOVERSION)
minor=$(sed -n 's/^go1\.\([0-9]*\).*/\1/p' <<< "$version")
[ "${minor:-0}" -ge 26 ] || skip "$version is older than go1.26"
for tool in perl openssl flock; do command -v "$tool" > /dev/null || skip "no $tool"; done

controlplane="$here/controlplane/controlplane.sh"
"$controlplane" build
export PATH="$PARTS/bin:$PATH"
crds=$(cd "$here" && go list -mod=readonly -m -f '{{.Dir}}' sigs.k8s.io/kueue)/config/components/crd/bases

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export RESULTS="$work/results"
touch "$RESULTS"
for policy in "$root"/examples/*/*.gpol "$here"/accept/*.placed/*.gpol; do
  name=$(basename "$policy" .gpol)
  case "$policy" in *unsafe*) continue ;; esac
  [ "${ONLY:-$name}" = "$name" ] || continue
  built="$work/$name"
  "$gpol" build "$policy" -o "$built" > "$work/$name.log" 2>&1 || { cat "$work/$name.log"; echo "fail $name: build" | tee -a "$RESULTS"; continue; }
  echo "pass $name: build" >> "$RESULTS"
  bash "$here/accept/offline.sh" "$name" "$built" "$crds" "$work/rendered-$name" ||
    { echo "fail $name: a script ended early" | tee -a "$RESULTS"; continue; }
  grace=full # a policy that is there for its scenes
  case "$policy" in
    "$root"/examples/*)
      grace=
      KUEUE_CONFIG="$built/controller/controller_manager_config.yaml" \
        "$controlplane" run bash "$here/accept/server.sh" "$name" "$work/rendered-$name" "$built" ||
        echo "fail $name: the control plane or a script on it ended early" | tee -a "$RESULTS"
      ;;
  esac
  [ -d "$here/accept/$name.placed" ] || continue
  WITH=nodes GRACE=$grace KUEUE_CONFIG="$built/controller/controller_manager_config.yaml" \
    "$controlplane" run bash "$here/accept/placed.sh" "$name" "$work/rendered-$name" "$built" "$gpol" "$policy" ||
    echo "fail $name: the control plane with nodes or a script on it ended early" | tee -a "$RESULTS"
done

passed=$(grep -c '^pass ' "$RESULTS" || true)
failed=$(grep -c '^fail ' "$RESULTS" || true)
grep '^fail ' "$RESULTS" | sed 's/^/conformance: /' || true
echo "conformance: $passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
