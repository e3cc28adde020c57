#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What a rank needs falls with the number of ranks, that of rank 0 too: it fills, writes and resumes
# scenes of which it never has all particles. Memory is the peak of the resident set, less that of a
# scene with hardly any snow.
set -euo pipefail
. "$FIRN_SOURCE_DIR/test/mpi/ranks.inc.sh"

block() {
    cat <<END
firn: 1
time: {frames: 2, fps: 4000}
mpm: {cell: 0.02, integrator: explicit}
snow: [{shape: {box: {center: [0, 0.5, 0], size: [$1, $1, $1]}}}]
colliders: [{shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}}]
output: {preview: false}
END
}
cat >peak.py <<'END'
import os, resource, subprocess, sys
status = subprocess.run(sys.argv[1:]).returncode
with open("peak." + os.environ.get("OMPI_COMM_WORLD_RANK", "0"), "w") as file:
    print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=file)
sys.exit(status)
END
# Peak of the rank that needs the most [KiB].
peak() {
    local count=$1
    shift
    rm -f peak.?
    ranks "$count" python3 peak.py "$FIRN" run "$@" --threads 1 --quiet
    cat peak.? | sort -n | tail -1
}
block 0.1 >small.yaml
block 0.88 >large.yaml # 681 000 particles
small=$(peak 4 small.yaml -o small)
one=$(peak 1 large.yaml -o one)
begun=$(peak 4 large.yaml -o four --frames 1)
resumed=$(peak 4 large.yaml -o four --resume)
one=$((one - small)) begun=$((begun - small)) resumed=$((resumed - small))
"$FIRN" diff one four >difference || { cat difference; exit 1; }
echo "one process: $((one / 1024)) MiB; the largest of 4 ranks: $((begun / 1024)) MiB," \
    "resumed: $((resumed / 1024)) MiB"
[ "$((100 * begun))" -lt "$((65 * one))" ]
[ "$((100 * resumed))" -lt "$((65 * one))" ]
