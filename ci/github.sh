#!/usr/bin/env bash
# A step of GitHub Actions (action.yml): findings as annotations, as SARIF and in the job's summary; then what the pull
# request changes since it left its base. Ends with the worst exit code: of the verdict as far as GPOL_FAIL_ON lets it
# count, and of the change.
#
# Environment: GPOL, GPOL_WHEEL (empty, or what pip installs and is run instead), GPOL_COMMAND (verify or check),
# GPOL_PATHS (one a line), GPOL_FAIL_ON, GPOL_BASE (may be empty), and what the runner sets: GITHUB_STEP_SUMMARY, GITHUB_OUTPUT, RUNNER_TEMP.
set -euo pipefail
gpol=${GPOL:-gpol} command=${GPOL_COMMAND:-verify}
case $command in verify | check) ;; *) echo "::error::gpol: command is verify or check, not $command"; exit 2 ;; esac
paths=()
while IFS= read -r path; do if [ -n "$path" ]; then paths+=("$path"); fi; done <<< "${GPOL_PATHS:-.}"
asked=("$command" --as-of "$(date -u +%F)" --fail-on "${GPOL_FAIL_ON:-undecided}")
work=$(mktemp -d "${RUNNER_TEMP:-/tmp}/gpol.XXXXXX")
summary=${GITHUB_STEP_SUMMARY:-/dev/null} output=${GITHUB_OUTPUT:-/dev/null}
if [ -n "${GPOL_WHEEL:-}" ]; then
  python3 -m venv "$work/venv"
  "$work/venv/bin/pip" install --quiet --disable-pip-version-check "$GPOL_WHEEL"
  gpol=$work/venv/bin/gpol
fi

code=0 changed=0
"$gpol" "${asked[@]}" --format github -- "${paths[@]}" || code=$?
"$gpol" "${asked[@]}" --format sarif -- "${paths[@]}" > "$work/gpol.sarif" || true
"$gpol" "${asked[@]}" --format markdown -- "${paths[@]}" >> "$summary" || true
echo "sarif=$work/gpol.sarif" >> "$output"
if [ -n "${GPOL_BASE:-}" ]; then
  since=(diff --as-of "$(date -u +%F)" "$GPOL_BASE...HEAD" -- "${paths[@]}")
  "$gpol" "${since[@]:0:3}" --format github "${since[@]:3}" || changed=$?
  "$gpol" "${since[@]:0:3}" --format markdown "${since[@]:3}" > "$work/comment.md" || true
  cat "$work/comment.md" >> "$summary"
  echo "comment=$work/comment.md" >> "$output"
fi
# The worst first: 4 internal error, 2 could not run, 1 refuted or worse, 3 undecided.
for worst in 4 2 1 3; do
  if [ "$code" = "$worst" ] || [ "$changed" = "$worst" ]; then exit "$worst"; fi
done
