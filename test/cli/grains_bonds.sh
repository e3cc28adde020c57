# Grains whose bonds are strong against their springs: bonds end a radius beyond contact, and so do
# the lists of neighbours. Factors that grains do not use are not refused.
. "$(dirname "$0")/expect.sh"

cat >scene.yaml <<'YAML'
firn: 1
solver: grains
time: {frames: 1, fps: 100}
grains: {radius: 1 cm, strength_ice: 3e4, strength_snow: 5e4}
snow:
  - shape: {box: {center: [0, 0.1, 0], size: [0.15, 0.15, 0.15]}}
    vary: {hardening: {noise: {scale: 0.05, amount: 10}}}
    material: icy
colliders:
  - {shape: {plane: {}}}
output: {preview: false, film: false}
YAML
expect 0 check scene.yaml
expect 0 run scene.yaml -o run -q

# Bonds between small grains of ice reach too many of them: check says so before a run does.
expect 0 check scene.yaml --set grains.strength_ice=5e5
says "lists hold 64"

# Snow that breaks apart has the same bits in plain loops and in SIMD batches, also where a bond of
# the initial snow leaves the reach of forces within a step.
cat >break.yaml <<'YAML'
firn: 1
solver: grains
time: {frames: 1, fps: 50}
grains: {radius: 0.05}
materials: {fresh: {density: 100}, icy: {density: 800}}
snow:
  - {shape: {box: {center: [0, 0.21, 0], size: [1.2, 0.4, 1]}}, material: fresh}
  - shape: {sphere: {center: [-0.2, 0.7, 0.1], radius: 0.25}}
    material: fresh
    velocity: [0.5, -3, 0.2]
  - {shape: {sphere: {center: [0.35, 0.65, 0], radius: 0.2}}, material: icy, velocity: [0, -2, 0]}
colliders:
  - {shape: {plane: {}}, friction: 0.5}
  - shape: {box: {center: [-1, 0.3, 0], size: [0.4, 0.5, 1.4], rounding: 0.05}}
    velocity: [3, 0, 0]
    spin: [0, 1, 0]
  - {shape: {box: {center: [0.5, 0.1, 0.3], size: [0.5, 0.2, 0.5]}}, sticky: true}
output: {preview: false, film: false}
YAML
for level in plain baseline; do
    expect 0 run break.yaml -o "break-$level" -q --simd $level --threads 1
    expect 0 info "break-$level" --json
    grep -o '"state_hash":"[0-9a-f]*"' out.txt >"hash-$level"
done
cmp hash-plain hash-baseline || fail "broken snow has other bits in SIMD batches"
