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
grep -q '5 values are of <b>quick</b> runs' page.html || fail "the page does not say what ran"

# A page is replaced as a whole: the old file is not written into. Finished runs can be kept.
ln page.html old.html
cp page.html before.html
frame=runs/incline-mpm/frames/incline.0002.hdf
written=$(stat -c %Y.%i "$frame")
expect 0 verify incline --threads 2 -q -o runs --resume --page page.html
cmp -s old.html before.html || fail "the page was written into the old file"
cmp -s page.html before.html || fail "runs that are kept give another page"
same "$(stat -c %Y.%i "$frame")" "$written" "a frame of a finished run"
same "$(ls -A | grep -c firn-page)" 0 "drafts that stay"
expect 4 verify incline --threads 2 -q -o runs --resume --page nowhere/page.html
says "cannot write 'nowhere/page.html'"
expect 4 verify incline --threads 2 -q -o runs --resume --page /dev/full

# A reference that is wrong by more than its tolerance fails, and what cannot run says why.
mkdir -p mine/validation/drop
cat >mine/validation/drop/scene.yaml <<'YAML'
firn: 1
time: {frames: 4, fps: 100}
mpm: {cell: 0.05}
snow: [{shape: {sphere: {center: [0, 1, 0], radius: 0.1}}}]
variants:
  hot: {grains: {radius: 0.02, heat_speed: 1e9}, air: {drag: false, temperature: 5}}
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

# A failure that is known has its cause below the table.
rows 'default,mpm,rate(velocity_y),,,-9,1%,m/s^2,quick,free fall; limit: no air' \
    'default,,rate(velocity_y),,,-9.81,1%,m/s^2,quick,free fall; limit: cured' \
    'default,,last(mass),,,0,1,kg,quick,wrong'
expect 1 verify drop -q -o runs
shows "1 of 3 values lie within their tolerance"
same "$(grep -A9 'known limits' out.txt | tail -n +2 | tr -s ' ')" \
    " drop mpm, rate(velocity_y): no air" "known limits"

# What `firn run` refuses is not run either.
rows 'hot,grains,last(mass),,,0,1,kg,quick,heat of a step would be unstable'
expect 3 check drop --variant hot --solver grains
says heat_speed
expect 1 verify drop -q -o runs --markdown
grep -q "heat_speed" out.txt || fail "the reason of a refusal is missing"

# Functions of a column: a ball that falls from 1 m for 0.04 s.
fallen=$("$python" -c 'print((2 * 0.005 / 9.81) ** 0.5)') # 5 mm: 32 ms
rows "default,,time(center_y<0.995),,,$fallen,0.004,s,quick,linear between frames" \
    "default,,rest(center_y<0.995),,,$fallen,0.004,s,quick,it stays below" \
    'default,,time(center_y>0.5),,,0,1e-9,s,quick,from the start on' \
    'default,,time_of_min(velocity_y),,,0.04,1e-6,s,quick,the end' \
    'default,,time_of_max(velocity_y),0.01,,0.01,1e-6,s,quick,the start of the window' \
    'default,,change(velocity_y),0.01,0.03,-0.1962,1%,m/s,quick,two frames' \
    'default,,last(rms_speed),,,0.3924,1%,m/s,quick,g t' \
    'default,,sweep(center_y),,,41,10%,m/s,quick,0.2 m in 4.8 ms: 3.2 to 8 ms of the first frame' \
    'default,,last(moving),,,0.2,10%,m,quick,all of it moves' \
    'default,,time(center_y<0.9),,,0,1,s,full,never' \
    'default,,rest(speed<0.1),,,0,1,s,full,never'
expect 1 verify drop -q -o runs --full --page functions.html
shows "9 of 11 values lie within their tolerance"
shows "'rest(speed<0.1)' has no value"
same "$(grep -o '<polyline' functions.html | wc -l)" 11 "plots of functions"
expect 0 verify drop -q -o runs
shows "2 values of longer runs were left out: --full"

# The solvers side by side.
expect 2 verify drop --compare
says "has values to compare"
compared='variant,quantity,from,to,unit,run,why'
printf '%s\n' "$compared" 'default,last(velocity_y),,,m/s,quick,all fall, as they must' \
    'default,rest(speed<0.1),,,s,full,none rests' >mine/validation/drop/compare.csv
expect 0 verify drop --compare -q -o runs --markdown
row='^\| drop \| `last\(velocity_y\)` \[m/s\] \| all fall, as they must( \| -0.39[0-9]){3} \|$'
grep -qE "$row" out.txt || fail "the table of solvers"
same "$(wc -l <out.txt)" 3 "lines of the table"
expect 0 verify drop --compare --full --list --markdown
grep -qF '| drop | `rest(speed<0.1)` [s] | none rests |  |  |  |' out.txt ||
    fail "the list of solvers"
expect 0 verify drop --compare --full -q -o runs --json --resume
same "$(wc -l <out.txt)" 6 "one object for each solver"
expect 2 verify drop --compare --page page.html
printf '%s\n' "$compared" 'default,last(velocity_y),,,m/s,soon,x' >mine/validation/drop/compare.csv
expect 3 verify drop --compare
says "compare.csv:2: expected seven values"

# Where it computes: a device that is not there ends it, with the reason.
rows 'default,,rate(velocity_y),,,-9.81,1%,m/s^2,quick,free fall'
expect 0 verify drop -q -o runs --backend cpu --page page.html
grep -q 'Computed on' page.html && fail "a device that was not used is on the page"
expect 7 verify drop -q -o runs --backend cuda:4711
says "4711"
expect 7 verify drop -q -o runs --backend gpu
says "there is no backend 'gpu'"

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
