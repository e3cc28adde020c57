# Two runs compared.
. "$(dirname "$0")/expect.sh"

options="-q --threads 1 --set output.preview=false --set output.film=false"
expect 0 run "$tiny" -o one $options
expect 0 run "$tiny" -o two $options
expect 0 run "$tiny" -o slow $options --set snow.0.velocity=[0.5,-2,0.25]
expect 0 run "$tiny" -o other $options --frames 3 --set mpm.cell=0.025

# 0: equal. Numbers may be written differently.
expect 0 diff one two
shows "scene: the same"
shows "frames: 5, all the same bit for bit"
shows "the runs are equal"
expect 0 diff one one -q
[ ! -s out.txt ] || fail "--quiet prints"
sed -i 's/cell: 0.02}/cell: 2e-2}/' two/scene.yaml
grep -q "2e-2" two/scene.yaml || fail "the scene was not edited"
expect 0 diff one two
expect 0 diff one two --json
same "$(value out.txt equal)" True "equal runs"

# 8: different. All particles fly 0.25 m/s aside: no other figure of frame 0 differs.
expect 8 diff one slow --json
"$python" - out.txt <<'PY' || fail "values of firn diff --json"
import json, sys
d = json.load(open(sys.argv[1]))
assert d["equal"] is False
assert d["keys"] == [{"key": "snow.0.velocity", "a": "[0.5, -2, 0]", "b": "[0.5, -2, 0.25]"}]
assert d["a"]["solver"] == d["b"]["solver"] == "mpm"
assert d["a"]["state_hash"] != d["b"]["state_hash"]
assert d["a"]["steps"] > 0 and d["a"]["seconds"] > 0
first = d["frames"][0]
assert [f["frame"] for f in d["frames"]] == [0, 1, 2, 3, 4]
assert first["differs"] == "velocity" and not first["same"]
assert first["position"] == 0 and abs(first["velocity"] - 0.25) < 1e-6, first
assert first["a"]["mass"] == first["b"]["mass"] > 0
aside = first["b"]["momentum_z"] - first["a"]["momentum_z"]
assert abs(aside - 0.25 * first["a"]["mass"]) < 1e-5 * first["a"]["mass"], aside
later = d["frames"][1]
assert 0 < later["position"] < 0.02, later  # about 0.25 m/s for 1/60 s
PY
expect 8 diff one other
shows "scene: 1 key differs"
shows "mpm.cell"
shows "only A"
shows "the runs differ"
expect 8 diff one other -q --frames 4
expect 0 diff one two --frames 0,2:4:2
shows "frames: 3, all"
expect 3 diff one two --frames 77
says "neither run has one of these frames"
expect 2 diff one two --frames 1:x
expect 2 diff one
expect 3 diff one nowhere

# Pictures side by side: three columns of 64 x 36 with gaps of 4, a row per frame.
expect 8 diff one slow --sheet sheet.png --width 64
"$python" - sheet.png <<'PY' || fail "the sheet"
import struct, sys
data = open(sys.argv[1], "rb").read()
width, height = struct.unpack(">II", data[16:24])
assert (width, height) == (3 * 68 - 4, 5 * 40 - 4), (width, height)
PY
expect 4 diff one two --sheet nowhere/sheet.png

# A damaged frame is an error, not a difference.
printf 'x' | dd of=two/frames/tiny.0002.hdf bs=1 seek=3000 conv=notrunc status=none
expect 3 diff one two
expect 0 diff one two --frames 0:1
