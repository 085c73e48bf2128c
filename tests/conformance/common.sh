# Sourced by the scripts of the suites, which set `here` first. A suite plays a sample of random cases: SEED COUNT.
# GPOL_SEED is the seed (CI: a number made from the commit, so that each draws other cases), and what the samples that
# failed once had (seeds.txt) is played before. GPOL_CI=full makes the samples large.

conformance=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$conformance/../.." && pwd)
controlplane=$conformance/controlplane/controlplane.sh
export PARTS=${PARTS:-$root/build/parts}

# need_go NAME: ends the script with 77 (skipped) where Go >= 1.26 is not there
need_go() {
  local version minor
  if ! command -v go > /dev/null; then
    echo "$1: skipped: no go"
    exit 77
  fi
  version=$(GOTOOLCHAIN=local go env GOVERSION)
  minor=$(sed -n 's/^go1\.\([0-9]*\).*/\1/p' <<< "$version")
  if [ "${minor:-0}" -lt 26 ]; then
    echo "$1: skipped: $version is older than go1.26"
    exit 77
  fi
}

# go_build ARG...: the same flags for everything, or what programs share would be compiled once for each. Compiling takes
# longer than running what comes of it, hence neither inlining (-l) nor debug information: 37 % less processor time.
go_build() {
  GOTOOLCHAIN=local GOGC=400 go build -mod=readonly -buildvcs=false -trimpath '-gcflags=all=-l -dwarf=false' "$@"
}

# module_dir, module_version MODULE: of the pinned one
module_dir() { (cd "$conformance" && go list -mod=readonly -m -f '{{.Dir}}' "$1"); }
module_version() { (cd "$conformance" && go list -mod=readonly -m -f '{{.Version}}' "$1"); }

# older_versions SEED: which older versions of Kueue are asked, one a line: one that the seed chooses, or all
older_versions() {
  local files=("$conformance"/differential/kueue-v*.mod)
  if [ "${GPOL_CI:-}" != full ]; then files=("${files[$1 % ${#files[@]}]}"); fi
  basename -s .mod -a "${files[@]}" | sed 's/^kueue-//'
}

# suite NAME VARIABLE SAMPLE FULL: sets `seed`, `count` (VARIABLE of the environment, else SAMPLE, or FULL where
# GPOL_CI=full), `work`, a directory that is removed at the end, and `strict`, whether the figures that were measured at
# seed 1 hold: what a random sample has only most of the time must not fail a commit. Says at the end how long it took.
suite() {
  suite=$1 seed=${GPOL_SEED:-1} count=${!2:-$3} strict=
  if [ "${GPOL_CI:-}" = full ]; then
    count=${!2:-$4}
    if [ "$seed" = 1 ] && [ "$count" -ge "$4" ]; then strict=1; fi
  fi
  case "$seed$count" in *[!0-9]*) echo "$suite: GPOL_SEED and $2 are numbers" >&2; exit 2 ;; esac
  seed=$((10#$seed)) played= # no octal number
  again="GPOL_SEED=$seed $2=$count tests/conformance/$(basename "$here")/$(basename "$0")"
  work=$(mktemp -d)
  trap 'finish $?' EXIT
  echo "$suite: seed $seed, $count cases (play again: $again)"
}

finish() {
  rm -rf "$work"
  if [ "$1" != 0 ] && [ -n "$played" ]; then
    echo "$suite: failed: $played (seed $seed; play again: $again)"
    if ! grep -qxF "$played" "$conformance/seeds.txt"; then
      echo "$suite: so that it is played from now on, add to tests/conformance/seeds.txt (with COUNT 1 where one case is known):"
      echo "$played"
    fi
  fi
  echo "$suite: took $SECONDS s"
}

# samples NAME FUNCTION SEED COUNT: FUNCTION SEED COUNT for what seeds.txt has under NAME, then for this sample
samples() {
  local name stored_ sample_ # FUNCTION sees them, too: names that nobody else has
  mapfile -t stored_ < <(grep -E "^$1 [0-9]+ [0-9]+$" "$conformance/seeds.txt" || true)
  for sample_ in "${stored_[@]}" "$1 $3 $4"; do
    played=$sample_
    read -r name sample_ <<< "$sample_"
    if [ "$sample_" != "$3 $4" ]; then echo "$suite: $name: one that failed once: $sample_"; fi
    # shellcheck disable=SC2086 # two words
    "$2" $sample_
  done
  played=
}
