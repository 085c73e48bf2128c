#!/usr/bin/env bash
# What gpol prints for other programs, read by others' readers: SARIF by the published schema (as npm ships it in
# @microsoft/jest-sarif), JUnit by junitparser of PyPI, GitHub's commands by the rules of its toolkit.
#
#   run.sh [GPOL]      default: build/release/gpol of the repository
#
# Exit 0: all are read; 1: one is not; 77: skipped, because npm or Python's venv is not there.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
gpol=$(realpath "${1:-$here/../../build/release/gpol}")
. "$here/../support/python.sh"
need_python formats
command -v npm > /dev/null || { echo "formats: skipped: npm is not there"; exit 77; }
python_with formats "jsonschema==4.23.0" "junitparser==3.2.0"
(cd "$work" && npm pack --silent @microsoft/jest-sarif@1.0.0-beta.0 > /dev/null && tar xzf microsoft-jest-sarif-*.tgz)
schema=$work/package/lib/schemas/sarif-2.1.0-rtm.5.json
"$python" "$here/read.py" "$gpol" "$schema" "$here/../.."
