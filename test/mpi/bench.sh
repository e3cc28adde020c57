#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `firn bench --ranks`: the bytes of halos that a division predicts are those that ranks send, within
# 1 %, for a scene whose snow hardly moves meanwhile; and ranks begin with equal work. Steps do not
# allocate memory, those in which particles change ranks either.
set -euo pipefail
. "$FIRN_SOURCE_DIR/test/mpi/ranks.inc.sh"
cat >block.yaml <<'END'
firn: 1
time: {frames: 40, fps: 4000}
mpm: {cell: 0.02, integrator: explicit}
snow:
  - shape: {box: {center: [0, 0.3, 0], size: [0.4, 0.4, 0.5]}}
  - shape: {sphere: {center: [0.5, 0.3, 0], radius: 0.15}}
colliders: [{shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}}]
END
for count in 2 5; do
    ranks "$count" "$FIRN" bench --ranks "$count" --scene block.yaml --steps 4 --threads 1 --json \
        >lines
    python3 - "$count" <<'END'
import json, sys
lines = [json.loads(line) for line in open("lines")]
assert len(lines) == int(sys.argv[1]), lines
for line in lines:
    expected, measured = line["halo_bytes_expected"], line["halo_bytes"]
    print("rank", line["rank"], "expected", expected, "measured", measured)
    assert expected > 0 and abs(measured / expected - 1) <= 0.01, line
    assert line["messages"] > 0 and line["bytes"] >= 2 * measured, line
assert lines[0]["imbalance"] <= 1.1, lines[0]
END
done

# Snow that turns: as many particles come as go. Arrays may have to grow once or twice, some 25 each
# time; an allocation in each step would be 400.
cat >spin.yaml <<'END'
firn: 1
time: {frames: 40, fps: 25}
gravity: [0, 0, 0]
mpm: {cell: 0.02, integrator: explicit, dt: 2e-4}
snow: [{shape: {cylinder: {a: [0, 0, 0], b: [0, 0.2, 0], radius: 0.15}}, spin: [0, 6, 0]}]
END
ranks 2 "$FIRN" bench --ranks 2 --scene spin.yaml --steps 400 --threads 1 --json >lines
python3 - <<'END'
import json
for line in map(json.loads, open("lines")):
    print("rank", line["rank"], "migrated per step", line["migrated"], "allocations in 400 steps",
          line["allocations"])
    assert line["migrated"] > 0.5 and line["allocations"] <= 100, line
END
