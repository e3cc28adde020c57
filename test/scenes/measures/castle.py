# SPDX-License-Identifier: MIT
"""The castle stands still until the ball comes; a tower breaks into chunks, the tower beside it
stays up."""
import json
import subprocess

import numpy

from measures.run import Claim

SCENE = "castle"
CELL = 0.035              # [m]
BEFORE = 2                # the last frame before the ball touches
# [m] x and z of the tower that is hit, and of the one beside it
HIT, FAR = (-0.72, 0.72), (0.72, 0.72)
CROWN = 0.6               # [m] foot of a tower's crown


def crown_mass(frame, tower):
    x = frame["x"]
    near = numpy.hypot(x[:, 0] - tower[0], x[:, 2] - tower[1]) < 0.26
    return frame["mass"][near & (x[:, 1] > CROWN)].sum()


def claims(open_run):
    run = open_run()
    start, before, end = run.frame(0), run.frame(BEFORE), run.frame(run.last())
    place = numpy.empty_like(start["x"])
    place[start["id"]] = start["x"]
    castle = numpy.empty(len(place), bool)
    castle[start["id"]] = start["density"] < 700     # the ball of ice is denser
    still = numpy.linalg.norm(before["x"] - place[before["id"]], axis=1)[castle[before["id"]]].max()
    yield Claim("farthest that snow has moved before the hit", still, "below", 0.5 * CELL, "m")
    text = subprocess.run([run.firn, "measure", run.folder, "--json", "--threshold", "200"],
                          check=True, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE).stdout
    rows = [json.loads(line) for line in text.splitlines()]
    yield Claim("bodies at the start (walls with towers, keep, ball), at least",
                rows[0]["fragments"], "at least", 3, "")
    yield Claim("bodies at the start, at most", rows[0]["fragments"], "at most", 3, "")
    yield Claim("most fragments in a frame", max(row["fragments"] for row in rows), "at least", 6,
                "")
    yield Claim("share of dust at the end", rows[-1]["dust"], "below", 0.1, "")
    yield Claim("crown of the tower that is hit: mass still up", crown_mass(end, HIT), "below",
                0.5 * crown_mass(start, HIT), "kg")
    yield Claim("crown of the tower beside it: mass still up", crown_mass(end, FAR), "above",
                0.9 * crown_mass(start, FAR), "kg")
