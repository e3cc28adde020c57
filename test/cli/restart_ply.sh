# A run that starts from particles that another one exported has their packing, stiffness and elastic
# deformation: its first step describes the same snow. Without these fields it does not.
. "$(dirname "$0")/expect.sh"

cat >first.yaml <<'YAML'
firn: 1
time: {frames: 5, fps: 50}
mpm: {cell: 2 cm}
snow:
  - shape: {sphere: {center: [0, 0.07, 0], radius: 0.06}}
    velocity: [0, -4, 0]
    vary: {stiffness: {noise: {scale: 0.05, amount: 0.5}}}
colliders:
  - {shape: {plane: {}}, friction: 0.5}
output:
  preview: false
  film: false
  points: [ply]
  fields: [velocity, density, mass, stiffness, plastic_volume, def_grad_elastic]
YAML
sed -e '/shape: {sphere/,/vary:/d' -e 's|^snow:|snow: [{file: first/ply/first.0004.ply}]|' \
    -e 's/frames: 5/frames: 1/' first.yaml >second.yaml
sed 's/, stiffness, plastic_volume, def_grad_elastic//' first.yaml >bare.yaml
sed 's|first/ply/first|bare/ply/bare|' second.yaml >third.yaml

# column NAME of the first step at or after TIME
at() {
    awk -F, -v name="$2" -v time="$3" '
        NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k; next }
        $at["time"] >= time - 1e-9 { print $at[name]; exit }' "$1"
}
for scene in first second bare third; do
    expect 0 run $scene.yaml -o $scene -q --threads 1
done
for name in elastic kinetic jp_min jp_max; do
    a=$(at first/stats.csv $name 0.08) b=$(at second/stats.csv $name 0)
    c=$(at third/stats.csv $name 0)
    # floats are written as they are; volumes follow from densities, rounded
    awk -v a="$a" -v b="$b" 'BEGIN { exit !(a != 0 && (b / a - 1) ^ 2 < 1e-8) }' ||
        fail "$name is $b after a restart, $a before"
    case $name in
    elastic | jp_min) test "$c" != "$a" || fail "$name is $c without a state" ;;
    esac
done

# `check` counts the particles of the file
expect 0 check second.yaml --json
same "$(value out.txt particles)" "$(sed -n 's/^element vertex //p' first/ply/first.0004.ply)" \
    "particles by firn check"
