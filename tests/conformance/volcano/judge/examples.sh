#!/usr/bin/env bash
# What the real Volcano does with guarantees, played by the judge (main.go): the cases that gpol's model of it rests on.
# 10 GPUs; batch asks for all of them first, one GPU a pod, from every queue that is not serving's; then serving, whose
# guarantee is 4, asks for 4.
#
#   examples.sh [JUDGE]   JUDGE: the program (default: built by build.sh)
#
# The last line counts what came out as it should. Exit 0: all; 1: not; 77: skipped.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if [ $# -gt 0 ]; then
  judge=$1
else
  . "$here/../../common.sh"
  bash "$here/build.sh" || exit $?
  judge=$PARTS/bin/volcano-judge
fi
if ! perl -MJSON::PP -e 1; then
  echo "volcano: skipped: no perl"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

# One tier has all that choose victims, capacity last among them: no answer of one of them is replaced by another tier. Not
# gang: a job of one pod is at its minimum, and gang would shield it.
flat='actions: "allocate, backfill, reclaim"
tiers:
- plugins:
  - {name: priority}
  - {name: gang, enablePreemptable: false, enableReclaimable: false, enableJobStarving: false}
  - {name: conformance}
  - {name: capacity}
- plugins:
  - {name: predicates}
  - {name: nodeorder}
  - {name: binpack}
'
trees=${flat/'{name: capacity}'/'{name: capacity, enableHierarchy: true}'}

text() { perl -MJSON::PP -0777 -ne 'print JSON::PP->new->allow_nonref->encode($_)'; } # text < TEXT: as JSON
gpus() { echo "{\"nvidia.com/gpu\":\"$1\"}"; }

# queue NAME PARENT GUARANTEE DESERVED CAPABILITY: in GPUs, - where it has none
queue() {
  local spec=
  if [ "$2" != - ]; then spec="$spec,\"parent\":\"$2\""; fi
  if [ "$3" != - ]; then spec="$spec,\"guarantee\":{\"resource\":$(gpus "$3")}"; fi
  if [ "$4" != - ]; then spec="$spec,\"deserved\":$(gpus "$4")"; fi
  if [ "$5" != - ]; then spec="$spec,\"capability\":$(gpus "$5")"; fi
  echo "{\"apiVersion\":\"scheduling.volcano.sh/v1beta1\",\"kind\":\"Queue\",\"metadata\":{\"name\":\"$1\"},\"spec\":{${spec#,}}}"
}

# jobs QUEUE NAME COUNT [MIN]: COUNT jobs of one pod of one GPU, with minResources where MIN
jobs() {
  local i min=
  if [ -n "${4:-}" ]; then min="\"minResources\":$(gpus 1),"; fi
  for ((i = 0; i < $3; i++)); do
    echo "{\"do\":\"job\",\"namespace\":\"ns\",\"name\":\"$2$i\",\"queue\":\"$1\",\"minMember\":1,$min\"pods\":["
    echo "{\"name\":\"$2$i\",\"requests\":{\"cpu\":\"1\",\"nvidia.com/gpu\":\"1\"}}]}"
  done | paste -d '\0' - -
}

session() { echo '{"do":"session"}'; }

nodes() {
  local i
  for i in 0 1; do
    echo "{\"do\":\"node\",\"name\":\"n$i\",\"allocatable\":{\"cpu\":\"64\",\"memory\":\"256Gi\",\"pods\":\"110\",\"nvidia.com/gpu\":\"5\"}}"
  done
}

# history NAME CONF < STEPS: five times, since it breaks ties at random
history() {
  echo "{\"name\":\"$1\",\"repeats\":5,\"conf\":$(printf %s "$2" | text),\"steps\":[$(paste -sd,)]}"
}

# result NAME PERL EXPECTED: PERL gives EXPECTED in all runs. In it @s are a run's sessions, gpus(N, "held", QUEUE) is
# what the queue, or `batch` for all but serving's, holds after the Nth, phases(N, NAME) counts the jobs NAME by phase
result() {
  local got
  got=$(CODE=$2 perl -MJSON::PP -e '
    my $answer = decode_json(<STDIN>);
    die "$answer->{error}\n" if $answer->{error} ne "";
    our @s;
    sub gpus {
      my ($n, $what, @queues) = @_;
      my $by = $s[$n]{$what};
      @queues = grep { $_ ne "serving" } keys %$by if "@queues" eq "batch";
      my $sum = 0;
      $sum += $by->{$_}{"nvidia.com/gpu"} // 0 for @queues;
      return $sum;
    }
    sub phases {
      my ($n, $name) = @_;
      my ($groups, %count) = $s[$n]{podgroups};
      $count{$groups->{$_}}++ for grep { m{^ns/$name\d+$} } keys %$groups;
      return join " ", map { "$count{$_} $_" } sort keys %count;
    }
    my %seen;
    for my $run (@{$answer->{runs}}) { @s = @{$run->{sessions}}; $seen{eval($ENV{CODE}) // die $@} = 1; }
    print join(" or ", sort keys %seen);' < "$work/answer") || got="no answer"
  if [ "$got" = "$3" ]; then
    passed=$((passed + 1))
    echo "  $1: $got"
  else
    failed=$((failed + 1))
    echo "  $1: $got: FAILED: expected $3"
  fi
}

# row NAME CONF HELD GOT LATER FLOODED QUEUE...: the queues FLOODED then hold HELD, serving gets GOT at once, and has LATER
# when what reclaim evicted for it is gone. The webhook accepts the queues in this order.
row() {
  local name=$1 conf=$2 held=$3 got=$4 later=$5 flooded=$6 refused q
  shift 6
  echo "$name"
  {
    nodes
    printf '{"do":"queue","object":%s}\n' "$@"
    for q in $flooded; do jobs "$q" "$q-" 10; done
    session
    session
    jobs serving serving- 4
    session
    echo '{"do":"all-gone"}'
    session
  } | history "$name" "$conf" > "$work/history"
  "$judge" play < "$work/history" > "$work/answer"
  refused=$(for q in "$@"; do printf '%s\n---\n' "$q"; done | "$judge" accept | grep -c '"allowed":false' || true)
  result "batch holds" 'gpus(1, "held", "batch")' "$held"
  result "serving gets at once" 'gpus(2, "held", "serving")' "$got"
  result "serving has after reclaim" 'gpus(3, "held", "serving")' "$later"
  if [ "$refused" = 0 ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "  FAILED: the webhook refuses $refused of them"
  fi
}

serving=$(queue serving - 4 4 -)
none=("$(queue root - - - 0)" "$(queue default - - - 0)")
row "flat: serving, b1; default and root capped to 0" "$flat" 6 4 4 "b1 default root" \
  "${none[@]}" "$serving" "$(queue b1 - - - -)"
row "flat: serving, b1, b2" "$flat" 10 0 4 "b1 b2 default root" \
  "${none[@]}" "$serving" "$(queue b1 - - - -)" "$(queue b2 - - - -)"
row "flat: serving, b1, uncapped default" "$flat" 10 0 4 "b1 default root" \
  "${none[0]}" "$serving" "$(queue b1 - - - -)"
row "flat: serving, b1 capped to 4, b2 to 2; default and root to 0" "$flat" 6 4 4 "b1 b2 default root" \
  "${none[@]}" "$serving" "$(queue b1 - - - 4)" "$(queue b2 - - - 2)"

closed=$(queue default root - - 0) # nothing may ask in root itself: that stops the whole scheduler
pool=$(queue pool root 4 10 10)
pooled=$(queue serving pool 4 4 -)
row "tree: root has serving, b1" "$trees" 10 0 4 "b1 default" \
  "$closed" "$(queue serving root 4 4 -)" "$(queue b1 root - - -)"
row "tree: pool has serving, b1, b2" "$trees" 10 0 4 "b1 b2 default" \
  "$closed" "$pool" "$pooled" "$(queue b1 pool - - -)" "$(queue b2 pool - - -)"
below=("$pool" "$pooled" "$(queue batch pool - 6 6)" "$(queue b1 batch - 3 -)" "$(queue b2 batch - 3 -)")
row "tree: pool has serving, batch; batch has b1, b2" "$trees" 6 4 4 "b1 b2 default" "$closed" "${below[@]}"
row "the same, uncapped default" "$trees" 10 0 4 "b1 b2 default" "${below[@]}"

echo "what terminates is not counted, and keeps its GPUs (the tree that is safe above)"
{
  nodes
  printf '{"do":"queue","object":%s}\n' "$closed" "${below[@]}"
  jobs b1 first- 6
  session
  for ((i = 0; i < 6; i++)); do echo "{\"do\":\"delete\",\"pod\":\"ns/first-$i\"}"; done
  jobs b1 second- 6
  session
  jobs serving serving- 4
  session
  echo '{"do":"all-gone"}'
  session
} | history terminating "$trees" | "$judge" play > "$work/answer"
result "batch holds" 'gpus(0, "held", "batch")' 6
result "with those deleted, it holds" 'gpus(1, "held", "batch") . " and " . gpus(1, "terminating", "batch")' "4 and 6"
result "serving gets" 'gpus(2, "held", "serving")' 0
result "evicted for it" 'scalar @{$s[2]{evicted}}' 0
result "when they are gone, serving and batch hold" 'gpus(3, "held", "serving") . " and " . gpus(3, "held", "batch")' "4 and 6"

# enqueue NAME OVERCOMMIT EXPECTED...: overcommit in the tier before capacity's (the documented layout), or in the same
enqueue() {
  local conf=${trees/'"allocate, backfill, reclaim"'/'"enqueue, allocate, backfill, reclaim"'}
  case $2 in
    before) conf=${conf/'  - {name: capacity,'/$'  - {name: overcommit}\n- plugins:\n  - {name: capacity,'} ;;
    beside) conf=${conf/'  - {name: capacity,'/$'  - {name: overcommit}\n  - {name: capacity,'} ;;
  esac
  echo "$1"
  {
    nodes
    printf '{"do":"queue","object":%s}\n' "$closed" "${below[@]}"
    jobs b1 batch- 12 min
    session
    session
    jobs serving serving- 1 min
    session
    session
  } | history "$2" "$conf" | "$judge" play > "$work/answer"
  result "batch's jobs" 'phases(1, "batch-")' "$3"
  result "batch holds" 'gpus(1, "held", "batch")' 6
  result "serving's job" 'phases(3, "serving-")' "$4"
  result "serving holds" 'gpus(3, "held", "serving")' "$5"
}
enqueue "enqueue, overcommit in a tier before capacity's" before "6 Inqueue 6 Running" "1 Pending" 0
enqueue "enqueue, overcommit beside capacity" beside "6 Pending 6 Running" "1 Running" 1

echo "volcano: $passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
