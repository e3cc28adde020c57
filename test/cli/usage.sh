# Usage errors leave with 2, say what is wrong and suggest the nearest name; every command has help.
. "$(dirname "$0")/expect.sh"

expect 2 rnu
says "unknown command 'rnu' (did you mean 'run'?)"
expect 2 run
says "firn run SCENE"
expect 2 run a b
says "unexpected argument 'b'"
expect 2 run "$tiny" --fraems 3
says "unknown option '--fraems' (did you mean '--frames'?)"
expect 2 run "$tiny" -z
says "unknown option '-z'"
expect 2 run "$tiny" --frames
says "option '--frames' needs a value"
for frames in x 3:1 -1 : 1:2:3 99999999999999999999; do
    expect 2 run "$tiny" --frames "$frames"
    says "option '--frames'"
done
expect 2 run "$tiny" --frames 2:4
says "it starts at 0 or, with --resume"
for size in 8Q -1 0 x 1e300 8GG; do
    expect 2 run "$tiny" --memory "$size"
    says "'$size' is not a size such as"
done
expect 2 run "$tiny" --threads 1.5
says "'1.5' is not a whole number"
expect 2 run "$tiny" --threads 2000
says "2000 is not between 0 and 1024"
expect 2 run "$tiny" --json=yes
says "takes no value"
expect 2 run "$tiny" --solver mmp
says "unknown solver 'mmp' (did you mean 'mpm'?)"
expect 2 run "$tiny" --simd x86-64-v33
says "(did you mean 'x86-64-v3'?)"
expect 2 run "$tiny" --set mpm.cell
says "is not KEY=VALUE"
expect 2 run "$tiny" --resume --overwrite
says "cannot be used together"
expect 2 export somewhere
says "--to vdb,ply"
expect 2 export somewhere --to pyl
says "(did you mean 'ply'?)"
expect 2 bench --particles 10
says "10 is not between 1000"
expect 2 help scene --markdown --schema
expect 2 help run --markdown
expect 2 help scen
says "(did you mean 'scene'?)"
absent runs

expect 7 run "$tiny" --backend cdua
says "there is no backend 'cdua'; did you mean 'cuda'?"
expect 7 run "$tiny" --backend cuda:x
says "number of a device"
# --backend cuda says what is missing, in the words of `firn version`; it is not tried where it is
# there
expect 0 version
shows "devices"
why=$("$FIRN" version --json |
    "$python" -c 'import json, sys; print(json.load(sys.stdin)["no_devices_because"] or "")')
if [ -n "$why" ]; then
    expect 7 run "$tiny" --backend cuda
    says "$why"
    expect 7 run "$tiny" --backend cuda:0 --deterministic
    says "backend 'cuda:0'"
else
    expect 7 run "$tiny" --backend cuda:999
    says "no device 999"
fi
case $why in
*"built without CUDA"*) says "FIRN_CUDA=ON" ;;
*"no NVIDIA driver"*) says "or newer" ;;
esac
absent runs

for command in run view render check info measure export scenes presets bench version help; do
    expect 0 help "$command"
    silent
    shows "firn $command"
    shows "Options"
    cp out.txt help.txt
    expect 0 "$command" --help
    cmp -s out.txt help.txt || fail "firn $command --help differs from firn help $command"
    expect 0 help
    shows "  $command "
done
expect 0
shows "firn run snowball-drop"
expect 0 --version
shows "firn 0."
expect 0 version --json
case $(value out.txt real) in
float | double) ;;
*) fail "firn version --json: no number type" ;;
esac

expect 0 help scene
shows "mpm"
expect 0 help scene --markdown
shows "| "
expect 0 help scene --schema
"$python" -m json.tool out.txt >/dev/null || fail "the schema is not JSON"

expect 0 presets
shows snow
expect 0 presets --json
"$python" -c 'import json,sys; assert all(json.loads(l)["source"] for l in open("out.txt"))' ||
    fail "a preset has no source"
expect 0 scenes
shows snowball-drop
expect 0 scenes --json
"$python" -c 'import json
rows = {r["name"]: r for r in map(json.loads, open("out.txt"))}
assert "paper" in rows["snowball-drop"]["variants"]' || fail "snowball-drop has no variant 'paper'"

# A reader that leaves, and a disk that is full.
"$FIRN" help scene 2>err.txt | head -n 1 >out.txt
same "${PIPESTATUS[0]}" 0 "firn help scene | head -n 1"
[ ! -s err.txt ] || fail "a closed pipe is nothing to complain about"
"$FIRN" presets >/dev/full 2>err.txt
same $? 4 "firn presets >/dev/full"
exit 0
