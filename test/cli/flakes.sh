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
for preset in fresh icy; do
    for size in 2 3 6.5 10; do
        expect 0 run scene.yaml -o run --overwrite -q --threads 1 \
            --set "emitters.0.size=$size mm" --set emitters.0.material=$preset
        expect 0 measure run --json --frames 2
        same "$(value out.txt particles)" 78 "particles after flakes of $size mm" # 60 and 3 x 2 x 3
    done
done

# Flakes that would fill the lists of neighbours where they pile up.
expect 0 check scene.yaml --set "emitters.0.size=2 mm" --set emitters.0.limit=5000 \
    --set time.frames=60
says "more than 2000 neighbours"
expect 0 check scene.yaml --set "emitters.0.size=2 mm"
silent

# Flakes that have flown away before the run begins.
expect 3 check scene.yaml --set emitters.0.start=-1e5
says "use a later start"
expect 3 run scene.yaml -o far --set emitters.0.start=-1e5
absent far
expect 0 check scene.yaml --set emitters.0.start=-1

# follow KEY… -- SETTING…: a run with these settings diverges, `check` warns of it, and leaving out
# the keys that the messages name, one after the other, ends it.
follow() {
    local advice=() settings=()
    while [ "$1" != -- ]; do advice+=("$1") && shift; done
    for setting in "${@:2}"; do settings+=(--set "$setting"); done
    expect 0 check scene.yaml "${settings[@]}"
    says warning
    for key in "${advice[@]}"; do
        expect 5 run scene.yaml -o run --overwrite -q --threads 1 "${settings[@]}"
        says "leave $key out"
        for k in "${!settings[@]}"; do # back to the default
            [[ ${settings[k]} != "$key"=* ]] || unset "settings[k-1]" "settings[k]"
        done
    done
    expect 0 run scene.yaml -o run --overwrite -q --threads 1 "${settings[@]}"
}

cat >scene.yaml <<'YAML'
firn: 1
solver: sph
time: {frames: 2, fps: 20}
sph: {spacing: 2 cm}
materials:
  hard: {hardening: 100, hardening_max: 1e10}
snow:
  - shape: {box: {center: [0, 0.06, 0], size: [0.12, 0.12, 0.12]}}
    velocity: [0, -1, 0]
    material: hard
colliders:
  - {shape: {plane: {}}, friction: 0.5}
output: {preview: false, film: false}
YAML
follow sph.relaxation sph.density_error -- sph.dt=0.02 sph.relaxation=0.01 sph.density_error=0.5
follow sph.dt -- sph.dt=1 snow.0.velocity=[0,-20,0] materials.hard.hardening_max=10
