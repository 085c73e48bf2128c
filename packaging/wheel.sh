#!/usr/bin/env bash
# Makes dist/gpol-VERSION-py3-none-manylinux_2_35_x86_64.whl: the program with its shared libraries, libgit2 and tzdata.
#
#   packaging/wheel.sh [GPOL [DIST]]    default: build/release/gpol, built if it is not there, and dist/
#
# auditwheel copies what the program needs beside it and checks the tag: glibc 2.35, that is Ubuntu 22.04, Debian 12 and
# whatever is newer. Two things it cannot see are put in by hand: libgit2, which `gpol diff` loads when it runs, and the
# time zones. Needs: Debian 12 with the packages of README's first command, git, dpkg, Python with venv, PyPI. The same
# program and packages give the same bytes.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
gpol=${1:-$root/build/release/gpol}
dist=${2:-$root/dist}
mkdir -p "$dist"
dist=$(cd "$dist" && pwd)
if [ ! -x "$gpol" ]; then
  (cd "$root" && cmake --preset release -DGPOL_TESTS=OFF && cmake --build --preset release --target gpol)
fi
gpol=$(realpath "$gpol")
version=$("$gpol" --version | sed 's/^gpol //;q')
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct)}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check --require-hashes -r "$root/packaging/requirements.txt"
export PATH="$work/venv/bin:$PATH"

tree=$work/tree
mkdir -p "$tree/gpol/licences" "$tree/gpol-$version.data/scripts" "$tree/gpol-$version.dist-info"
install "$gpol" "$tree/gpol-$version.data/scripts/gpol"
strip "$tree/gpol-$version.data/scripts/gpol"
cat > "$tree/gpol-$version.dist-info/WHEEL" << EOF
Wheel-Version: 1.0
Generator: packaging/wheel.sh
Root-Is-Purelib: false
Tag: py3-none-linux_x86_64
EOF
{
  printf 'Metadata-Version: 2.1\nName: gpol\nVersion: %s\nSummary: Policy-as-code for shared GPU clusters, with proof\n' "$version"
  printf 'License: Apache-2.0\nRequires-Python: >=3.7\nDescription-Content-Type: text/markdown\n\n'
  cat "$root/README.md"
} > "$tree/gpol-$version.dist-info/METADATA"
: > "$tree/gpol-$version.dist-info/RECORD"

# libgit2, by the name that the program asks for; auditwheel then finds what it needs in turn.
soversion=$(sed -n 's/^#define LIBGIT2_SOVERSION *"\(.*\)"/\1/p' /usr/include/git2/version.h)
git2=$(ldconfig -p | sed -n "s/.*=> \(.*libgit2\.so\.$soversion\)\$/\1/p" | head -1)
[ -n "$git2" ] || { echo "wheel: libgit2.so.$soversion is not there" >&2; exit 1; }
install "$(realpath "$git2")" "$tree/gpol/libgit2.so.$soversion"
strip "$tree/gpol/libgit2.so.$soversion"

# Time zones, without the second copies that count leap seconds (right/) or do not (posix/).
(cd /usr/share/zoneinfo && find -L . -type f -not -path './right/*' -not -path './posix/*' -print0 | LC_ALL=C sort -z |
  while IFS= read -r -d '' file; do
    if [ "$(head -c 4 "$file" | tr -d '\0')" = TZif ]; then install -D -m 644 "$file" "$tree/gpol/zoneinfo/$file"; fi
  done)

# What the licences of the libraries ask for: each package's own file.
cp "$root/LICENSE" "$tree/gpol/licences/gpol"
for library in $(ldd "$gpol" "$git2" | sed -n 's/.*=> \(\/[^ ]*\).*/\1/p' | sort -u); do
  # dpkg knows either the path in /lib or the one in /usr/lib, and fails for the other
  package=$({ dpkg -S "$(realpath "$library")" "$library" 2> /dev/null || true; } | sed 's/:.*//;q')
  [ -n "$package" ] || { echo "wheel: no package has $library" >&2; exit 1; }
  cp "/usr/share/doc/$package/copyright" "$tree/gpol/licences/$package"
done
cp /usr/share/doc/libantlr4-runtime-dev/copyright "$tree/gpol/licences/libantlr4-runtime" # linked into the program
cp /usr/share/doc/tzdata/copyright "$tree/gpol/licences/tzdata"

wheel pack --dest-dir "$work" "$tree" > /dev/null
auditwheel repair --plat manylinux_2_35_x86_64 --wheel-dir "$work/repaired" "$work"/gpol-*.whl > "$work/log" 2>&1 ||
  { cat "$work/log" >&2; exit 1; }
# The program looks for libgit2 beside its other libraries.
mkdir "$work/last"
wheel unpack --dest "$work/last" "$work"/repaired/*.whl > /dev/null
(cd "$work"/last/gpol-* && mv "gpol/libgit2.so.$soversion" gpol.libs/ &&
  patchelf --set-rpath '$ORIGIN' "gpol.libs/libgit2.so.$soversion")
rm -f "$dist"/gpol-*.whl
wheel pack --dest-dir "$dist" "$work"/last/gpol-* > /dev/null
auditwheel show "$dist"/gpol-*.whl > "$work/log"
grep -q '"manylinux_2_35_x86_64"' "$work/log" || { cat "$work/log" >&2; exit 1; }
ls "$dist"/gpol-*.whl
