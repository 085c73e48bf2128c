#!/usr/bin/env bash
# What gpol builds for Volcano, and its model of Volcano's scheduler, judged by Volcano's own code.
#
#   run.sh [GPOL [HISTORIES [ATTACKS]]]   the programs (default: those of build/release)
#
# Environment: GPOL_SESSIONS   how many histories of some sessions each (default 330, about 2,200 sessions; GPOL_CI=full: 8,000)
#              GPOL_SEED       of the first (default 1)
#              GPOL_CLUSTERS   how many random clusters are attacked, by ten floods each (default 40; GPOL_CI=full: 300)
# 1. The worked cases of the reference. 2. The example: the webhook takes its queues in their order, and refuses them in
# another one; the parser takes the configuration. 3. Mornings in sessions of the real scheduler (morning.py). 4. Random
# histories in the real scheduler and in the model. 5. Floods of random clusters: nobody ever has more of a guarantee than
# the closed form says. Exit 0: all as it must be; 1: not; 77: skipped, no Go >= 1.26.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../common.sh"
gpol=$(realpath "${1:-$root/build/release/gpol}")
histories=$(realpath "${2:-$root/build/release/tests/volcano_histories}")
attacks=$(realpath "${3:-$root/build/release/tests/volcano_attacks}")
need_go volcano
for tool in perl python3; do
  command -v "$tool" > /dev/null || { echo "volcano: skipped: no $tool"; exit 77; }
done
suite volcano GPOL_SESSIONS 330 8000

bash "$here/judge/build.sh"
PARTS=$(cd "$PARTS" && pwd)
judge=$PARTS/bin/volcano-judge
upstream=$(cd "$here/judge" && GOFLAGS=-mod=readonly go list -m -f '{{.Dir}}' volcano.sh/volcano)

bash "$here/judge/examples.sh" "$judge"

built=$work/built
"$gpol" build "$root/examples/morning-ramp-volcano/morning-ramp-volcano.gpol" -o "$built" > "$work/log" || { cat "$work/log"; exit 1; }
"$judge" accept < "$built/base/queues.yaml" > "$work/accepted"
if grep -q '"allowed":false' "$work/accepted"; then cat "$work/accepted"; echo "volcano: the webhook refuses a queue"; exit 1; fi
python3 - "$built/base/queues.yaml" > "$work/reversed.yaml" <<'PY'
import sys
print("---\n".join(reversed(open(sys.argv[1]).read().split("---\n"))))
PY
"$judge" accept < "$work/reversed.yaml" > "$work/refused"
grep -q '"allowed":false' "$work/refused" || { cat "$work/refused"; echo "volcano: children before their parents are taken: the judge is none"; exit 1; }
echo "volcano: the webhook takes $(wc -l < "$work/accepted") queues in their order, and not the other way round"
trees() { python3 "$here/queues.py" "$gpol" "$judge" "$1" 200 60; }
samples volcano-queues trees "$seed" 1
python3 - "$built/scheduler/volcano-scheduler-configmap.yaml" > "$work/conf" <<'PY'
import sys, yaml
print(yaml.safe_load(open(sys.argv[1]))["data"]["volcano-scheduler.conf"])
PY
"$judge" conf < "$work/conf" > "$work/parsed"
python3 - "$work/parsed" "$work/conf" <<'PY'
import json, sys, yaml
parsed, written = json.load(open(sys.argv[1])), yaml.safe_load(open(sys.argv[2]))
assert not parsed["error"], parsed["error"]
assert parsed["actions"] == [a.strip() for a in written["actions"].split(",")]
for tier, plugins in zip(written["tiers"], parsed["tiers"], strict=True):
    for wrote, read in zip(tier["plugins"], plugins, strict=True):
        assert wrote.pop("name") == read["name"] and read["registered"], read
        wrote.pop("arguments", None)
        for flag, on in wrote.items():
            assert read["flags"].get(flag) == on, (read["name"], flag)
print("volcano: the parser reads the configuration as it is written")
PY

python3 "$here/morning.py" "$built" "$upstream/installer/helm/chart/volcano/config/volcano-scheduler.conf" > "$work/mornings"
"$judge" play < "$work/mornings" > "$work/played"
python3 "$here/morning.py" --judge "$work/played"

play() { "$histories" compare "$judge" "$1" "$2" | tee "$work/compared"; }
samples volcano play "$seed" "$count"
sessions=$(sed -n 's/^[0-9]* histories, \([0-9]*\) sessions.*/\1/p' "$work/compared")
floor=$((count * 6)) # a history has 6.7 on average
if [ "${sessions:-0}" -lt "$floor" ]; then echo "volcano: ${sessions:-0} sessions are fewer than $floor"; exit 1; fi

clusters=${GPOL_CLUSTERS:-40}
if [ "${GPOL_CI:-}" = full ]; then clusters=${GPOL_CLUSTERS:-300}; fi
attack() { "$attacks" "$judge" "$1" "$2"; }
samples volcano-attacks attack "$seed" "$clusters"
