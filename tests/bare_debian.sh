#!/usr/bin/env bash
# Runs README's two commands on a bare Debian 12: a fresh minimal bookworm made by debootstrap, with the committed tree
# (HEAD) in /gpol and nothing else. Prints what each command took: MB fetched, MB on disk, minutes.
#
#   tests/bare_debian.sh [LOG-DIRECTORY]      default: build/bare_debian
#
# Environment: KEEP=1 keeps the new root. Needs: root, debootstrap, git, a Debian mirror. The mirror and the proxy are those
# of this machine's apt. Mounts are made in a private mount namespace, so none is left behind whatever happens.
set -euo pipefail

if [ -z "${GPOL_OWN_MOUNTS:-}" ]; then
  [ "$(id -u)" = 0 ] || { echo "bare_debian: needs root" >&2; exit 2; }
  command -v debootstrap > /dev/null || { echo "bare_debian: needs debootstrap" >&2; exit 2; }
  GPOL_OWN_MOUNTS=1 exec unshare --mount --propagation private "$0" "$@"
fi

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
logs=${1:-$repository/build/bare_debian}
mkdir -p "$logs"
logs=$(cd "$logs" && pwd)
root=$(mktemp -d "${TMPDIR:-/var/tmp}/bare-debian.XXXXXX")
chmod 755 "$root" # it becomes /, which every user of a real system may pass through
finish() {
  local place
  for place in proc sys dev/pts dev; do umount --lazy "$root/$place" 2> /dev/null || true; done
  if [ -n "${KEEP:-}" ]; then echo "bare_debian: kept $root"; else rm -rf --one-file-system "$root"; fi
}
chmod 755 "$root" # others than root must be able to walk through it
trap finish EXIT
trap 'exit 130' INT TERM

# The archive that this machine's apt uses for Debian itself.
mirror=$(apt-get indextargets --format '$(CODENAME) $(SITE)' | sed -n 's/^bookworm //p' | head -1)
[ -n "$mirror" ] || { echo "bare_debian: apt knows no archive of bookworm" >&2; exit 2; }
proxy=$(apt-config dump --format '%v' Acquire::http::Proxy 2> /dev/null || true)
export http_proxy=${http_proxy:-$proxy}
[ -n "$http_proxy" ] || unset http_proxy

began=$SECONDS
nice debootstrap --variant=minbase bookworm "$root" "$mirror" > "$logs/debootstrap.log" 2>&1 ||
  { tail -20 "$logs/debootstrap.log"; exit 1; }
echo "bare_debian: bookworm made in $((SECONDS - began)) s, $(du -smx "$root" | cut -f1) MB"

# How this machine reaches its mirror, and nothing else of it.
for file in /etc/apt/apt.conf $(grep -lE '^Acquire' /etc/apt/apt.conf.d/* 2> /dev/null) /etc/apt/auth.conf \
  /etc/apt/auth.conf.d/* /etc/apt/keyrings/* /etc/hosts /etc/resolv.conf; do
  [ ! -f "$file" ] || install -D -m 644 "$file" "$root$file"
done
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755,size=1m tmpfs "$root/dev"
for device in null zero full random urandom tty; do
  touch "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
ln -s /proc/self/fd "$root/dev/fd"
mkdir "$root/dev/shm"
mkdir "$root/gpol"
git -C "$repository" archive HEAD | tar -x -C "$root/gpol"

# What README promises is two blocks of one line each.
block() { awk -v n="$1" '/^```sh$/ {block++; inside = 1; next} /^```$/ {inside = 0} inside && block == n' "$root/gpol/README.md"; }
status=0
for n in 1 2; do
  line=$(block "$n")
  [ "$(grep -c . <<< "$line")" = 1 ] || { echo "bare_debian: block $n of README.md is not one line"; exit 1; }
  before=$(du -smx "$root" | cut -f1)
  began=$SECONDS
  code=0
  nice chroot "$root" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
    ${http_proxy:+http_proxy="$http_proxy"} /bin/bash -c "cd /gpol && $line" > "$logs/$n.log" 2>&1 < /dev/null || code=$?
  echo "bare_debian: command $n: exit $code after $((SECONDS - began)) s, $(($(du -smx "$root" | cut -f1) - before)) MB more on disk"
  grep -E '^Need to get|^After this operation' "$logs/$n.log" | sed 's/^/  /' || true
  tail -15 "$logs/$n.log" | sed 's/^/  | /'
  [ "$code" = 0 ] || status=1
done
exit $status
