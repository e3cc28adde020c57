# SPDX-License-Identifier: MIT
"""The wall pushes the snow before it and leaves a cleared track."""
from measures.run import Claim

SCENE = "plow"
DRAFT = True
START, SPEED, HALF = -6.6, 2.2, 0.12   # [m], [m/s] of the wall; half of its thickness
EDGE = -6.2                            # [m] where the snow begins
# [m] half of the wall's width, less what falls back at its ends
LANE = 1.9
BEFORE = 1.5                           # [m] in front of the wall


def mass(frame, low, high):
    """Between x = low and high in the lane [kg]."""
    x, z = frame["x"][:, 0], abs(frame["x"][:, 2])
    return frame["mass"][(x >= low) & (x < high) & (z < LANE)].sum()


def claims(open_run):
    run = open_run()
    first, end = run.frame(0), run.frame(run.last())
    wall = START + SPEED * run.time(run.last())
    middle = START + SPEED * run.time(run.last() // 2)
    track = (EDGE + 0.5, wall - HALF - 0.3)
    yield Claim("snow left in the track, of that before", mass(end, *track) / mass(first, *track),
                "below", 0.1, "")
    pile = (wall + HALF, wall + HALF + BEFORE)
    yield Claim("snow before the wall at the end, of that before",
                mass(end, *pile) / mass(first, *pile), "above", 2, "")
    half = mass(run.frame(run.last() // 2), middle + HALF, middle + HALF + BEFORE)
    yield Claim("snow before the wall at the end, of that half-way", mass(end, *pile) / half,
                "above", 1, "")
    yield Claim("highest grain at the end", end["x"][:, 1].max(), "below", 4, "m")
