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
