#!/usr/bin/env bash
# Prints what reading takes for each byte of a policy, for 1,000 to 100,000 tenants, and beside it what it takes to read the
# quotas of 1,000 teams, as `verify` does and with yaml-cpp: processor time of one process, the best of five rounds each.
#
#   bench/read.sh [BUILD]     BUILD: a configured build directory (default: build/release)
#
# Needs: python3.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${1:-build/release}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --build "$build" --target bench_read > "$work/log" || { cat "$work/log"; exit 1; }
for n in 1000 10000 100000; do python3 bench/generate.py $n > "$work/$n-tenants.gpol"; done
python3 bench/teams.py "$work" 1000
for file in "$work"/yaml/*; do echo "---"; cat "$file"; done > "$work/1000-queues.yaml"
"$build/bench/bench_read" "$work"/{1000,10000,100000}-tenants.gpol "$work/1000-queues.yaml"
