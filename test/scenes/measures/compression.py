# SPDX-License-Identifier: MIT
"""Columns of snow are as high as slow loading makes them (VALIDATION T39), and stay so without the
load."""
import math

import numpy

from measures.run import Claim

SCENE = "compression"
X = (-3.6, -2.16, -0.72, 0.72, 2.16, 3.6)   # [m] axes of the cylinders
H = 0.05                                    # [m] spacing of the default
LAYERS = round(1 / H)
LOAD = 600                                  # [kg/m3] between snow and load
# VALIDATION T39: a column of 1 m under its own weight, with 5 kPa on it, and after those were taken
# off.
HEIGHTS = {"20 kPa": (0.870, 0.730, 0.744), "140 kPa": (0.987, 0.920, 0.938)}
TOLERANCE = 0.03
# Snow that cannot be packed fills its tube, and the lattice has not as much snow in a layer as the
# tube has room (0.977 of it in the first one, for 332 particles). 0.5 % as T39's for a block, whose
# sides are planes of the lattice, and 0.5 % for a round wall, to which particles may come nearer by
# 0.025 of a spacing, with a radius of 10.4 (T70 finds 0.02).
PACKED = 0.01
RADIUS = 0.52                               # [m] of the tubes
REBOUND = 1.026                             # elastic: the snow stays packed
STATES = ("its own weight", "5 kPa", "the load taken off")


def columns(run, number):
    """Positions of the snow in each cylinder; loads are left out by their mass."""
    frame = run.frame(number)
    snow = frame["mass"] < LOAD * H**3
    x = frame["x"][snow]
    nearest = numpy.argmin(numpy.abs(x[:, :1] - numpy.array(X)), axis=1)
    return [x[nearest == k] for k in range(len(X))]


def height(column):
    """Of the upper side of the uppermost layer: as many particles as a layer had."""
    top = numpy.sort(column[:, 1])[-(len(column) // LAYERS):]
    return float(top.mean()) + H / 2


def neighbours(column):
    """Mean number of particles nearer than the kernel reaches, at least two spacings from walls and
    surface."""
    axis = numpy.array([column[:, 0].mean(), column[:, 2].mean()])
    radius = numpy.hypot(*(column[:, [0, 2]] - axis).T)
    inner = column[(radius < RADIUS - 2 * H) & (column[:, 1] > 2 * H)
                   & (column[:, 1] < height(column) - 2 * H)]
    counts = [int((numpy.square(column - x).sum(axis=1) < 4 * H * H).sum()) - 1 for x in inner[::7]]
    return float(numpy.mean(counts))


def claims(open_run):
    run = open_run()
    end = columns(run, run.last())
    tall = [height(c) for c in end]
    for k, (name, expected) in enumerate(HEIGHTS.items()):
        for state, (h, wanted) in enumerate(zip(tall[3 * k:3 * k + 3], expected)):
            what = f"height of snow of {name}, {STATES[state]}"
            yield Claim(what, h, "above", wanted * (1 - TOLERANCE), "m")
            yield Claim(what, h, "below", wanted * (1 + TOLERANCE), "m")
        before = height(columns(run, LOADED)[3 * k + 2])
        yield Claim(f"rebound of snow of {name}", tall[3 * k + 2] / before, "at most", REBOUND, "")
        counts = [neighbours(c) for c in end[3 * k:3 * k + 2]]
        yield Claim(f"neighbours in snow of {name} with a load", counts[1], "above", counts[0], "")
    stiff = open_run("incompressible")
    filled = len(columns(stiff, 0)[0]) * H**3 / (math.pi * RADIUS**2)
    h = height(columns(stiff, stiff.last())[0]) / filled
    what = f"height of snow that cannot be packed, {STATES[0]}, of what its volume fills"
    yield Claim(what, h, "above", 1 - PACKED, "")
    yield Claim(what, h, "below", 1 + PACKED, "")


LOADED = 69  # the last frame before the loads are taken off at 2.8 s
