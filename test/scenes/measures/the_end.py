# SPDX-License-Identifier: MIT
"""Six letters become many chunks; the letters that no ball reaches stay whole."""
from measures.run import Claim
from measures.siggraph import measure

SCENE = "the-end"


def claims(open_run):
    run = open_run()
    rows = measure(run)
    start, end = rows[0], rows[-1]
    yield Claim("letters at the start, at least", start["fragments"], "at least", 6, "")
    yield Claim("letters at the start, at most", start["fragments"], "at most", 6, "")
    yield Claim("fragments at the end", end["fragments"], "at least", 12, "")
    yield Claim("share of dust at the end", end["dust"], "below", 0.15, "")
    # the T: left of -0.72 m, 0.1 m thick, 0.3 m high
    mass = []
    for frame in (run.frame(0), run.frame(run.last())):
        x = frame["x"]
        mass.append(frame["mass"][(x[:, 0] < -0.72) & (abs(x[:, 2]) < 0.06) & (x[:,
                                                                                 1] < 0.32)].sum())
    yield Claim("share of the T that stands where it stood", mass[1] / mass[0], "above", 0.9, "")
