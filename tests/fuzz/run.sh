#!/usr/bin/env bash
# Fuzzes every target of tests/fuzz for SECONDS in all, one after another on one core, beginning with what is known: the
# examples, the goldens and the table of slips, tests/fuzz/corpus and, of YAML, corpus-yaml. Exit 0: nothing found; 1: a
# finding, whose bytes lie where the last lines say; 77: no clang-19 with libFuzzer here.
#   run.sh SECONDS [BUILD_DIR]      BUILD_DIR: default build/fuzz; what was learned stays in its learned-* for the next run
# A finding is mended, its bytes go to tests/fuzz/corpus or corpus-yaml (`fuzz_X -minimize_crash=1` makes them short), and every later run,
# this one's first seconds, tries them again. More seconds: `run.sh 3600`,
# in a build with optimisation: `cmake --preset fuzz -DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1` first.
set -euo pipefail
seconds=${1:?run.sh SECONDS [BUILD_DIR]}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${2:-$root/build/fuzz}
if ! "$root/tests/fuzz/has_clang.sh"; then
  echo "fuzz: skipped: no clang++-19 with libFuzzer (Debian: clang-19 libclang-rt-19-dev)"
  exit 77
fi

began=$SECONDS
mkdir -p "$build"
(cd "$root" && cmake --preset fuzz -B "$build" && cmake --build "$build" --target fuzz_parse fuzz_format fuzz_resolve fuzz_yaml) \
  > "$build/build.log" 2>&1 || { tail -30 "$build/build.log"; exit 1; }
echo "fuzz: built in $((SECONDS - began)) s"

# The words of the language, as the grammar has them.
sed -n "s/^[A-Z]* : '\([^']*\)' ;.*/\"\1\"/p" "$root/grammar/GpolLexer.g4" > "$build/words.dict"
printf '%s\n' '"\xef\xbb\xbf"' '"\x0d\x0a"' '"\x00"' '"gpus"' '"cpu"' '"GiB"' '"@x"' '"22:00"' '"1000000000000000000000000000000"' \
  >> "$build/words.dict"
[ "$(wc -l < "$build/words.dict")" -ge 60 ] || { echo "fuzz: the grammar's words were not found"; exit 1; }
seeds=$build/seeds
rm -rf "$seeds"
mkdir -p "$seeds"
find "$root/examples" "$root/tests/golden" -name '*.gpol' -type f | LC_ALL=C sort | while IFS= read -r policy; do
  cp "$policy" "$seeds/$(sha256sum < "$policy" | cut -c 1-16)"
done
# Of the table of slips each section is one.
awk -v folder="$seeds" '
  /^## / { seed = folder "/slips-" ++sections; next }
  /^> / { print substr($0, 3) > seed; next }
  /^#/ || /^    / || /^$/ { next }
  { sub(/ \| .*/, ""); gsub(/⟦|⟧/, ""); gsub(/⏎/, "\n"); if ($0 != last) print > seed; last = $0 }
' "$root/tests/golden/slips.table"
[ "$(find "$seeds" -type f | wc -l)" -ge 50 ] || { echo "fuzz: the examples and goldens were not found"; exit 1; }
# YAML has words and seeds of its own.
printf '%s\n' '"- "' '": "' '" #"' '"---\x0a"' '"..."' '"&a "' '"*a"' '"<<: "' '"!!str "' '"!!int "' '"|"' '">-"' '"? "' '"\xef\xbb\xbf"' \
  '"\x0d\x0a"' '"\xe2\x80\xa8"' '"{{ x }}"' '"nominalQuota"' '"017"' '"1e3"' '".inf"' '"null"' '"yes"' '"0x1F"' > "$build/yaml.dict"
yaml_seeds=$build/yaml-seeds
rm -rf "$yaml_seeds"
mkdir -p "$yaml_seeds"
cp "$root"/tests/fuzz/corpus-yaml/* "$yaml_seeds"
find "$root/tests" "$root/examples" -name '*.yaml' -type f -size -16k | LC_ALL=C sort | while IFS= read -r file; do
  cp "$file" "$yaml_seeds/$(sha256sum < "$file" | cut -c 1-16)"
done

targets=(parse format resolve yaml)
share=$((seconds / ${#targets[@]}))
failed=0
for target in "${targets[@]}"; do
  learned=$build/learned-$target findings=$build/findings-$target/
  mkdir -p "$learned" "$findings"
  words=words.dict from=("$seeds" "$root/tests/fuzz/corpus")
  [ "$target" != yaml ] || { words=yaml.dict from=("$yaml_seeds"); }
  # -timeout and the limits are those of tests/hostile for one input, less what the sanitizers cost.
  "$build/tests/fuzz/fuzz_$target" -max_total_time="$share" -max_len=16384 -timeout=10 -rss_limit_mb=1024 \
    -dict="$build/$words" -artifact_prefix="$findings" -print_final_stats=1 -verbosity=0 \
    "$learned" "${from[@]}" > "$build/$target.log" 2>&1 || {
    failed=1
    tail -40 "$build/$target.log"
  }
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$build/$target.log")
  echo "fuzz: $target: ${runs:-0} texts in $share s, $(find "$learned" -type f | wc -l) kept"
  [ "${runs:-0}" -ge 100 ] || failed=1
done
exit $failed
