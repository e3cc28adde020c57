# Forces on colliders: stats.csv per step, `firn measure` per frame, and both after a resume.
. "$(dirname "$0")/expect.sh"

expect 0 run "$tiny" -o run -q --set output.preview=false --threads 1
expect 0 measure run --csv -q
cp out.txt frames.csv
"$python" - run/stats.csv frames.csv <<'PY' || fail "forces of steps and frames"
import csv, sys
steps = list(csv.DictReader(open(sys.argv[1])))
frames = list(csv.DictReader(open(sys.argv[2])))
names = [f"{what}_{axis}_0" for what in ("force", "torque") for axis in "xyz"]
assert list(steps[0])[-6:] == names and list(frames[0])[-6:] == names
assert all(frames[0][name] == "" for name in names)  # nothing happened before frame 0
mass, fps = float(frames[0]["mass"]), 60
for before, frame in zip(frames, frames[1:]):
    begin, end = float(before["time"]) - 1e-9, float(frame["time"]) - 1e-9
    own = [s for s in steps if begin <= float(s["time"]) < end]
    for name in names:
        mean = fps * sum(float(s[name]) * float(s["dt"]) for s in own)
        assert abs(mean - float(frame[name])) <= 1e-6 * (1 + abs(mean)), (name, mean, frame[name])
    assert abs(float(frame["force_y"]) - float(frame["force_y_0"])) <= 1e-6
    # force = m g - change of momentum: 1e-5 of what the impact gives, 100 N
    change = fps * (float(frame["momentum_y"]) - float(before["momentum_y"]))
    assert abs(-9.81 * mass - change - float(frame["force_y"])) <= 1e-3, frame["frame"]
assert min(float(f["force_y_0"]) for f in frames[1:]) < -9.81 * mass
PY

# A run that stops and continues has the same rows.
expect 0 run "$tiny" -o parts -q --frames 2 --set output.preview=false --threads 1
expect 0 run "$tiny" -o parts -q --resume --set output.preview=false --threads 1
expect 0 measure parts --csv -q
cmp -s out.txt frames.csv || fail "a resumed run has other forces"

# Without stats.csv they are not known, and nothing else changes.
rm run/stats.csv
expect 0 measure run --csv -q
same "$(cut -d, -f1-27 out.txt | cksum)" "$(cut -d, -f1-27 frames.csv | cksum)" "other columns"
same "$(head -1 out.txt | grep -c force_x_0)" 0 "columns of colliders"
