# Signals before the first step and in commands that do not simulate: exit code 130, nothing
# written.
. "$(dirname "$0")/expect.sh"

# A scene whose set-up takes long: volumes of unions of many spheres.
"$python" - >slow.yaml <<'PY'
sphere = "{sphere: {center: [%g, 0.5, 0], radius: 0.06}}"
spheres = ", ".join(sphere % (i * 0.0005) for i in range(1500))
print("firn: 1\nsolver: mpm\ntime: {frames: 4, fps: 60}\nmpm: {cell: 0.05}\nsnow:")
for i in range(12): print("  - shape: {union: {of: [" + spheres + "]}}")
PY

# interrupt SIGNAL ARGS…: starts firn, sends SIGNAL once it can be caught and `ready` holds; leaves
# the exit code in $code. Killed after a minute.
ready() { true; }
interrupt() {
    local signal=$1 pid caught
    shift
    stage="SIG$signal during firn $*"
    timeout -s KILL 60 "$FIRN" "$@" >out.txt 2>err.txt &
    local guard=$!
    for _ in $(seq 600); do
        pid=$(pgrep -P $guard) && caught=$(sed -n 's/^SigCgt:\t*//p' "/proc/$pid/status") &&
            [ $((0x$caught >> 14 & 1)) -eq 1 ] && ready && break  # bit 14: SIGTERM
        kill -0 $guard || break
        sleep 0.05
    done
    sleep 0.3  # into the set-up
    kill -s "$signal" "$pid"
    wait $guard
    code=$?
}

for signal in INT TERM HUP; do
    interrupt $signal run slow.yaml -o setup
    same $code 130 "$stage: exit code"
    says "interrupted by SIG$signal"
    absent setup
done
interrupt TERM check slow.yaml
same $code 130 "$stage: exit code"

# Filling: `check` is quick, placing the grains is not. With OpenVDB also a level set of a mesh.
cat >packed.yaml <<'YAML'
firn: 1
solver: grains
time: {frames: 4, fps: 60}
grains: {radius: 0.004}
snow: [{shape: {sphere: {center: [0, 0.6, 0], radius: 0.5}}}]
YAML
interrupt TERM run packed.yaml -o packed
same $code 130 "$stage: exit code"
absent packed
if "$FIRN" version | grep -q '^features .*vdb'; then
    printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' >fine.obj
    sed 's/^    friction.*//; s/shape: {plane.*/shape: {mesh: {file: fine.obj, voxel: 0.002}}/' \
        "$tiny" >fine.yaml
    grep -q fine.obj fine.yaml || fail "the scene lacks the mesh"
    interrupt TERM run fine.yaml -o fine
    same $code 130 "$stage: exit code"
    absent fine
fi

# Set-up after a simulation, by `verify`: the second row takes long.
mkdir -p mine/validation/rows
{
    cat packed.yaml
    printf 'variants:\n  quick: {grains: {radius: 0.1}, time: {frames: 1, fps: 1000}}\n'
} >mine/validation/rows/scene.yaml
printf '%s\n' 'variant,solver,quantity,from,to,reference,tolerance,unit,run,source' \
    'quick,,last(mass),,,0,1,kg,quick,any' 'default,,last(mass),,,0,1,kg,quick,any' \
    >mine/validation/rows/expected.csv
(
    export FIRN_SCENE_PATH=$PWD/mine
    ready() { [ -e runs/rows-quick/frames/rows.0001.hdf ]; }
    interrupt TERM verify rows -o runs
    same $code 130 "$stage: exit code"
    is_there runs/rows-quick/frames/rows.0001.hdf
    absent runs/rows
) || exit 1

# A signal that is blocked and pending from the start waits for the handler.
early() {
    stage="a signal at the start of firn $*"
    timeout -s KILL 60 "$python" - "$FIRN" "$@" >out.txt 2>err.txt <<'PY'
import os, signal, sys
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
os.kill(os.getpid(), signal.SIGTERM)
os.execv(sys.argv[1], sys.argv[1:])
PY
    same $? 130 "$stage: exit code"
    says "interrupted by SIGTERM"
}
expect 0 run "$tiny" -o whole -q --set output.film=false
early run "$tiny" -o early
absent early
early check "$tiny"
early render whole -o pictures
absent pictures
early export whole --to ply -o points
absent points

# Commands that write pictures and files stop between two of them, and leave no temporary file.
for command in "render whole -o rendered --samples 100000 --size 640x480" \
    "export whole --to ply,heights --samples 16384 -o exported"; do
    interrupt TERM $command
    same $code 130 "$stage: exit code"
    [ -z "$(find . -name '*.tmp')" ] || fail "$stage: temporary files are left"
done
exit 0
