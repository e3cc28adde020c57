#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs on several ranks equal the run of one process in every bit of their frames and states, and in
# every figure of stats.csv but times. `bits.sh all`: more scenes, 2 to 8 ranks, two threads.
set -euo pipefail
. "$FIRN_SOURCE_DIR/test/mpi/ranks.inc.sh"
golden=$FIRN_SOURCE_DIR/test/golden/mpm.yaml

# Fast snow with steps that are too long and solves that are too short, so that some steps are rolled
# back; some of it is culled; it leaves the ranks that it began on.
cat >storm.yaml <<'END'
firn: 1
time: {frames: 3, fps: 60}
mpm: {cell: 0.03, dt: 8e-3, max_iterations: 4}
snow:
  - shape: {sphere: {center: [0, 0.2, 0], radius: 0.1}}
    velocity: [9, -3, 0]
  - shape: {box: {center: [0.5, 0.05, 0], size: [0.2, 0.1, 0.3]}}
colliders:
  - shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}
    friction: 0.5
  - shape: {capsule: {a: [0.3, 0.1, -0.2], b: [0.3, 0.1, 0.2], radius: 0.05}}
    velocity: [2, 0, 0]
cull: {outside: {box: {center: [0, 0, 0], size: [0.9, 2, 2]}}}
END
sed 's/dt: 8e-3, max_iterations: 4/integrator: auto, transfer: apic/' storm.yaml >auto.yaml
# Snow that softens from frame 1 to frame 2: `keys` of a material.
softer='materials={snow: {keys: [{time: 0.016}, {time: 0.03, young: 0.02, critical_stretch: 3}]}}'

# Snow from a file whose points several ranks take, and with random places.
awk 'BEGIN { print "ply\nformat ascii 1.0\nelement vertex 40000\nproperty float x\nproperty float y"
    print "property float z\nproperty float vx\nproperty float vy\nproperty float vz\nend_header"
    for (k = 0; k < 40000; k++)
        print k % 40 / 50, int(k / 40) % 25 / 50, int(k / 1000) / 50, 0, 0, k / 40000 }' >points.ply
cat >points.yaml <<'END'
firn: 1
time: {frames: 1, fps: 4000}
mpm: {cell: 0.04, integrator: explicit}
snow:
  - {file: points.ply}
  - shape: {sphere: {center: [0, 2, 0], radius: 0.5}}
    seeding: random
    vary: {density: {noise: {scale: 0.2, amount: 0.3}}}
END

# Snow of emitters in a wind, each of them on a rank of its own at first; the last frame is rolled back.
cat >blown.yaml <<'END'
firn: 1
time: {frames: 3, fps: 60}
mpm: {cell: 0.03, dt: 4e-3, max_iterations: 6}
snow:
  - shape: {box: {center: [0.5, 0.06, 0], size: [0.3, 0.12, 0.3]}}
colliders:
  - shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}
    friction: 0.5
emitters:
  - shape: {cylinder: {a: [0, 0.4, 0], b: [0.05, 0.45, 0], radius: 0.1}}
    flow: 60 kg/s
    velocity: [7, -1, 0]
    spread: 0.3
  - shape: {sphere: {center: [0.6, 0.3, 0.1], radius: 0.05}}
    flow: 20 kg/s
air: {velocity: [-12, 0, 3], gusts: {strength: 0.3, length: 0.5, period: 0.2}}
END

# The columns of stats.csv that are not times.
figures() {
    awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k !~ /^seconds_/) keep[k] = 1 }
        { for (k = 1; k <= NF; k++) if (k in keep) printf "%s,", $k; print "" }' "$1"
}

one_process() {
    rm -rf one
    "$FIRN" run "$@" -o one --threads 1 --quiet
    figures one/stats.csv >one.figures
}

compare() {
    local count=$1 threads=$2
    shift 2
    rm -rf many
    ranks "$count" "$FIRN" run "$@" -o many --threads "$threads" --quiet
    "$FIRN" diff one many >difference || { cat difference; exit 1; }
    grep -q 'newest state: \([0-9a-f]*\) .* and \1 ' difference
    figures many/stats.csv | cmp one.figures -
    echo "$* on $count ranks, $threads threads:" "$(grep 'newest state' difference)"
}

if [ "${1:-}" != all ]; then
    one_process "$golden" --frames 1
    compare 2 1 "$golden" --frames 1
    compare 3 2 "$golden" --frames 1
    one_process storm.yaml 2>warnings
    grep -q 'a cell in one step' warnings
    grep -q 'did not converge' warnings
    compare 3 1 storm.yaml
    before=$(sed -n '$p' one.figures)
    one_process storm.yaml --set "$softer" 2>/dev/null
    [ "$(sed -n '$p' one.figures)" != "$before" ]  # the keys matter
    compare 3 1 storm.yaml --set "$softer"
    one_process points.yaml
    compare 3 1 points.yaml
    one_process blown.yaml 2>warnings
    grep -q 'frame 3 is recomputed' warnings
    compare 3 1 blown.yaml
    ranks 2 "$FIRN" run blown.yaml -o parts --threads 1 --quiet --frames 1
    "$FIRN" run blown.yaml -o parts --threads 1 --quiet --frames 2 --resume
    ranks 3 "$FIRN" run blown.yaml -o parts --threads 1 --quiet --resume 2>/dev/null
    "$FIRN" diff one parts >difference || { cat difference; exit 1; }
    # pictures and all formats, for which rank 0 gathers the particles; volumes have a random name
    all=(--set "output.points=[vtkhdf,ply,vtp]" --set time.frames=1 --set render.width=160
        --set render.height=90)
    ! "$FIRN" version | grep -q '^features.* vdb' || all+=(--set "output.volume=[vdb]")
    one_process blown.yaml "${all[@]}" 2>/dev/null
    compare 3 1 blown.yaml "${all[@]}" 2>/dev/null
    for kind in frames ply vtp preview state; do diff -r one/$kind many/$kind; done
    [ "$(find one/vdb -printf '%s ' 2>/dev/null)" = "$(find many/vdb -printf '%s ' 2>/dev/null)" ]
    exit
fi
for scene in storm.yaml auto.yaml blown.yaml; do
    one_process "$scene"
    for count in 2 3 5 8; do compare "$count" 1 "$scene"; done
done
for variant in preconditioned quadratic-explicit explicit paper apic quadratic; do
    one_process "$golden" --variant $variant
    for count in 3 8; do compare "$count" $((1 + count % 2)) "$golden" --variant $variant; done
done
# ten scenes that ship
for scene in castle snowball-drop double-smash character-digging snowball-smash snowplow \
    rolling-snowball walking-character siggraph the-end; do
    if ! "$FIRN" check "$scene" --variant draft >/dev/null 2>&1; then
        echo "$scene: left out, this build lacks what it needs"
        continue
    fi
    one_process "$scene" --variant draft --frames 1
    for count in 2 5; do compare "$count" 1 "$scene" --variant draft --frames 1; done
done
