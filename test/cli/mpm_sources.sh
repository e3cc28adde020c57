# Emitters, wind, forces and gravity over time with mpm: a run that was interrupted continues to the
# same state, with another number of threads; the plain loops have as many particles.
. "$(dirname "$0")/expect.sh"

cat >scene.yaml <<'YAML'
firn: 1
time: {frames: 6, fps: 24}
mpm: {cell: 5 cm}
gravity_keys: [[0, [0, -9.81, 0]], [0.2, [0, 0, 0]]]
colliders: [{shape: {plane: {}}}]
emitters:
  - shape: {cylinder: {a: [0, 0.5, 0], b: [0.05, 0.55, 0], radius: 0.1}}
    flow: 40 kg/s
    velocity: [3, -1, 0]
    spread: 0.3
    mass: 8
air: {velocity: [0, 0, 4], gusts: {strength: 0.3, length: 1, period: 0.5}}
forces: [{kind: vortex, strength: 3, radius: 1, falloff: smooth}, {kind: noise, strength: 1}]
cull: {below: 0.05}
output: {preview: false, film: false}
YAML
hash_of() { "$FIRN" info "$1" | sed -n 's/.*state hash //p'; }

# 8 kg of particles of 400 kg/m^3 and 2.5 cm: 1280
expect 0 check scene.yaml
shows "1 280"
expect 0 run scene.yaml -o whole -q --threads 1
expect 0 run scene.yaml -o parts -q --threads 2 --set time.frames=3
expect 0 run scene.yaml -o parts -q --threads 1 --resume
[ -n "$(hash_of whole)" ] || fail "there is no state hash"
same "$(hash_of parts)" "$(hash_of whole)" "state after --resume"
expect 0 run scene.yaml -o plain -q --threads 1 --simd plain --set cull.below=-1
expect 0 measure plain --json --frames 6
same "$(value out.txt particles)" 1280 "particles of the plain loops"
