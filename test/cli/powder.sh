# Powder from the command line: `check` counts it, frames and exports have its points with the field
# that tells them, measures and surfaces do not; a run that was interrupted continues to the same
# frames with another number of threads. Materials with keys, and solvers that have neither.
. "$(dirname "$0")/expect.sh"

cat >scene.yaml <<'YAML'
firn: 1
time: {frames: 6, fps: 60}
mpm: {cell: 4 cm, integrator: explicit}
materials: {ball: {preset: chunky, keys: [{time: 0, young: 1}, {time: 0.05, critical_stretch: 0.5}]}}
snow: [{shape: {sphere: {center: [-0.2, 0.3, 0], radius: 0.15}}, material: ball, velocity: [8, 0, 0]}]
colliders: [{shape: {plane: {}}}, {shape: {box: {center: [0.2, 0.3, 0], size: [0.2, 0.6, 1]}}}]
air: {velocity: [0, 0, 3], gusts: {strength: 0.3, length: 1, period: 0.5}}
forces: [{kind: noise, strength: 1}]
powder: {points: 30, life: 0.08}
output: {preview: false, film: false, points: [ply]}
YAML

expect 0 check scene.yaml
shows "powder"
shows "if all snow breaks once"
expect 0 run scene.yaml -o whole -q --threads 1
expect 0 run scene.yaml -o parts -q --threads 2 --set time.frames=3
expect 0 run scene.yaml -o parts -q --threads 1 --resume
for frame in 2 3 4 5 6; do
    cmp whole/frames/scene.000$frame.hdf parts/frames/scene.000$frame.hdf ||
        fail "frame $frame differs after --resume"
done
grep -q "property uchar powder" whole/ply/scene.0006.ply || fail "PLY files do not tell powder"
# as many particles as without powder, and their mass; more points in the frames
expect 0 run scene.yaml -o bare -q --set powder.rate=1e6
expect 0 measure whole --json --frames 6
mass=$(value out.txt mass) count=$(value out.txt particles)
expect 0 measure bare --json --frames 6
same "$mass" "$(value out.txt mass)" "mass with powder"
same "$count" "$(value out.txt particles)" "particles with powder"
points() { sed -n 's/^element vertex //p' "$1/ply/scene.0006.ply"; }
[ "$(points whole)" -gt "$(points bare)" ] || fail "no powder in the last frame"
same "$(points bare)" "$count" "points without powder"
expect 0 export whole --to mesh -o surface --frames 6
expect 0 export bare --to mesh -o surface2 --frames 6
cmp surface/mesh/scene.0006.ply surface2/mesh/scene.0006.ply || fail "powder is in the surface"
# snow from the file of a frame is its snow
cat >again.yaml <<'YAML'
firn: 1
mpm: {cell: 4 cm}
snow: [{file: whole/ply/scene.0006.ply}]
colliders: [{shape: {plane: {}}}]
YAML
expect 0 check again.yaml --json
same "$(value out.txt particles)" "$count" "particles of snow from a file with powder"
# trimmed frames still tell powder from snow
expect 0 trim whole --fields velocity
expect 0 export whole --to ply -o trimmed --frames 6
grep -q "property uchar powder" trimmed/ply/scene.0006.ply || fail "trim forgets powder"

expect 3 check scene.yaml --solver sph
says "does not support powder"
says "does not support materials that change over time"
