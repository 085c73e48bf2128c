#!/usr/bin/env bash
# Prints the figures of docs/benchmarks.md: whole processes, best of a few runs each, in one go.
#
#   bench/run.sh [GPOL]     GPOL: the program (default: build/release/gpol)
#
# Needs: python3, GNU time (/usr/bin/time).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
gpol=$(realpath "${1:-build/release/gpol}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

best() { # best RUNS COMMAND...: smallest wall seconds, CPU seconds, largest RSS in MiB
  local runs=$1; shift
  for ((i = 0; i < runs; i++)); do /usr/bin/time -f '%e %U %S %M' -o "$work/t" "$@" > /dev/null 2>&1 || true; tail -n 1 "$work/t"; done |
    awk '{w = $1; c = $2 + $3; if (NR == 1 || w < bw) bw = w; if (NR == 1 || c < bc) bc = c; if ($4 > m) m = $4}
         END {printf "%7.0f ms wall  %7.0f ms cpu  %5.0f MiB\n", bw * 1000, bc * 1000, m / 1024}'
}
short() { # short RUNS COMMAND...: mean wall of many runs, for programs that end within GNU time's hundredths
  local runs=$1 start end; shift
  start=$(date +%s%N)
  for ((i = 0; i < runs; i++)); do "$@" > /dev/null 2>&1 || true; done
  end=$(date +%s%N)
  awk -v a="$start" -v b="$end" -v n="$runs" 'BEGIN {printf "%7.1f ms wall (mean of %d, with the shell'"'"'s fork)\n", (b - a) / n / 1e6, n}'
}

printf '%-46s' 'an empty program (/bin/true)'; short 200 /bin/true
printf '%-46s' 'gpol --version'; short 200 "$gpol" --version
printf '%-46s' 'check examples/morning-ramp (safe)'; short 50 "$gpol" check examples/morning-ramp/morning-ramp.gpol
for n in 100 1000 10000; do
  python3 bench/generate.py $n > "$work/$n.gpol"
  printf '%-46s' "check, $n tenants"; best 3 "$gpol" check "$work/$n.gpol"
done
python3 bench/generate.py 10000 --distinct > "$work/distinct.gpol"
printf '%-46s' 'check, 10000 tenants, all quotas distinct'; best 3 "$gpol" check "$work/distinct.gpol"
for n in 10000; do
  printf '%-46s' "solver questions, $n tenants"
  { "$gpol" check --format json "$work/$n.gpol" || [ $? = 1 ]; } | python3 -c '
import json, sys
stats = json.load(sys.stdin)["stats"]
print(stats)
if "obligations_undecided" in stats: sys.exit("bench: the policy is meant to be decided: see bench/generate.py")'
done
