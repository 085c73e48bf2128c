# Sourced by the scripts of this folder: one line per test in the file $RESULTS, read by ../run.sh. A log tells what
# failed, and is not filled with what passed.
pass() {
  echo "pass $*" >> "$RESULTS"
  [ ! -t 1 ] || echo "pass $*"
}
fail() { echo "fail $*" | tee -a "$RESULTS"; }

# expect NAME CMD...: passes when CMD succeeds; shows what it said when it fails
expect() {
  local name=$1 said
  shift
  if said=$("$@" 2>&1); then pass "$name"; else
    fail "$name"
    tail -40 <<< "$said"
  fi
}

# refuses NAME PATTERN CMD...: passes when CMD fails and says something that matches PATTERN
refuses() {
  local name=$1 pattern=$2 said
  shift 2
  if said=$("$@" 2>&1); then
    fail "$name: it was accepted"
  elif grep -Eq "$pattern" <<< "$said"; then pass "$name"; else
    fail "$name: it failed for another reason"
    tail -40 <<< "$said"
  fi
}

# played NAME SCRIPT ARG...: runs SCRIPT, and says how long it took
played() {
  local name=$1 begin=$SECONDS status=0
  shift
  bash "$@" || status=$?
  echo "conformance: $name: $(basename "$1"): $((SECONDS - begin)) s"
  return $status
}
