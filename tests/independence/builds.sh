#!/usr/bin/env bash
# Reports do not depend on the compiler or the build type: gpol once more, by clang without optimisation where there is
# clang, else by the same compiler without optimisation, must print the same JSON, byte for byte, for every example and
# golden, and the same exit codes.
#   builds.sh GPOL BUILD_DIR      GPOL: the program to compare with; BUILD_DIR: where the other one is built
# GPOL_OTHER_CXX names another compiler. Assertions of the standard library are on in the other build.
set -euo pipefail
gpol=$(realpath "$1") other=$2
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cxx=${GPOL_OTHER_CXX:-$(command -v clang++-19 || command -v clang++ || command -v g++)}

began=$SECONDS
cmake -S "$root" -B "$other" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_COMPILER="$cxx" -DGPOL_TESTS=OFF \
  -DCMAKE_CXX_FLAGS=-D_GLIBCXX_ASSERTIONS -DCMAKE_CXX_FLAGS_DEBUG=-O0 > "$other.log" 2>&1 &&
  cmake --build "$other" --target gpol >> "$other.log" 2>&1 || { tail -30 "$other.log"; exit 1; }
echo "builds: $cxx -O0: $((SECONDS - began)) s"
! cmp -s "$gpol" "$other/gpol" || { echo "builds: both programs are the same file"; exit 1; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$root"
say() { # say PROGRAM POLICY: its report and exit code
  local code=0
  "$1" check --format json "$2" 2>&1 < /dev/null || code=$?
  echo "exit $code"
}
compared=0 judged=0 different=0
while IFS= read -r policy; do
  say "$gpol" "$policy" > "$scratch/one"
  say "$other/gpol" "$policy" > "$scratch/two"
  compared=$((compared + 1))
  if grep -q '"solver_questions": *[1-9]' "$scratch/one"; then judged=$((judged + 1)); fi
  cmp -s "$scratch/one" "$scratch/two" && continue
  different=$((different + 1))
  echo "builds: $policy:"
  diff "$scratch/one" "$scratch/two" | head -10 || true
done < <(find examples tests/golden -name '*.gpol' -type f | LC_ALL=C sort)
echo "builds: $compared policies, $judged of them proven or refuted; $different differ"
[ "$different" = 0 ] && [ "$judged" -ge 40 ]
