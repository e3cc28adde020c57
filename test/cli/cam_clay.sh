# Materials with Cam-Clay plasticity: keys, refusals, the field in frames, and exact resumes.
. "$(dirname "$0")/expect.sh"

cat >scene.yaml <<'YAML'
firn: 1
solver: mpm
time: {frames: 4, fps: 200}
mpm: {cell: 0.02}
materials:
  slab: {measured: {density: 250}, young: 1 MPa}
  weak: {preset: weak_layer, cam_clay: {consolidation: 500 Pa}}
snow:
  - {shape: {box: {center: [0, 0.04, 0], size: [0.2, 0.08, 0.08]}}, material: weak}
  - {shape: {box: {center: [0, 0.14, 0], size: [0.2, 0.12, 0.08]}}, material: slab}
colliders:
  - {shape: {plane: {}}, friction: 0.5}
output: {preview: false, film: false, fields: [velocity, id, consolidation], checkpoint: {every: 1}}
YAML
expect 0 check scene.yaml
silent
expect 0 run scene.yaml -o whole -q --threads 1
expect 0 run scene.yaml -o parts -q --threads 2 --frames 2
expect 0 run scene.yaml -o parts -q --threads 2 --resume
same "$(state_hash parts)" "$(state_hash whole)" "state after a resume"

# What is wrong is said.
for solver in sph grains ballistic; do
    expect 3 check scene.yaml --solver $solver
    says "solver '$solver' does not support Cam-Clay plasticity: remove \`cam_clay\` or use mpm"
done
expect 3 check scene.yaml --set materials.slab.cam_clay.friction=1
says "'cam_clay' needs 'consolidation'"
expect 3 check scene.yaml --set materials.weak.cam_clay.cohesion=-1
says "cohesion"
expect 3 check scene.yaml --set materials.weak.cam_clay.frction=1
says "friction"
expect 0 check scene.yaml --set "materials.weak.young=5 kPa"
says "more than a tenth of its bulk modulus"
expect 0 check scene.yaml --set materials.weak.fracture_energy=1
says "its fracture_energy has no effect"
expect 0 presets
shows weak_layer
