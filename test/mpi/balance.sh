#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Blocks are divided among ranks by what they cost, as measured: a particle of loose snow costs several
# times as much as others, so its rank gets fewer of them. Results do not depend on it.
set -euo pipefail
. "$FIRN_SOURCE_DIR/test/mpi/ranks.inc.sh"
cat >dust.yaml <<'END'
firn: 1
time: {frames: 4, fps: 500}
gravity: [0, 0, 0]
mpm: {cell: 0.02, integrator: explicit, dt: 2e-4}
snow:
  - shape: {box: {center: [0, 0, 0], size: [0.3, 0.3, 0.3]}}
    velocity: [3, 0, 0]
  - shape: {box: {center: [1.5, 0, 0], size: [2, 0.6, 0.6]}}
    particles_per_cell: 0.2
output: {preview: false}
END
ranks 2 "$FIRN" bench --ranks 2 --scene dust.yaml --steps 20 --threads 1 --json >lines
python3 - <<'END'
import json
lines = [json.loads(line) for line in open("lines")]
begun = [line["particles"] for line in lines]
after = [line["particles_after"] for line in lines]
print("particles of the ranks:", begun, "then, by measured time:", after,
      "imbalance of time:", lines[0]["work_imbalance"])
assert max(begun) <= 1.05 * min(begun), begun
assert max(after) >= 1.5 * min(after), after
assert sum(after) == sum(begun)
END
"$FIRN" run dust.yaml -o one --threads 1 --quiet
ranks 2 "$FIRN" run dust.yaml -o two --threads 1 --json >events 2>&1
"$FIRN" diff one two >difference || { cat difference; exit 1; }
grep mpm.balance events
