#!/usr/bin/env bash
# What gpol writes for MIG Manager and for the device plugin, judged by NVIDIA's own code (mig-parted v0.13.1,
# k8s-device-plugin v0.19.0; no GPU): judge/judge.go. First the judge itself: it accepts samples/good as the .expected
# files beside them say, and refuses each of samples/bad for the one reason in its first line. Then every policy of
# policies.list is built, and its partition/*.yaml judged: mig-parted*, and device-plugin*, of which every resource that a
# pod would have to ask for must be one that the other manifests name.
#
#   run.sh [GPOL]       GPOL: the program (default: build/release/gpol of the repository)
#   UPDATE=1 run.sh     also writes the .expected files anew
#   LIST=FILE run.sh    of another list of policies
#
# Exit 0: all passed; 1: not; 77: skipped, because Go >= 1.26 or a C compiler (NVIDIA's code has C in it) is not there.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../common.sh"
gpol=$(realpath "${1:-$root/build/release/gpol}")
list=$(realpath "${LIST:-$here/policies.list}")
mkdir -p "$PARTS/bin"
PARTS=$(cd "$PARTS" && pwd)

need_go partition
export GOTOOLCHAIN=local CGO_ENABLED=1
if ! command -v "$(go env CC)" > /dev/null; then
  echo "partition: skipped: no C compiler"
  exit 77
fi

build() (
  exec 9> "$PARTS/lock" # as ../controlplane/controlplane.sh
  flock 9
  cd "$here"
  # The plugin's own package main, as files of the judge's.
  local upstream name replace=
  go mod download github.com/NVIDIA/k8s-device-plugin
  upstream=$(go list -mod=readonly -m -f '{{.Dir}}' github.com/NVIDIA/k8s-device-plugin)/cmd/nvidia-device-plugin
  for name in main plugin-manager root; do
    replace="$replace${replace:+,}\"$here/judge/upstream_$name.go\":\"$upstream/$name.go\""
  done
  echo "{\"Replace\":{$replace}}" > "$PARTS/partition-overlay.json"
  go_build -ldflags '-s -w' -overlay "$PARTS/partition-overlay.json" -o "$PARTS/bin/partition-judge" ./judge
)
began=$SECONDS
build
echo "partition: judge built in $((SECONDS - began)) s"
judge="$PARTS/bin/partition-judge"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
pass() { passed=$((passed + 1)); }
fail() { # fail WHAT [FILE]: FILE says more
  failed=$((failed + 1))
  echo "partition: FAILED: $1"
  if [ $# -gt 1 ]; then sed 's/^/  /' "$2"; fi
}

cd "$here/samples/good"
for sample in mig-*.yaml sharing-*.yaml; do
  status=0
  "$judge" "${sample%%-*}" "$sample" > "$work/out" 2>&1 || status=$?
  if [ -n "${UPDATE:-}" ]; then cp "$work/out" "${sample%.yaml}.expected"; fi
  if [ "$status" = 0 ] && diff "${sample%.yaml}.expected" "$work/out" > "$work/diff"; then
    pass
  else
    fail "samples/good/$sample: exit $status" "$work/diff"
  fi
done

cd "$here/samples/bad"
for sample in mig-*.yaml sharing-*.yaml; do
  status=0
  reason=$(sed -n '1s/^# refused: //p' "$sample")
  "$judge" "${sample%%-*}" "$sample" > "$work/out" 2>&1 || status=$?
  if [ "$status" = 1 ] && [ -n "$reason" ] && [ "$(grep -c '' "$work/out")" = 1 ] &&
    grep -qF -- ": refused: " "$work/out" && grep -qF -- "$reason" "$work/out"; then
    pass
  else
    fail "samples/bad/$sample: exit $status, to be refused for: $reason" "$work/out"
  fi
done

# What NVIDIA's code refuses, `build --mig-config` refuses, too; what it accepts is written beside the policy's, and
# accepted so. (Of a count of 0 beside others mig-parted says nothing, and never finds it applied: gpol leaves it out.)
cd "$here/samples"
for sample in good/mig-*.yaml bad/mig-*.yaml; do
  status=0
  rm -rf "$work/merged"
  "$gpol" build "$root/tests/golden/partition/counts_on_two_kinds_of_nodes.gpol" -o "$work/merged" \
    --mig-config "$sample" > "$work/out" 2>&1 < /dev/null || status=$?
  case $sample in
    good/* | bad/mig-a-zero-count.yaml)
      if [ "$status" = 0 ] && "$judge" mig "$work/merged/partition/mig-parted.yaml" > "$work/out" 2>&1; then
        pass
      else
        fail "samples/$sample: merged: exit $status" "$work/out"
      fi
      for name in $(sed -n 's/^  *\([a-z0-9.-]*\):$/\1/p' "$sample" | grep -vxE 'data|metadata|mig-configs|mig-devices'); do
        if grep -qE "^ *$name:" "$work/merged/partition/mig-parted.yaml"; then
          pass
        else
          fail "samples/$sample: merged: $name is not there"
        fi
      done
      ;;
    *)
      if [ "$status" = 1 ] && grep -qF 'error[GP0512]' "$work/out" && ! [ -e "$work/merged" ]; then
        pass
      else
        fail "samples/$sample: given: exit $status" "$work/out"
      fi
      ;;
  esac
done

cd "$work"
status=0
"$judge" mig not-there.yaml > out 2>&1 || status=$?
if [ "$status" = 1 ]; then pass; else fail "a file that is not there: exit $status" out; fi
while read -r policy || [ -n "$policy" ]; do
  case "$policy" in '' | '#'*) continue ;; esac
  built=$(tr '/' '_' <<< "${policy%.gpol}")
  if ! "$gpol" build "$root/$policy" -o "$built" > log 2>&1 < /dev/null; then
    fail "$policy: build" log
    continue
  fi
  judged=0
  for file in "$built"/partition/*.yaml; do
    case "${file##*/}" in
      mig-parted*) kind=mig ;;
      device-plugin*) kind=sharing ;;
      *) continue ;;
    esac
    judged=$((judged + 1))
    if ! "$judge" "$kind" "$file" > out 2>&1; then
      fail "$policy: ${file##*/}" out
      continue
    fi
    pass
    cat out
    for resource in $(sed -n 's/.* asked=\([^ ]*\).*/\1/p' out | sort -u); do
      if grep -rEq --include='*.yaml' --exclude-dir=partition "name: [\"']?${resource//./\\.}[\"']?( *[,}#].*)?\$" "$built"; then
        pass
      else
        fail "$policy: ${file##*/}: pods would ask for $resource, and no quota has that name"
      fi
    done
  done
  [ "$judged" -gt 0 ] || fail "$policy: its output has no partition/mig-parted*.yaml and no partition/device-plugin*.yaml"
done < "$list"

echo "partition: took $SECONDS s"
echo "partition: $passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
