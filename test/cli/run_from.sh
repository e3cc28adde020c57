# run --from DIR:N: the snow of a frame of another run in place of the scene's own, with its packing
# and deformation, at its time; the run says what it lacks, and resumes by itself.
. "$(dirname "$0")/expect.sh"

cat >first.yaml <<'YAML'
firn: 1
time: {frames: 6, fps: 50}
mpm: {cell: 3 cm, integrator: explicit}
materials: {left: {preset: chunky}, right: {preset: powder, density: 300}}
snow:
  - {shape: {sphere: {center: [-0.1, 0.1, 0], radius: 0.08}}, material: left, velocity: [0, -4, 0]}
  - {shape: {sphere: {center: [0.1, 0.1, 0], radius: 0.08}}, material: right, velocity: [0, -4, 0]}
colliders: [{shape: {plane: {}}, friction: 0.5, velocity: [0.1, 0, 0]}]
output:
  preview: false
  film: false
  fields: [velocity, density, mass, material, stiffness, plastic_volume, def_grad_elastic]
YAML
# the edited scene: materials in another order, other snow, a longer run
sed -e 's/frames: 6/frames: 8/' -e '/- {shape/d' \
    -e 's|^snow:|snow: [{shape: {sphere: {center: [0, 5, 0], radius: 0.1}}}]|' \
    -e 's/left: {preset: chunky}, right: {preset: powder, density: 300}/right: {preset: powder, density: 300}, left: {preset: chunky}/' \
    first.yaml >edited.yaml

# column NAME of the first step at or after TIME
at() {
    awk -F, -v name="$2" -v time="$3" '
        NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k; next }
        $at["time"] >= time - 1e-9 { print $at[name]; exit }' "$1"
}
expect 0 run first.yaml -o first -q --threads 1
expect 0 run edited.yaml --from first:4 -o second -q --threads 1
silent
is_there second/frames/edited.0004.hdf
absent second/frames/edited.0003.hdf
is_there second/frames/edited.0008.hdf
# the first step describes the same snow, at the same time
for name in time elastic kinetic jp_min jp_max; do
    a=$(at first/stats.csv $name 0.08) b=$(at second/stats.csv $name 0)
    awk -v a="$a" -v b="$b" 'BEGIN { exit !(a != 0 && (b / a - 1) ^ 2 < 1e-8) }' ||
        fail "$name is $b at the start, $a before"
done
# another frame's snow replaces nothing that the run has begun with
sha256sum second/start/* >start.txt
expect 3 run edited.yaml --from first:2 -o second -q --resume
says "was made from another scene"
sha256sum --quiet -c start.txt || fail "--resume from another frame changed second/start"
same "$(ls second/start | wc -l)" 2 "point files after a refusal"
# its folder is a run of its own: resumed, and by its own scene
expect 0 run edited.yaml --from first:4 -o parts -q --threads 2 --set time.frames=6
expect 0 run edited.yaml --from first:4 -o parts -q --threads 1 --resume
same "$(state_hash parts)" "$(state_hash second)" "state after --resume"
expect 0 run second/scene.yaml -o again -q
same "$(state_hash again)" "$(state_hash second)" "state of the run's own scene"

# the manifest lists what it starts from: another run in its place removes that, unless it starts
# from the same
shows_start() { grep -c '"kind": "start", .*"file": "start/' second/manifest.json; }
same "$(shows_start)" 2 "point files in the manifest"
expect 0 run edited.yaml --from first:5 -o second -q --threads 1 --overwrite
silent
same "$(shows_start)" 2 "point files in the manifest"
listed=$(grep -o '"file": "start/[^"]*' second/manifest.json | cut -d '"' -f 4)
for file in $listed; do is_there "second/$file"; done
expect 0 run edited.yaml -o second -q --threads 1 --overwrite --set time.frames=1
silent
for file in $listed; do absent "second/$file"; done

# what a frame lacks is said, or refused
expect 0 run first.yaml -o bare -q --set output.fields='[velocity, density, mass, material]'
expect 0 run edited.yaml --from bare:4 -o third -q
says "has no plastic_volume, def_grad_elastic, stiffness"
expect 0 run first.yaml -o poor -q --set output.fields='[velocity, density, mass]'
expect 3 run edited.yaml --from poor:4 -o fourth -q
says "add 'material' to output.fields"
absent fourth/scene.yaml
expect 3 run edited.yaml --from first:7 -o fourth -q
expect 3 run edited.yaml --from first:4 -o fourth -q --set time.fps=47
says "between two frames of the scene"
expect 3 run edited.yaml --from first:4 -o fourth -q --set time.frames=4
says "the scene ends at frame 4"
expect 2 run edited.yaml --from first -o fourth -q
says "is not DIR:N"
sed 's/left: {preset/middle: {preset/' edited.yaml >other.yaml
expect 3 run other.yaml --from first:4 -o fourth -q
says "which the scene lacks"
