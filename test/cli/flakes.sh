# Flakes of any size fall on snow and on a floor without diverging: alone, a flake much smaller than
# the spacing has no stiffness at all.
. "$(dirname "$0")/expect.sh"

cat >scene.yaml <<'YAML'
firn: 1
solver: sph
time: {frames: 2, fps: 20}
sph: {spacing: 1 cm}
snow:
  - {shape: {box: {center: [0, 0.01, 0], size: [0.03, 0.02, 0.03]}}}
colliders:
  - {shape: {plane: {}}, friction: 0.5}
emitters:
  - shape: {box: {center: [0.02, 0.05, 0], size: [0.06, 0.02, 0.03]}}
    rate: 2000
    limit: 60
    velocity: [0, -1, 0]
    size: 3 mm
output: {preview: false, film: false}
YAML
for preset in fresh snow icy; do
    for size in 2 3 5 6.5 8 10; do
        expect 0 run scene.yaml -o run --overwrite -q --threads 1 \
            --set "emitters.0.size=$size mm" --set emitters.0.material=$preset
        expect 0 measure run --json --frames 2
        same "$(value out.txt particles)" 92 "particles after flakes of $size mm"
    done
done
