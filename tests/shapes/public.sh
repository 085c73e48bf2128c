#!/bin/sh
# Asks gpol about public repositories as they are kept (public.txt), with no flag: path, verdict, seconds. What they hold is
# theirs, so no verdict is wrong here; a crash, an internal error or more than 60 s is. Skipped (77) where no network gives
# one. GPOL_PUBLIC_BASE is where they are fetched from.
# In: gpol.
set -eu
gpol=$1
case $gpol in /*) ;; *) gpol=$PWD/$gpol ;; esac
list=$(dirname "$0")/public.txt
base=${GPOL_PUBLIC_BASE:-https://github.com}
export GIT_TERMINAL_PROMPT=0 GIT_LFS_SKIP_SMUDGE=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
asked=0 failed=0

fetched() { # OWNER/NAME COMMIT: the tree of that commit, in $work/tree
  rm -rf "$work/tree"
  git init -q "$work/tree" &&
    timeout 120 git -C "$work/tree" fetch -q --depth 1 "$base/$1" "$2" 2>"$work/why" &&
    git -C "$work/tree" -c core.symlinks=false checkout -q FETCH_HEAD 2>"$work/why"
}

while read -r name commit folder; do
  case $name in '#'* | '') continue ;; esac
  if ! fetched "$name" "$commit" </dev/null; then
    echo "skipped $name $commit: $(head -n 1 "$work/why")"
    continue
  fi
  asked=$((asked + 1))
  start=$(date +%s.%N)
  code=0
  (cd "$work/tree" && exec timeout 60 "$gpol" verify "${folder:-.}" --format json </dev/null) \
    >"$work/out" 2>"$work/err" || code=$?
  seconds=$(echo "$start $(date +%s.%N)" | awk '{printf "%.2f", $2 - $1}')
  verdict=$(sed -n 's/^"verdict": *"\([a-z]*\)".*/\1/p' "$work/out" | head -n 1)
  echo "$name${folder:+/$folder} ${verdict:-none} $seconds s"
  case $code in
    0 | 1 | 2 | 3) ;;
    *)
      echo "  exit code $code: $(tail -n 1 "$work/err")"
      failed=$((failed + 1))
      ;;
  esac
done <"$list"

[ "$asked" -gt 0 ] || exit 77
echo "$asked asked, $failed failed"
[ "$failed" -eq 0 ]
