# Sourced: `need_go NAME` ends the script with 77 (skipped) where Go >= 1.26 is not there.
need_go() {
  local version minor
  if ! command -v go > /dev/null; then
    echo "$1: skipped: no go"
    exit 77
  fi
  version=$(GOTOOLCHAIN=local go env GOVERSION)
  minor=$(sed -n 's/^go1\.\([0-9]*\).*/\1/p' <<< "$version")
  if [ "${minor:-0}" -lt 26 ]; then
    echo "$1: skipped: $version is older than go1.26"
    exit 77
  fi
}
