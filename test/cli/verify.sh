# Validation scenes against their references.
. "$(dirname "$0")/expect.sh"

# What ships: the table, the page and the list have the same rows.
expect 0 verify --list
grep -q 'incline gentle' out.txt || fail "the list lacks incline"
expect 0 verify incline --threads 2 -q -o runs --page page.html
shows "5 of 5 values lie within their tolerance"
silent
grep -q 'Coulomb: g (sin 20° - 0.3 cos 20°)' page.html || fail "the page lacks the sources"
same "$(grep -o '<polyline' page.html | wc -l)" 5 "plots of the page"
grep -q 'http' page.html && fail "the page refers to a network"

# A reference that is wrong by more than its tolerance fails, and what cannot run says why.
mkdir -p mine/validation/drop
cat >mine/validation/drop/scene.yaml <<'YAML'
firn: 1
time: {frames: 4, fps: 100}
mpm: {cell: 0.05}
snow: [{shape: {sphere: {center: [0, 1, 0], radius: 0.1}}}]
YAML
export FIRN_SCENE_PATH=$PWD/mine
head='variant,solver,quantity,from,to,reference,tolerance,unit,run,source'
rows() { printf '%s\n' "$head" "$@" >mine/validation/drop/expected.csv; }
rows 'default,,rate(velocity_y),,,-9.81,1%,m/s^2,quick,free fall, at first' \
    'default,,rate(velocity_y),,,-9,1%,m/s^2,quick,wrong' \
    'default,,last(nothing),,,0,1,m,quick,no such column' \
    'none,,last(mass),,,0,1,kg,quick,no such variant'
expect 1 verify drop -q -o runs --json
"$python" - out.txt <<'PY' || fail "verdicts"
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
assert [r["holds"] for r in rows] == [True, False, False, False], rows
assert abs(rows[0]["value"] + 9.81) < 0.1 and rows[2]["value"] is None
assert rows[0]["source"] == "free fall, at first"
PY
expect 1 verify drop -q -o runs --markdown
grep -q "'last(nothing)' has no value" out.txt || fail "a column that does not exist"
grep -q "none" out.txt || fail "a variant that does not exist"

# Files that are not right.
rows 'default,,rate(velocity_y),,,fast,1%,m/s^2,quick,not a number'
expect 3 verify drop --list
says "expected.csv:2: expected ten values"
printf 'a,b\n' >mine/validation/drop/expected.csv
expect 3 verify drop --list
says "expected.csv:1: the first line must be"
rm mine/validation/drop/expected.csv
mkfifo mine/validation/drop/expected.csv
expect 3 verify drop --list
rm mine/validation/drop/expected.csv
expect 2 verify drop --list
says "has values to compare"
expect 2 verify nowhere
