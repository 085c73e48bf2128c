#!/usr/bin/env bash
# gpol's executable model of Kueue's admission against the real Kueue code: random histories of a cluster, the outcome of
# every scheduling cycle compared.
#
#   run.sh [HISTORIES]     HISTORIES: the program (default: build/release/tests/histories of the repository)
#
# Environment: GPOL_HISTORIES   how many histories (default 600, about 20,000 decisions; GPOL_CI=full: 1,500; 30,000 are a
#                               million)
#              GPOL_SEED        of the first (default 1)
# Then it counts how often each rule of the model decided something in these histories: an occurrence is a cycle whose
# outcome is another one without the rule; each of the parts that are counted side by side stops looking for a rule once
# it decided 250 times, or 10 in a sample. The cases of regressions.jsonl come first. A failure is shrunk and printed as a line to be
# added there. Last, the quotas of older versions (older.sh). Exit 0: no disagreement and no count below its floor; 1: not;
# 77: skipped, because Go >= 1.26 is not there.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../common.sh"
histories=$(realpath "${1:-$root/build/release/tests/histories}")
need_go differential
suite differential GPOL_HISTORIES 600 1500

"$controlplane" judge
crds=$(module_dir sigs.k8s.io/kueue)/config/components/crd/bases

echo "differential: Kueue $(module_version sigs.k8s.io/kueue)"
"$histories" left-out | sed 's/^/differential: left out: /'
log=$work/log
# What the reference states, one case each, with what it says of the end.
"$histories" cases | "$PARTS/bin/judge" histories -crds "$crds" > "$log" || { cat "$log"; exit 1; }
"$histories" case-names | sed 's/^/differential: case holds in both: /'
"$histories" play < "$here/regressions.jsonl" | "$PARTS/bin/judge" histories -shrink "$histories"
play() {
  "$histories" random "$1" "$2" | "$PARTS/bin/judge" histories -shrink "$histories" | tee "$log"
}
samples differential play "$seed" "$count"

# Of the last one.
decisions=$(sed -n 's/^differential: .* histories, \([0-9]*\) decisions.*/\1/p' "$log")
floor=$((count * 28)) # a history has 34 on average
if [ "${decisions:-0}" -lt "$floor" ]; then
  echo "differential: ${decisions:-0} decisions are fewer than $floor"
  exit 1
fi

# How often the rarest decide differs from seed to seed, so in a sample every rule must decide at all: of 600 histories
# each of three seeds had the rarest 27 times and more. In as many parts as there are cores.
enough=250 least=$((count * 200 / 4000))
if [ -z "$strict" ]; then enough=10 least=$((count >= 300)); fi
cores=$(nproc)
pids=()
for ((i = 0; i < cores; i++)); do
  from=$((seed + count * i / cores)) to=$((seed + count * (i + 1) / cores))
  "$histories" rules "$from" $((to - from)) "$enough" > "$work/part-$i" &
  pids+=($!)
done
for pid in "${pids[@]}"; do wait "$pid"; done
sort -k 2 "$work"/part-* | awk -v least="$least" -v enough="$enough" -v count="$count" '
  { n = $1; $1 = ""; sum[$0] += n }
  END {
    for (rule in sum) {
      printf "differential: decided %7d times%s:%s\n", sum[rule], sum[rule] < enough ? "" : " or more", rule | "sort -k 3n"
      if (sum[rule] < least) { short = short "\ndifferential: fewer than " least " times in " count " histories:" rule; bad = 1 }
    }
    close("sort -k 3n")
    if (bad) { print substr(short, 2); exit 1 }
    print "differential: every rule decided at least " least " times"
  }'
"$here/older.sh" "$histories"
