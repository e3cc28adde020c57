# SPDX-License-Identifier: MIT
"""A sticky wall keeps more than half of its ball for two seconds; a slippery one loses it."""
from measures.run import Claim

SCENE = "snowball-smash"
FLOOR = 0.24  # [m] one ball above the floor: what is lower has fallen, and lies in a heap


def claims(open_run):
    run = open_run()
    start, end = run.frame(0), run.frame(run.last())
    born = dict(zip(start["id"].tolist(), (start["x"][:, 0] < 0).tolist()))
    left = [born[k] for k in end["id"].tolist()]
    for name, side in (("sticky", True), ("slippery", False)):
        total = start["mass"][(start["x"][:, 0] < 0) == side].sum()
        mine = [s == side for s in left]
        up = end["x"][:, 1] > FLOOR
        kept = end["mass"][up & mine].sum() / total
        if side:
            yield Claim(f"share of the ball on the {name} wall after two seconds", kept, "above",
                        0.5, "")
        else:
            yield Claim(f"share of the ball on the {name} wall after two seconds", kept, "below",
                        0.1, "")
