# For scripts that need programs of PyPI: need_python NAME ends the script with 77 where Python >= 3.11 with venv is not
# there; python_with NAME PACKAGE==VERSION... makes $work, a directory that is removed at the end, with a venv of them,
# and sets $python.
need_python() {
  if ! python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2> /dev/null; then
    echo "$1: skipped: Python 3.11 with venv is not there"
    exit 77
  fi
}
python_with() {
  work=$(mktemp -d "${TMPDIR:-/tmp}/gpol-$1.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  shift
  python3 -m venv "$work/venv"
  python=$work/venv/bin/python
  "$python" -m pip install --quiet --disable-pip-version-check "$@"
}
