#!/usr/bin/env bash
# What gpol builds, judged by the real upstream parts: the pinned CRDs (schema and CEL), Kueue's webhooks and
# Configuration loader, a real API server with the real Kueue, and the morning ramp played on it.
#
#   run.sh [GPOL]         GPOL: the program (default: build/release/gpol of the repository)
#   GPOL_CI=full run.sh   every play
#   ONLY=NAME run.sh      of that policy alone
#   RESULTS=FILE run.sh   keeps the list of all that passed and failed
#
# Every safe example is built and judged without a server. Played on one: morning-ramp, and of the others the one that
# GPOL_SEED (a number; default 1) picks. The last line counts what passed. Exit 0: all passed; 1: not; 77: skipped, because
# Go >= 1.26 or another tool that the harness needs is not there (ctest: SKIP_RETURN_CODE).
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/common.sh"
gpol=$(realpath "${1:-$root/build/release/gpol}")
begun=$SECONDS
need_go conformance
for tool in perl openssl flock; do
  command -v "$tool" > /dev/null || { echo "conformance: skipped: no $tool"; exit 77; }
done

"$controlplane" build
export PATH="$PARTS/bin:$PATH"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Kueue's, and the kinds of gateways that are written.
crds=$work/crds
mkdir "$crds"
cp "$(module_dir sigs.k8s.io/kueue)"/config/components/crd/bases/*.yaml "$crds"
export GATEWAY_CRDS=$work/gateway-crds
mkdir "$GATEWAY_CRDS"
gateway_dir() { (cd "$root/tests/gateway" && go mod download -json "$1" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p'); }
cp "$(gateway_dir github.com/envoyproxy/gateway)/charts/gateway-helm/charts/crds/crds/generated/gateway.envoyproxy.io_backendtrafficpolicies.yaml" \
  "$(gateway_dir sigs.k8s.io/gateway-api)/config/crd/standard/gateway.networking.k8s.io_httproutes.yaml" "$GATEWAY_CRDS"
cp "$GATEWAY_CRDS"/*.yaml "$crds"
volcano=$(cd "$here/volcano/judge" && go mod download -json volcano.sh/volcano | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
cp "$volcano/config/crd/volcano/bases/scheduling.volcano.sh_queues.yaml" "$crds"
RESULTS=$(realpath "${RESULTS:-$work/results}")
export RESULTS
: > "$RESULTS"
took() { echo "conformance: $1: $((SECONDS - $2)) s"; } # took WHAT SINCE

others=(three-tiers on-prem-three-classes chat-at-the-edge outside-preempts retired roll-out)
picked=${others[10#${GPOL_SEED:-1} % ${#others[@]}]}
if [ -n "${ONLY:-}" ]; then
  echo "conformance: this run plays $ONLY alone"
elif [ "${GPOL_CI:-}" = full ]; then
  echo "conformance: this run plays all"
else
  echo "conformance: besides morning-ramp this run plays $picked (GPOL_SEED=${GPOL_SEED:-1}); GPOL_CI=full plays all"
fi

# play NAME POLICY: on a control plane of its own, with nodes where NAME has a story with pods
play() {
  local name=$1 policy=$2 built=$work/$1 rendered=$work/rendered-$1 grace= start=$SECONDS
  export KUEUE_CONFIG="$built/controller/controller_manager_config.yaml"
  if [ -d "$here/accept/$name.placed" ]; then
    case "$policy" in "$here"/*) grace=full ;; esac # a policy that is there for its scenes
    WITH=nodes GRACE=$grace "$controlplane" run bash "$here/accept/placed.sh" "$name" "$rendered" "$built" "$gpol" "$policy"
  else
    "$controlplane" run bash "$here/accept/server.sh" "$name" "$rendered" "$built"
  fi || echo "fail $name: the control plane or a script on it ended early" | tee -a "$RESULTS"
  took "the play of $name" "$start"
}

for policy in "$root"/examples/*/*.gpol "$here"/accept/*.placed/*.gpol; do
  name=$(basename "$policy" .gpol)
  case "$policy" in *unsafe*) continue ;; esac
  [ "${ONLY:-$name}" = "$name" ] || continue
  start=$SECONDS
  "$gpol" build "$policy" -o "$work/$name" > "$work/$name.log" 2>&1 || { cat "$work/$name.log"; echo "fail $name: build" | tee -a "$RESULTS"; continue; }
  echo "pass $name: build" >> "$RESULTS"
  if [ -d "$work/$name/scheduler" ]; then # Volcano's: it has no controller of Kueue, and no play here
    bash "$here/accept/offline_volcano.sh" "$name" "$work/$name" "$crds" "$work/rendered-$name" ||
      echo "fail $name: a script ended early" | tee -a "$RESULTS"
    continue
  fi
  bash "$here/accept/offline.sh" "$name" "$work/$name" "$crds" "$work/rendered-$name" ||
    { echo "fail $name: a script ended early" | tee -a "$RESULTS"; continue; }
  took "$name without a server" "$start"
  if [ -n "${ONLY:-}" ] || [ "${GPOL_CI:-}" = full ] || [ "$name" = morning-ramp ] || [ "$name" = "$picked" ]; then
    play "$name" "$policy"
  fi
done

passed=$(grep -c '^pass ' "$RESULTS" || true)
failed=$(grep -c '^fail ' "$RESULTS" || true)
grep '^fail ' "$RESULTS" | sed 's/^/conformance: /' || true
echo "conformance: took $((SECONDS - begun)) s"
echo "conformance: $passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
