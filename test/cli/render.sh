# Pictures of a run: files, --resume, settings that changed, frames that are missing or damaged.
. "$(dirname "$0")/expect.sh"
small=(--size 48x28 --samples 2 --threads 2)
# stamps DIR: changes when a file in DIR does.
stamps() { (cd "$1" && find . -type f -printf '%P %s %T@\n' | sort); }

expect 0 run "$tiny" -o run -q --set output.preview=false
expect 0 render run "${small[@]}" --frames 1:2
says "picture 2/2  frame 2  2 passes"
says "done: 2 pictures"
says "paths/s"
pictures=run/pictures
for frame in 0001 0002; do
    is_there $pictures/tiny.$frame.png
    is_there $pictures/tiny.$frame.exr
done
same "$(head -c 4 $pictures/tiny.0001.exr | od -An -tx1 | tr -d ' ')" 762f3101 \
    "the .exr's first bytes"
same "$(find $pictures -name '*.tmp' | wc -l)" 0 "temporary files"
if command -v ffmpeg >/dev/null; then
    is_there $pictures/tiny.0001-0002.mp4
    says tiny.0001-0002.mp4
fi
"$python" - $pictures/tiny.0001.png <<'PY' || fail "the notes of the PNG"
import struct, sys
data = open(sys.argv[1], "rb").read()
assert struct.unpack(">II", data[16:24]) == (48, 28)
at, notes = 8, {}
while at < len(data):
    size, kind = struct.unpack(">I4s", data[at:at + 8])
    if kind == b"iTXt":
        name, rest = data[at + 8:at + 8 + size].split(b"\0", 1)
        notes[name] = rest[2:].split(b"\0", 2)[2]  # flag, method; language; translated name; text
    at += 12 + size
assert b"samples: 2," in notes[b"firn:settings"] and notes[b"Software"].startswith(b"firn ")
PY

# What is there is never touched unasked.
stamps $pictures >before.txt
expect 2 render run "${small[@]}" --frames 2
says "tiny.0002.png' is already there"
says "--overwrite"
expect 0 render run "${small[@]}" --frames 1:2 --resume
says "done: 0 pictures"
says "2 already there"
expect 2 render run --size 48x28 --samples 3 --frames 1:2 --resume
says "render.samples was 2 and is 3"
expect 2 render run "${small[@]}" --frames 2 --set render.camera.fov=20
stamps $pictures >after.txt
cmp -s before.txt after.txt || fail "a file changed: $(diff before.txt after.txt)"
expect 0 render run "${small[@]}" --frames 2 --samples 3 --overwrite -q
silent
expect 0 render run --size 48x28 --samples 3 --frames 2 --resume --json
same "$(value out.txt skipped end)" 1 "the picture made again has the new settings"

# On a GPU; where there is none, nothing is written.
expect 7 render run "${small[@]}" --frames 2 -o gpu --backend cdua
says "did you mean 'cuda'?"
[ ! -e gpu ] || fail "a refused backend left a folder"
if "$FIRN" version --json | grep -q '"devices":\[\]'; then
    expect 7 render run "${small[@]}" --frames 2 -o gpu --backend cuda
    says "backend 'cuda'"
    [ ! -e gpu ] || fail "a refused backend left a folder"
else
    expect 0 render run "${small[@]}" --frames 2 -o gpu --backend cuda
    is_there gpu/tiny.0002.png
    expect 0 render run "${small[@]}" --frames 2 -o gpu --resume
    says "1 already there"
fi

# A picture or .exr that is gone is made; one that another program saved is not trusted.
rm $pictures/tiny.0001.exr
expect 0 render run "${small[@]}" --frames 1 --resume --json
same "$(value out.txt pictures end)" 1 "the picture whose .exr was gone"
same "$(value out.txt picture picture)" $pictures/tiny.0001.png "the picture's path"
is_there $pictures/tiny.0001.exr
cp "$FIRN_SOURCE_DIR/scenes/demo/snowball-drop/thumbnail.png" $pictures/tiny.0003.png
expect 2 render run "${small[@]}" --frames 3 --resume
says "has no record of its render settings"

# Another run in the same folder: its frames are others.
expect 0 run "$tiny" -o run -q --set output.preview=false --set 'snow.0.velocity=[0,-1,0]' \
    --overwrite
expect 0 render run "${small[@]}" --frames 1 --resume
says "frame 1 has changed since its picture was rendered"
says "done: 1 picture "

# Elsewhere, without .exr, every second one; the film keeps the speed of the run (60 per second).
expect 0 render run "${small[@]}" --frames ::2 -o "odd %d name" --no-exr
same "$(find "odd %d name" -type f | grep -vc mp4)" 3 "files without .exr"
if command -v ffprobe >/dev/null; then
    same "$(ffprobe -v error -show_entries stream=r_frame_rate,nb_frames -of csv=p=0 \
        "odd %d name/tiny.0000-0004-step2.mp4")" \
        30/1,3 "speed and pictures of the film"
fi
expect 0 render run "${small[@]}" --frames 0,3:4 -o list --no-film
same "$(find list -name '*.png' | wc -l)" 3 "a list of frames"

# Another camera, without editing the scene; --set refines it, --resume sees it.
expect 0 render run "${small[@]}" --frames 2 -o side --camera '{eye: [2, 1, 0], look_at: [0, 0, 0]}'
expect 2 render run "${small[@]}" --frames 2 -o side --resume
says "render.camera.eye was"
expect 0 render run "${small[@]}" --frames 2 -o side --resume \
    --camera '{eye: [2, 1, 0], look_at: [0, 0, 0]}'
says "1 already there"
cat >shot.gltf <<'GLTF'
{"asset": {"version": "2.0"}, "nodes": [
  {"name": "Close", "camera": 0, "translation": [0, 0.05, 0.4]},
  {"name": "Far", "camera": 0, "translation": [0, 0.05, 4]}],
 "cameras": [{"type": "perspective", "perspective": {"yfov": 0.6, "znear": 0.01}}]}
GLTF
expect 0 render run "${small[@]}" --frames 2 -o shot --camera shot.gltf:Close --no-exr
is_there shot/tiny.0002.png
expect 2 render run "${small[@]}" --frames 2 -o shot --resume --camera shot.gltf:Far --no-exr
says "render.camera"
expect 3 render run "${small[@]}" --frames 2 -o shot2 --camera shot.gltf
says "several cameras, name one of: Close, Far"
expect 3 render run "${small[@]}" --frames 2 -o shot2 --camera close
says "the scene has no camera 'close'"
expect 4 render run "${small[@]}" --frames 2 -o shot2 --camera nothing.glb
says "'nothing.glb' cannot be read"
absent shot2

# The same pixels for any number of threads; other ones for another seed.
pixels() {
    "$python" - "$1" <<'PY'
import hashlib, struct, sys, zlib
data, at, body = open(sys.argv[1], "rb").read(), 8, b""
while at < len(data):
    size, kind = struct.unpack(">I4s", data[at:at + 8])
    if kind == b"IDAT": body += data[at + 8:at + 8 + size]
    at += 12 + size
print(hashlib.sha256(zlib.decompress(body)).hexdigest())
PY
}
expect 0 render run --size 48x28 --samples 2 --frames 2 -o one --threads 1 --no-exr -q
expect 0 render run --size 48x28 --samples 2 --frames 2 -o three --threads 3 --no-exr -q
expect 0 render run --size 48x28 --samples 2 --frames 2 -o seed --seed 5 --no-exr -q
same "$(pixels one/tiny.0002.png)" "$(pixels three/tiny.0002.png)" "threads"
[ "$(pixels one/tiny.0002.png)" != "$(pixels seed/tiny.0002.png)" ] || fail "--seed changes nothing"

# Frames that are not there.
expect 3 render run "${small[@]}" --frames 2:9 -o none
says "there is no frame 5: the run of 'tiny' has frames 0 to 4"
expect 3 render nowhere
says nowhere
absent none
first=run/frames/tiny.0001.hdf
printf 'x' | dd of=$first bs=1 seek=3000 conv=notrunc status=none
expect 3 render run "${small[@]}" --frames 0:2 -o damaged
says "frame 1 is skipped"
says "1 of 3 frames could not be read"
is_there damaged/tiny.0002.png
absent damaged/tiny.0001.png
absent damaged/tiny.0000-0002.mp4

# Wrong command lines.
expect 2 render
expect 2 render run --set mpm.cell=0.01
says "the simulation is done"
expect 2 render run --set render.samples
says "is not KEY=VALUE"
expect 3 render run --set render.sampels=3
says "did you mean 'samples'?"
expect 3 render run --set render.samples=0
says "samples"
for size in 48 48x 48x27 x28 0x0 48x28x2; do
    expect 2 render run --size $size
    says "'$size' is not a size"
done
for frames in x 3:1 -1 1:2:0 1:2:3:4 1,2: 1,,2; do
    expect 2 render run --frames=$frames
    says "option '--frames': '$frames' is not frames"
done
expect 2 render run --resume --overwrite
says "cannot be used together"
expect 4 render run "${small[@]}" --frames 0 -o $first/pictures
expect 4 render run "${small[@]}" --frames 0 -o /proc/firn-test
exit 0
