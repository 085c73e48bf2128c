#!/usr/bin/env bash
# ci/github.sh and the script of ci/gitlab.yml in a real repository, with what a runner sets.
#
#   run.sh [GPOL]      default: build/release/gpol of the repository
#
# Exit 0: every run ends as it must; 1: one does not; 77: skipped, because git is not there.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
gpol=$(realpath "${1:-$root/build/release/gpol}")
command -v git > /dev/null || { echo "ci: skipped: git is not there"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/gpol-ci.XXXXXX")
trap 'rm -rf "$work"' EXIT
export GIT_CONFIG_GLOBAL=$work/gitconfig RUNNER_TEMP=$work PATH="$(dirname "$gpol"):$PATH"
unset GIT_DIR GIT_INDEX_FILE GIT_WORK_TREE
git config --global user.name gpol
git config --global user.email gpol@example.org
git init -q -b main "$work/repository"
cd "$work/repository"
cp "$root"/tests/diff/bases/queues/*.yaml .
git add -A && git commit -q -m base
base=$(git rev-parse HEAD)

fail() { echo "ci: $*" >&2; cat "$work/said" >&2; exit 1; }
step() { # step CODE [VARIABLE=VALUE]...: one run of the action's step
  local wanted=$1 code=0
  shift
  export GITHUB_STEP_SUMMARY=$work/summary GITHUB_OUTPUT=$work/output
  : > "$GITHUB_STEP_SUMMARY"; : > "$GITHUB_OUTPUT"
  env GPOL="$gpol" "$@" "$root/ci/github.sh" > "$work/said" 2>&1 || code=$?
  [ "$code" = "$wanted" ] || fail "exit $code, not $wanted: $*"
}
says() { grep -qF -- "$1" "$2" || fail "$2 does not say: $1"; }

step 0
says "gpol: proven" "$work/summary"
says "sarif=" "$work/output"
says '"version": "2.1.0"' "$(sed -n 's/^sarif=//p' "$work/output")"
step 0 GPOL_BASE="$base"
says "means the same" "$work/summary"
sed -i 's/lendingLimit: 8/lendingLimit: 12/' queues.yaml
git commit -q -am "a larger loan"
step 1 GPOL_BASE="$base"
says "::error file=queues.yaml,line=56" "$work/said"
says "newly exposed: 4 GPUs" "$work/summary"
says "### gpol: EXPOSED" "$(sed -n 's/^comment=//p' "$work/output")"
step 0 # without a base: it is proven
sed -i '0,/lendingLimit: 0/s//lendingLimit: 5/' queues.yaml
git commit -q -am "chat lends"
step 1
says "::error file=queues.yaml,line=37" "$work/said"
step 0 GPOL_FAIL_ON=never
step 1 GPOL_FAIL_ON=never GPOL_BASE="$base"
step 2 GPOL_COMMAND=rm
step 2 GPOL_BASE=0000000000000000000000000000000000000000
step 1 GPOL_PATHS=$'queues.yaml\npriorities.yaml'
# The lines of GitLab's script, as its runner runs them.
gitlab() { # gitlab CODE [VARIABLE=VALUE]...
  local wanted=$1 code=0
  shift
  sed -n '/^  script:/,/^  artifacts:/s/^    - //p' "$root/ci/gitlab.yml" > "$work/script"
  env GPOL_COMMAND=verify GPOL_PATHS=. GPOL_FAIL_ON=undecided "$@" bash -e "$work/script" > "$work/said" 2>&1 || code=$?
  [ "$code" = "$wanted" ] || fail "gitlab: exit $code, not $wanted: $*"
}
gitlab 1
says "<testsuites" gpol.xml
gitlab 0 GPOL_FAIL_ON=never
gitlab 1 GPOL_FAIL_ON=never CI_MERGE_REQUEST_DIFF_BASE_SHA="$base"
echo "ci: every run ended as it must"
