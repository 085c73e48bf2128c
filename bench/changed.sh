#!/usr/bin/env bash
# Prints what one changed file of 1,000 costs, which people wait for at every commit, and all of them: for gpol, and for what a team
# would run in its place, kubeconform, conftest and cue. All in turns, so that what else the machine does falls on all alike.
#
#   bench/changed.sh [GPOL]     default: build/release/gpol; the peers are those on the PATH, and one that is not there is left out
#
# They do not do the same: kubeconform looks at the structure of each file; conftest and cue at one rule in it (a queue that serves
# sets lendingLimit); gpol at what others can hold of the queues that serve, for which `gpol diff` must know all files, not one.
# Needs: python3, git; for kubeconform also python3-yaml and Go, which brings Kueue's CRDs. The peers, with Go >= 1.26, each by `go install`:
# github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0, github.com/open-policy-agent/conftest@v0.71.1, cuelang.org/go/cmd/cue@v0.17.1
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
gpol=$(realpath "${1:-build/release/gpol}")
here=$PWD ramp=$PWD/examples/morning-ramp/morning-ramp.gpol
work=$(mktemp -d) && mkdir "$work/policies" "$work/rego"
trap 'rm -rf "$work"' EXIT

# Policies: 1,000 files of 20 lines, each a cluster of its own with one tenant that serves and one that borrows from it. Names and
# sizes differ, so that nothing which gpol finds of one holds for the next.
for ((i = 0; i < 1000; i++)); do
  printf -v n %04d "$i"
  cat > "$work/policies/team-$n.gpol" << EOF
# Team $n serves on its own cluster, and trains on what serving lends.
language 1
cluster team-$n {
  scheduler kueue 0.19.2 { round within 5s; release within 5s }
  nodes h100 { count $((2 + i % 7)); each 8 gpus, $((160 + i % 32)) cpu, 2 TiB, 110 pods }
  pool main on h100
  writers user "system:serviceaccount:flux-system:kustomize-controller"
}
class standard : B { ready within 4min }
class batch : C { runs Job; grace 60s; kill margin 5s }
tenant chat-$n {
  namespace chat-$n; class standard; reserve $((8 * (1 + i % 7))) gpus of main; replica 8 gpus
  start schedule 5s, image 20s, weights 40s, load 25s, warm 20s (declared "a first guess")
}
tenant train-$n { namespace train-$n; class batch; quota 8 gpus of main; shape 8 gpus of main }
allow train-$n to borrow up to 8 gpus of main from chat-$n
trust controller-as-emitted because "the pipeline alone writes Kueue's Configuration" by @platform
trust nodes-as-declared because "as in the inventory" by @platform
trust batch-runs-on because "nobody ends jobs by hand" by @platform
trust times-hold because "to be measured" by @platform
EOF
done

# One whose pools nobody shares.
sed -e '/^allow/d' -e 's/  pool main on h100/&\n  nodes spare { count 2; each 8 gpus, 160 cpu, 2 TiB, 110 pods }\n  pool own on spare/' \
  -e '/^tenant train/s/of main/of own/g' "$work/policies/team-0050.gpol" > "$work/apart.gpol"
cp -r "$work/policies" "$work/staged"

# Manifests: 1,000 files, in a directory of a git repository, so that `.` is for every tool these files and no .git.
python3 bench/manifests.py "$work/repo/teams" 1000
cd "$work/repo/teams"
for repository in .. ../../staged; do
  git init -q "$repository" && git -C "$repository" add .
  git -C "$repository" -c user.name=bench -c user.email=bench@localhost -c commit.gpgsign=false commit -q -m "Teams"
done

# The rule for conftest and for cue. cue has a word for the other kinds too, for it takes no document that it has no word for.
cat > "$work/rego/lending.rego" << 'EOF'
package main
deny contains msg if {
	input.kind == "ClusterQueue"
	input.metadata.labels["gpol.dev/role"] == "serving"
	some flavor in input.spec.resourceGroups[_].flavors
	some resource in flavor.resources
	not resource.lendingLimit
	msg := sprintf("%s: %s of %s has no lendingLimit", [input.metadata.name, resource.name, flavor.name])
}
EOF
cat > "$work/lending.cue" << 'EOF'
#Doc: {kind: "LocalQueue" | "WorkloadPriorityClass", ...} | {
	kind: "ClusterQueue"
	metadata: {labels: "gpol.dev/role": "serving" | "batch", ...}
	spec: {resourceGroups: [...{flavors: [...{resources: [...{
		if metadata.labels["gpol.dev/role"] == "serving" {lendingLimit!: string}, ...
	}], ...}], ...}], ...}, ...
}
EOF

# sees NAME GOOD BAD: once, outside of all timing: does the tool pass what is good, and report what is bad with exit code 1?
sees() {
  local status=0
  sh -c "$2" > "$work/said" 2>&1 || { echo "$1 does not pass a good file:"; head -n 5 "$work/said"; exit 1; }
  sh -c "$3" > "$work/said" 2>&1 || status=$?
  ((status == 1)) || { echo "$1 does not report a bad file:"; head -n 5 "$work/said"; exit 1; }
}
# peer NAME COMMAND BAD ALL: its two rows
peer() {
  command -v "${1%% *}" > /dev/null || { echo "left out: $1, which is not on the PATH"; return; }
  sees "$1" "$2 $one" "$2 $3"
  rows+=("$1, one file of YAML=$2 $one" "$1, all 1000=$2 $4")
}

one=team-00050.yaml bad=$work/bad.yaml # a queue that serves: good, and with no limit on what it lends
sed '/lendingLimit/d' "$one" > "$bad"
sed 's/BestEffortFIFO/Whatever/' "$one" > "$work/enum.yaml" # bad for kubeconform, which knows no rule on lending
sed '0,/nominalQuota: "[0-9]*"/s//nominalQuota: "999"/' "$one" > "$work/more.yaml" # the change, a good one: more CPUs
sed '/^class standard/s/4min/1min/' "$work/policies/team-0050.gpol" > "$work/late.gpol"
for f in h100-reserved h100-spot a100-reserved l40s-mig; do # without which gpol knows no way to the quota, and calls it undecided
  printf -- '---\n{apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: %s}, spec: {nodeLabels: {gpu: %s}}}\n' $f $f
done > "$work/flavors.yaml"
sees "gpol check, apart" "$gpol check $work/apart.gpol" "$gpol check $work/late.gpol"
sees "gpol check" "$gpol check $work/policies/team-0050.gpol" "$gpol check $work/late.gpol"
sees "gpol verify" "$gpol verify $one" "$gpol verify $bad team-00055.yaml $work/flavors.yaml" # alone, it lends to nobody
sees "gpol diff" "cp $work/more.yaml $one; git add .; $gpol diff --staged" "cp $bad $one; git add .; $gpol diff --staged"
cp "$work/more.yaml" "$one" && git add .
sed -i '/^class standard/s/4min/5min/' "$work/staged/team-0050.gpol" && git -C "$work/staged" add .

rows=("gpol --version=$gpol --version"
  "gpol check, one of $(wc -l < "$ramp") lines (morning-ramp)=$gpol check $ramp"
  "gpol check, one of 1000, of 20 lines=$gpol check $work/policies/team-0050.gpol"
  "gpol check, one of 22 lines, no pool shared=$gpol check $work/apart.gpol"
  "gpol verify, one file of YAML=$gpol verify $one"
  "gpol verify, all 1000=$gpol verify ."
  "gpol diff --staged, one of 1000 changed=$gpol diff --staged"
  "gpol diff --staged, one of 1000 policies changed=env -C $work/staged $gpol diff --staged")
kueue=$(cd "$here/tests/conformance" && go list -mod=readonly -m -f '{{.Dir}}' sigs.k8s.io/kueue 2> /dev/null) || true
if python3 "$here/bench/manifests.py" --schemas "$kueue/config/components/crd/bases" "$work/schemas" 2> /dev/null; then
  peer "kubeconform -strict" "kubeconform -strict -schema-location '$work/schemas/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json'" "$work/enum.yaml" .
else
  echo "left out: kubeconform, for which Kueue's CRDs (by Go) or python3-yaml are not there"
fi
peer "conftest test" "conftest test -p $work/rego" "$bad" .
peer "cue vet" "cue vet -c -d '#Doc' $work/lending.cue" "$bad" "*.yaml"
python3 "$here/bench/beside.py" 7 "${rows[@]}"
# One round, and apart: each takes minutes.
all=("gpol check --jobs 1, all 1000=$gpol check --jobs 1 $work/policies")
if (($(nproc) > 1)); then all+=("gpol check --jobs $(nproc), all 1000=$gpol check --jobs $(nproc) $work/policies"); fi
python3 "$here/bench/beside.py" 1 "${all[@]}"
