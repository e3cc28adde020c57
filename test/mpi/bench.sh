#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `firn bench --ranks`: the bytes of halos that a division predicts are those that ranks send, within
# 1 %, for a scene whose snow hardly moves meanwhile; and ranks begin with equal work.
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
