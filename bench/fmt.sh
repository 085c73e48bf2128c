#!/usr/bin/env bash
# Prints what `gpol fmt` takes: one file of 1,000, 10,000 and 100,000 tenants, in the style and on one line each, and 1,000
# files of 20 lines. Best of a few runs, whole processes; the time for a byte tells whether it is linear.
#
#   bench/fmt.sh [GPOL [JSONNETFMT...]]     GPOL: the program (default: build/release/gpol)
#
# Needs: python3, GNU time (/usr/bin/time). Each JSONNETFMT formats 1,000 files that say the same beside it: Debian's (the one in
# C++: `apt-get install jsonnet`), or the one in Go: `go install github.com/google/go-jsonnet/cmd/jsonnetfmt@v0.22.0`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
gpol=$(realpath "${1:-build/release/gpol}")
peers=("${@:2}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

line() { # line NAME BYTES RUNS COMMAND...: smallest wall and CPU time, largest RSS, CPU time by byte
  local name=$1 bytes=$2 runs=$3; shift 3
  for ((i = 0; i < runs; i++)); do /usr/bin/time -f '%e %U %S %M' -o "$work/t" "$@" > /dev/null 2>&1 || true; tail -n 1 "$work/t"; done |
    awk -v name="$name" -v bytes="$bytes" '
      {w = $1; c = $2 + $3; if (NR == 1 || w < bw) bw = w; if (NR == 1 || c < bc) bc = c; if ($4 > m) m = $4}
      END {printf "%-44s %9d bytes %6.0f ms wall %6.0f ms cpu %5.0f MiB %5.0f ns a byte\n", name, bytes, bw * 1000, bc * 1000,
           m / 1024, bc * 1e9 / bytes}'
}

for n in 1000 10000 100000; do
  python3 bench/generate.py $n > "$work/messy.gpol"
  "$gpol" fmt - < "$work/messy.gpol" > "$work/clean.gpol"
  line "fmt --check, $n tenants, a line each" "$(stat -c %s "$work/messy.gpol")" 3 "$gpol" fmt --check "$work/messy.gpol"
  line "fmt --check, $n tenants, in the style" "$(stat -c %s "$work/clean.gpol")" 3 "$gpol" fmt --check "$work/clean.gpol"
  line "fmt --diff, $n tenants, a line each" "$(stat -c %s "$work/messy.gpol")" 3 "$gpol" fmt --diff "$work/messy.gpol"
done

policy=$work/policy.gpol # 20 lines
cat > "$policy" <<'EOF'
# Search lends at night and has its GPUs back by day.
language 1

window night = 22:00..06:00 Europe/Zurich daily

class standard : B { ready within 4min }
class batch    : C { runs Job; grace 60s (saved in 45s); kill margin 5s }

tenant search {
  namespace search-prod
  owner @search
  class standard
  reserve 16 gpus of shared
  replica 8 gpus, 128 cpu, 960 GiB
  start schedule 5s, image 20s, weights 40s, load 25s, warm 20s (measured 2026-10)
}
tenant finetune { namespace ml-train; class batch; quota 40 gpus of burst }

allow finetune to borrow up to 8 gpus of shared from search during night, back within 2min
prove standard ready within 4min
EOF
mkdir "$work/clean" "$work/messy"
for ((i = 0; i < 1000; i++)); do
  cp "$policy" "$work/clean/$i.gpol"
  sed 's/ = /=/; s/^  */ /' "$policy" > "$work/messy/$i.gpol"
done
bytes=$((1000 * $(stat -c %s "$policy")))
line "fmt --check, 1000 files, in the style" "$bytes" 3 "$gpol" fmt --check "$work/clean"
line "fmt --check, 1000 files, not in the style" "$bytes" 3 "$gpol" fmt --check "$work/messy"
line "fmt, 1000 files, each replaced on the disk" "$bytes" 1 "$gpol" fmt "$work/messy"

# The same quotas of 1,000 teams as policies and as Jsonnet, both in style; in turns, so that the ratios hold on a busy machine.
python3 bench/teams.py "$work/teams" 1000
beside=("gpol fmt --check, 1000 teams=$gpol fmt --check $work/teams/gpol")
for peer in "${peers[@]}"; do
  beside+=("$("$peer" --version 2>&1 | head -n 1), --test=$peer --test $work/teams/jsonnet/*")
done
python3 bench/beside.py 9 "${beside[@]}"
