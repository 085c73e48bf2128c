#!/usr/bin/env bash
# The wheel in a clean Debian 12 without compiler, git, libraries or time zones: made by packaging/wheel.sh, installed by pip
# without an index into a new venv, and run: its output must be that of the build, byte for byte.
#
#   run.sh [GPOL]      default: build/release/gpol of the repository
#
# Exit 0: it is; 1: it is not; 77: skipped, because debootstrap, Python's venv or the rights of root are not there.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
gpol=$(realpath "${1:-$root/build/release/gpol}")
. "$here/../support/python.sh"
need_python wheel
for tool in debootstrap git unshare; do
  command -v $tool > /dev/null || { echo "wheel: skipped: $tool is not there"; exit 77; }
done
if [ -z "${GPOL_OWN_MOUNTS:-}" ]; then
  [ "$(id -u)" = 0 ] && unshare --mount true || { echo "wheel: skipped: a clean Debian needs the rights of root"; exit 77; }
  GPOL_OWN_MOUNTS=1 exec unshare --mount --propagation private "$0" "$@"
fi

TMPDIR=/var/tmp python_with wheel pre-commit==4.7.0
finish() {
  umount --lazy "$work/debian/proc" 2> /dev/null || true
  rm -rf --one-file-system "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM

"$root/packaging/wheel.sh" "$gpol" "$work/dist"
du -m "$work"/dist/*.whl | sed 's/^\([0-9]*\).*/wheel: \1 MiB/'

mirror=$(apt-get indextargets --format '$(CODENAME) $(SITE)' | sed -n 's/^bookworm //p' | head -1)
[ -n "$mirror" ] || { echo "wheel: apt knows no archive of bookworm"; exit 1; }
export http_proxy=${http_proxy:-$(apt-config dump --format '%v' Acquire::http::Proxy 2> /dev/null || true)}
[ -n "$http_proxy" ] || unset http_proxy
debian=$work/debian
debootstrap --variant=minbase --include=python3-venv bookworm "$debian" "$mirror" > "$work/debootstrap.log" 2>&1 ||
  { tail -20 "$work/debootstrap.log"; exit 1; }
mount -t proc proc "$debian/proc"
rm -rf "$debian/usr/share/zoneinfo"
for tool in cc gcc clang git; do
  if chroot "$debian" sh -c "command -v $tool" > /dev/null; then echo "wheel: this Debian has $tool"; exit 1; fi
done

# What both programs are asked, at the same path: a folder of manifests, a policy with a time zone, two commits.
mkdir -p "$debian/asked"
cp -r "$root/tests/bundles/one-file" "$root/examples/morning-ramp" "$debian/asked"
(
  cd "$debian/asked/one-file"
  export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
  commit() { git add -A && git -c user.name=gpol -c user.email=gpol@example.invalid commit -qm "$1"; }
  git init -q . && commit before
  sed -i 's/nominalQuota: 8/nominalQuota: 16/' ./*.yaml && commit after
)
cp "$work"/dist/*.whl "$debian/"
chroot "$debian" sh -ec 'python3 -m venv /venv && /venv/bin/pip install --quiet --no-index /gpol-*.whl'

failed=0
same() { # same FOLDER ARGUMENT...: in this folder of /asked
  local what=$2 in=$1 one=0 two=0
  shift
  (cd "$debian/asked/$in" && "$gpol" "$@") > "$work/built" 2>&1 < /dev/null || one=$?
  # shellcheck disable=SC2016
  chroot "$debian" sh -c 'cd "/asked/$0" && exec /venv/bin/gpol "$@"' "$in" "$@" > "$work/installed" 2>&1 < /dev/null || two=$?
  if [ $one = $two ] && cmp -s "$work/built" "$work/installed"; then
    echo "wheel: $what: exit $two, $(wc -l < "$work/installed") lines, as the build says"
  else
    echo "wheel: $what: exit $two, not $one"
    diff "$work/built" "$work/installed" | head -20 || true
    failed=1
  fi
  grep -q "$expected" "$work/installed" || { echo "wheel: $what: it does not say \"$expected\""; failed=1; }
}
expected="gpol 0" same . --version
expected="NOT SAFE" same . verify one-file --serving chat
expected="proven under" same . check morning-ramp/morning-ramp.gpol
expected="chat" same one-file diff HEAD~1..HEAD --serving chat

# Where pre-commit installs it (docs/ci.md), and the step of the action.
(
  cd "$debian/asked/one-file"
  export PATH="$work/venv/bin:$PATH" PRE_COMMIT_HOME=$work/home GIT_CONFIG_GLOBAL=$work/gitconfig
  git config --global user.name gpol && git config --global user.email gpol@example.invalid
  awk '/^```yaml$/ {inside = 1; text = ""; next} /^```$/ {if (inside && text ~ /language: python/) printf "%s", text; inside = 0} inside {text = text $0 "\n"}' \
    "$root/docs/ci.md" | sed "s#https://files.example.com/#file://$work/dist/#" > .pre-commit-config.yaml
  printf 'queues:\n  chat: {role: serving}\n' > gpol.yaml
  git add -A && git commit -q -m "the hook" && pre-commit install > /dev/null
  echo "# a comment" >> gpol.yaml
  git add -A && git commit -q -m "nothing worse" > "$work/said" 2>&1 || { cat "$work/said"; echo "wheel: hook: a good commit was stopped"; exit 1; }
  sed -i 's/nominalQuota: 16/nominalQuota: 12/' ./*.yaml
  git add -A
  if git commit -q -m "worse" > "$work/said" 2>&1; then echo "wheel: hook: an unsafe commit went through"; exit 1; fi
  grep -q "SMALLER" "$work/said" || { cat "$work/said"; exit 1; }
  echo "wheel: pre-commit installs it and stops what is worse"
  git reset -q --hard
  code=0
  GPOL=/nowhere GPOL_WHEEL=$(ls "$work"/dist/*.whl) GITHUB_STEP_SUMMARY=$work/summary "$root/ci/github.sh" > "$work/said" 2>&1 || code=$?
  [ $code = 1 ] && grep -q "^::error file=" "$work/said" || { cat "$work/said"; exit 1; }
  echo "wheel: the action's step installs it and reports"
) || failed=1
exit $failed
