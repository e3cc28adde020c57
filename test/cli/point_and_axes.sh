# `check` counts the particles of snow from point files; a deforming collider from files with z up is
# the one from files with y up that are turned.
. "$(dirname "$0")/expect.sh"

expect 0 run $tiny -o first -q
expect 0 export first --to ply --frames 2 -o points
count=$(sed -n 's/^element vertex //p' points/ply/tiny.0002.ply)
cat >snow.yaml <<'YAML'
firn: 1
mpm: {cell: 2 cm}
snow: [{file: points/ply/tiny.0002.ply}]
colliders: [{shape: {plane: {}}}]
YAML
expect 0 check snow.yaml --json
same "$(value out.txt particles)" "$count" "particles of snow from a file"

# a slanted block that rises, with y up; then the same with z up: (x, y, z) is (x, -z, y) there
for k in 1 2 3; do
    awk -v k=$k 'BEGIN {
        h = 0.02 * k
        for (x = 0; x < 2; x++) for (y = 0; y < 2; y++) for (z = 0; z < 2; z++)
            printf "v %g %g %g\n", 0.3 * x - 0.15, y * (0.05 + 0.04 * x) + h - 0.1, 0.4 * z - 0.2
        print "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4" }' >y.$k.obj
    awk '$1 == "v" { print "v", $2, -$4, $3; next } { print }' y.$k.obj >z.$k.obj
done
scene() {
    cat <<YAML
firn: 1
time: {frames: 3, fps: 60}
mpm: {cell: 3 cm}
snow: [{shape: {sphere: {center: [0.05, 0.12, 0.03], radius: 0.06}}, velocity: [0, -2, 0]}]
colliders: [{animation: {file: "$1.%d.obj", first: 1, last: 3, fps: 60, voxel: 0.02$2}}]
output: {preview: false, film: false}
YAML
}
scene y "" >y.yaml
scene z ", up: z" >z.yaml
scene z "" >wrong.yaml
for name in y z wrong; do expect 0 run $name.yaml -o $name -q; done
same "$(state_hash z)" "$(state_hash y)" "snow on a collider with z up"
[ "$(state_hash wrong)" != "$(state_hash y)" ] || fail "'up' has no effect"
