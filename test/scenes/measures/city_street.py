# SPDX-License-Identifier: MIT
"""Snow lies on street, pavements and roofs; the plow takes it out of its lane and leaves it
beside."""
import numpy

from measures.run import Claim

SCENE = "city-street"
DENSITY = 200.0                # [kg/m^3]
FALLEN, FPS = 6.0, 25          # [s] when the plow starts; frames per second
ALONG = (-8.0, 8.0)            # [m] of the street
LANE = (-0.35, 1.85)           # [m] z of the plow's way, less a spacing
BESIDE = (2.1, 3.4)            # [m] z where it leaves the snow
ROOFS = (3.3, 4.5, 7.0)        # [m] lowest y, nearest and farthest |z|


def depth(frame, low, high):
    """Snow of the street between z = low and high, as the depth of a layer of the starting density
    [m]."""
    x, y, z = frame["x"].T
    inside = (x >= ALONG[0]) & (x < ALONG[1]) & (z >= low) & (z < high) & (y < 2.5)
    return frame["mass"][inside].sum() / ((ALONG[1] - ALONG[0]) * (high - low) * DENSITY)


def roofs(frame):
    x, y, z = frame["x"].T
    on = (numpy.abs(x) < 11) & (y > ROOFS[0]) & (y < 6)
    on &= (numpy.abs(z) > ROOFS[1]) & (numpy.abs(z) < ROOFS[2])
    return frame["mass"][on].sum() / (2 * 22 * (ROOFS[2] - ROOFS[1]) * DENSITY)


def claims(open_run):
    run = open_run()
    before, after = run.frame(int(FALLEN * FPS) + 25), run.frame(run.last())
    yield Claim("depth of snow in the lane before the plow", depth(before, *LANE), "above", 0.1,
                "m")
    yield Claim("depth of snow left in the lane, of that before",
                depth(after, *LANE) / depth(before, *LANE),
                "below", 0.2, "")
    yield Claim("depth of snow beside the lane, of that before",
                depth(after, *BESIDE) / depth(before, *BESIDE),
                "above", 1.2, "")
    yield Claim("depth of snow on the roofs", roofs(after), "above", 0.05, "m")
