# SPDX-License-Identifier: MIT
"""Two balls collide: shells and crumbs break off, a core of both stays together."""
from measures.run import Claim
from measures.siggraph import measure

SCENE = "double-smash"
AFTER = 0.27   # [s] the collision is over, and nothing has reached the floor


def claims(open_run):
    run = open_run()
    rows = measure(run)
    start, after = rows[0], rows[run.number(AFTER)]
    yield Claim("bodies at the start, at least", start["fragments"], "at least", 2, "")
    yield Claim("bodies at the start, at most", start["fragments"], "at most", 2, "")
    yield Claim("fragments after the collision", after["fragments"], "at least", 12, "")
    yield Claim("largest fragment's share of the mass after it", after["largest"] / after["mass"],
                "at least", 0.25, "")
    yield Claim("largest fragment's share of the mass after it", after["largest"] / after["mass"],
                "below", 0.9, "")
    yield Claim("share of dust after it", after["dust"], "below", 0.4, "")
