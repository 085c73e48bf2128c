#!/usr/bin/env bash
# The hooks of .pre-commit-hooks.yaml in real repositories, run by pre-commit itself (PyPI) at `git commit`.
#
#   run.sh [GPOL]      default: build/release/gpol of the repository
#
# Exit 0: each commit ends as it must; 1: one does not; 77: skipped, because git or Python's venv is not there.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
gpol=$(realpath "${1:-$root/build/release/gpol}")
. "$here/../support/python.sh"
need_python hooks
command -v git > /dev/null || { echo "hooks: skipped: git is not there"; exit 77; }
python_with hooks "pre-commit==4.7.0"
export PATH="$(dirname "$gpol"):$work/venv/bin:$PATH" PRE_COMMIT_HOME=$work/home GIT_CONFIG_GLOBAL=$work/gitconfig
unset GIT_DIR GIT_INDEX_FILE GIT_WORK_TREE
git config --global user.name gpol
git config --global user.email gpol@example.org
git config --global init.defaultBranch main

fail() { echo "hooks: $*" >&2; cat "$work/said" >&2; exit 1; }
edit() { # edit FILE OLD NEW: OLD must be there
  python3 - "$@" << 'PY'
import sys
path, old, new = sys.argv[1:]
old, new = (word.replace("\\n", "\n") for word in (old, new))
text = open(path).read()
if old not in text:
    sys.exit(f"hooks: {path} has no {old}")
open(path, "w").write(text.replace(old, new, 1))
PY
}
passes() { git add -A; git commit -q -m next > "$work/said" 2>&1 || fail "a commit was stopped: $1"; }
stopped() { # stopped WHAT WORDS...: and each of the words is said
  local what=$1 word
  git add -A
  if git commit -q -m next > "$work/said" 2>&1; then fail "a commit went through: $what"; fi
  shift
  for word in "$@"; do grep -qF -- "$word" "$work/said" || fail "$what: it does not say: $word"; done
  git reset -q --hard
}
# The hooks as a user has them, from the file of this repository.
configure() { # configure ID [ARGS]...: each on a line of its own, "gpol-build-check -- p.gpol -o out"
  python3 - "$root/.pre-commit-hooks.yaml" "$@" > .pre-commit-config.yaml << 'PY'
import re, sys
hooks = re.split(r"^- ", open(sys.argv[1]).read(), flags=re.M)[1:]
print("repos:\n- repo: local\n  hooks:")
for wanted in sys.argv[2:]:
    name, _, args = wanted.partition(" -- ")
    hook = next(h for h in hooks if h.startswith(f"id: {name}\n"))
    print("  - " + hook.rstrip().replace("\n", "\n  "))
    if args:
        print(f"    args: [{', '.join(args.split())}]")
PY
}
start() { git init -q "$work/$1"; cd "$work/$1"; }

# Plain Kueue YAML. The first commit brings everything.
start yaml
cp "$root"/tests/diff/bases/queues/*.yaml .
configure gpol-verify gpol-diff
pre-commit install > /dev/null
passes "the first one, which is proven"
edit queues.yaml 'lendingLimit: 8' 'lendingLimit: 4'
passes "a smaller loan"
edit queues.yaml 'lendingLimit: 4' 'lendingLimit: 6'
stopped "a larger loan" "EXPOSED" "2 GPUs of \`search\`"
edit queues.yaml 'borrowingLimit: 0\n        lendingLimit: 0' 'borrowingLimit: 0\n        lendingLimit: 3'
stopped "chat lends" "NOT SAFE" "LOST" "others can hold 3"
git rm -q queues.yaml
stopped "the queues are deleted" "names \`chat\`, and no ClusterQueue is called so"
git reset -q --hard
echo '# a note' >> queues.yaml
passes "a comment"

# A repository that is refuted on its first day takes what makes nothing worse.
start refuted
cp "$root"/tests/diff/bases/queues/*.yaml .
edit queues.yaml 'borrowingLimit: 0\n        lendingLimit: 0' 'borrowingLimit: 0\n        lendingLimit: 3'
git add -A && git commit -q -m "as it was found"
configure gpol-diff
pre-commit install > /dev/null
passes "the hook itself"
echo '# a note' >> queues.yaml
passes "a comment where something is refuted"
edit queues.yaml 'lendingLimit: 3' 'lendingLimit: 2'
passes "what makes it better"
edit queues.yaml 'lendingLimit: 2' 'lendingLimit: 5'
stopped "what makes it worse" "newly exposed: 3 GPUs of \`chat\`"

# Without a role nobody is told that all is well.
start roleless
cp "$root"/tests/diff/bases/queues/*.yaml .
rm gpol.yaml
configure gpol-diff
pre-commit install > /dev/null
stopped "no role" "no queue serves" "queues: {QUEUE: {role: serving}}" "gpol.yaml"

# Policies, with what was built from them.
start policies
cp "$root/tests/diff/bases/ramp/ramp.gpol" .
gpol fmt ramp.gpol > /dev/null
gpol build ramp.gpol -o out > "$work/said"
configure gpol-fmt gpol-check "gpol-build-check -- ramp.gpol -o out"
pre-commit install > /dev/null
passes "a policy and what it gives"
edit ramp.gpol 'back within 2min' 'back within 1min'
stopped "a loan that is not back in time" "GP1106"
edit ramp.gpol 'up to 8 gpus' 'up to 4 gpus'
stopped "a policy that was not built again" "GP0506"
edit ramp.gpol 'up to 8 gpus' 'up to 4 gpus'
gpol build ramp.gpol -o out > "$work/said"
passes "a policy that was built again"
edit ramp.gpol '  owner @chat' 'owner   @chat'
stopped "a policy in another style" "files were modified by this hook"
echo "hooks: every commit ended as it must"
