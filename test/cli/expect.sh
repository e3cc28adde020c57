# Checks for the scripts of this folder; source it first. A script ends with the first check that
# fails, and says which.
# FIRN, FIRN_SOURCE_DIR: from CTest. The working folder is fresh and belongs to the script.
set -u
here=$FIRN_SOURCE_DIR/test/cli
tiny=$here/tiny.yaml
python=/usr/bin/python3
export FIRN_SCENE_PATH=$FIRN_SOURCE_DIR/scenes
unset NO_COLOR
stage="(start)"

fail() {
    printf 'FAILED: %s\n' "$*"
    printf -- '--- stdout\n'
    tail -n 40 out.txt 2>/dev/null
    printf -- '--- stderr\n'
    tail -n 40 err.txt 2>/dev/null
    exit 1
}

# expect CODE ARGS…: firn ARGS exits with CODE. Its output is in out.txt and err.txt.
expect() {
    local want=$1 got
    shift
    stage="firn $*"
    "$FIRN" "$@" >out.txt 2>err.txt </dev/null
    got=$?
    [ $got -eq "$want" ] || fail "$stage: exit code $got instead of $want"
}

# Lines with fixed text in what the last command said.
says() { grep -qF -- "$1" err.txt || fail "$stage: '$1' is missing on stderr"; }
shows() { grep -qF -- "$1" out.txt || fail "$stage: '$1' is missing on stdout"; }
silent() { [ ! -s err.txt ] || fail "$stage: stderr is not empty"; }
is_there() { [ -s "$1" ] || fail "$stage: '$1' is missing or empty"; }
absent() { [ ! -e "$1" ] || fail "$stage: '$1' should not be there"; }
same() { [ "$1" = "$2" ] || fail "$3: '$1' is not '$2'"; }

# value FILE KEY [EVENT]: of the last JSON line of a file (whose "event" is EVENT). Every line of
# the file must be an object.
value() {
    "$python" - "$@" <<'PY' || fail "$1 is not JSON line by line, or has no '$2'"
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
if len(sys.argv) > 3: rows = [r for r in rows if r.get("event") == sys.argv[3]]
print(rows[-1][sys.argv[2]])
PY
}

# state_hash DIR: of the newest checkpoint.
state_hash() {
    "$FIRN" info "$1" --json >info.json 2>err.txt || fail "firn info $1"
    value info.json state_hash
}
