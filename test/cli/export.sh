# Other formats out of a cache.
. "$(dirname "$0")/expect.sh"

expect 0 run "$tiny" -o run -q --frames 3 --set output.preview=false
expect 0 export run --to ply,vtp -o all
says "frame 3/3"
! grep -q "sub-steps" err.txt || fail "an export reports steps, though it computes none"
same "$(find all -name '*.ply' | wc -l)" 4 "PLY files"
same "$(find all -name '*.vtp' | wc -l)" 4 "VTP files"
same "$(find all -name '*.pvd' | wc -l)" 1 "PVD files"
expect 0 export run --to ply -o one --frames 2
same "$(find one -name '*.ply' | wc -l)" 1 "one frame"
expect 0 export run --to ply -o two --frames 1:2 -q
silent
same "$(find two -name '*.ply' | wc -l)" 2 "two frames"
expect 0 export run --to ply -o step --frames 0:3:2
same "$(ls step/ply | tr '\n' ' ')" "tiny.0000.ply tiny.0002.ply " "every second frame"
expect 0 export run --to ply -o list --frames 3,0:1
same "$(find list -name '*.ply' | wc -l)" 3 "a list of frames"
expect 3 export run --to ply -o none --frames 1,7
says "has no frame 7; its last frame is 3"
expect 2 export run --to ply -o none --frames 0:3:0
says "option '--frames': '0:3:0' is not frames such as 12"

# Z up: (x, y, z) -> (x, -z, y), so the highest coordinate moves from y to z.
expect 0 export run --to ply -o up --frames 2 --z-up
"$python" - "$(find one -name '*.ply')" "$(find up -name '*.ply')" <<'PY' || fail "--z-up"
import struct, sys
def points(path):
    data = open(path, "rb").read()
    head, body = data.split(b"end_header\n", 1)
    lines = head.decode().split("\n")
    count = next(int(l.split()[2]) for l in lines if l.startswith("element vertex"))
    size = {"float": 4, "float32": 4, "double": 8, "uint": 4, "uint32": 4, "int": 4,
            "uchar": 1, "uint8": 1}
    properties = [l.split()[1:] for l in lines if l.startswith("property")]
    assert [p[1] for p in properties[:3]] == ["x", "y", "z"]
    assert properties[0][0] in ("float", "float32")
    stride = sum(size[p[0]] for p in properties)
    return [struct.unpack_from("<3f", body, i * stride) for i in range(count)]
a, b = points(sys.argv[1]), points(sys.argv[2])
assert len(a) == len(b) > 100
assert all(p[0] == q[0] and p[1] == q[2] and -p[2] == q[1] for p, q in zip(a, b))
PY

if "$FIRN" version --json | grep -q '"vdb"'; then
    expect 0 export run --to vdb -o volumes --frames 1:2 --voxel 0.03
    same "$(find volumes -name '*.vdb' | wc -l)" 2 "VDB files"
    expect 0 export run --to sdf -o volumes --frames 1:2
    same "$(ls volumes/sdf | tr '\n' ' ')" "tiny.0001.vdb tiny.0002.vdb " "level sets"
else
    expect 7 export run --to sdf -o volumes
    expect 7 export run --to vdb -o volumes
    says openvdb
fi

# A surface: closed, in three formats.
for format in ply obj glb; do
    expect 0 export run --to mesh --mesh-format $format -o surface --frames 1:2
    same "$(find surface/mesh -name "*.$format" | wc -l)" 2 "meshes as $format"
done
expect 2 export run --to mesh --mesh-format stl -o surface
says "unknown mesh format 'stl' (available: ply, obj, glb)"
expect 2 export run --to ply --mesh-format obj -o surface
says "needs '--to mesh'"

# Heights: a picture, floats and a note for each frame; as many samples as were asked for.
expect 0 export run --to heights -o terrain --frames 1:2 --samples 64
same "$(find terrain/heights -name '*.png' | wc -l)" 2 "height PNG files"
"$python" - terrain/heights <<'PY' || fail "heights"
import glob, json, os, struct, sys
notes = [json.load(open(p)) for p in sorted(glob.glob(sys.argv[1] + "/*.json"))]
assert len(notes) == 2 and max(notes[0]["columns"], notes[0]["rows"]) == 64
assert all(notes[0][k] == notes[1][k] for k in ("x", "z", "width", "depth", "low", "high"))
for note, path in zip(notes, sorted(glob.glob(sys.argv[1] + "/*.r32"))):
    count = note["columns"] * note["rows"]
    values = struct.unpack(f"<{count}f", open(path, "rb").read())
    # heights are floats of about 1
    assert min(values) >= note["low"] - 1e-6 and max(values) <= note["high"] + 1e-6
    assert max(values) > note["low"]
    png = open(path[:-4] + ".png", "rb").read()
    assert struct.unpack(">II", png[16:24]) == (note["columns"], note["rows"]) and png[24] == 16
PY
expect 2 export run --to heights --samples 1

expect 3 export run2 --to ply
says run2
first=$(find run -name '*.hdf' | sort | head -n 1)
printf 'x' | dd of="$first" bs=1 seek=3000 conv=notrunc status=none
expect 3 info run --verify
says "1 file of the run"
expect 3 export run --to ply -o damaged
exit 0
