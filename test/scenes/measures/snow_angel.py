# SPDX-License-Identifier: MIT
"""Arms and legs leave fans in the snow, and around the angel the snow is as it was."""
import numpy

from measures.run import Claim, height_map

SCENE = "snow-angel"
SPACING, DENSITY, TOP = 0.03, 200.0, 0.22     # [m], [kg/m^3], [m]: as in the scene
CELL = 0.03
LOW, HIGH = (-0.05, 0.0, -0.75), (2.51, 0.5, 1.65)
# [m] x, z of the shoulders, lying; arms go out along x
SHOULDER = {1: (1.485, 1.075), -1: (1.115, 1.075)}
FAN = (0.28, 0.62)                            # [m] from the shoulder: where only arms reach
# [degrees] from the side of the body, well within the sweep
OUT = (50.0, 110.0)
DEEP = 0.05                                   # [m]


def depths(frame):
    heights = height_map(frame, CELL, LOW, HIGH, DENSITY * CELL**3)
    return TOP - numpy.nan_to_num(heights, nan=0.0)


def fan(shape, side):
    """The columns that an arm sweeps."""
    x, z = (LOW[a] + CELL * (numpy.arange(n) + 0.5) for a, n in ((0, shape[0]), (2, shape[1])))
    dx, dz = (x[:, None] - SHOULDER[side][0]) * side, z[None, :] - SHOULDER[side][1]
    away = numpy.hypot(dx, dz)
    angle = numpy.degrees(numpy.arctan2(dx, -dz))  # 0 towards the feet, 90 straight out
    return (away > FAN[0]) & (away < FAN[1]) & (angle > OUT[0]) & (angle < OUT[1])


def claims(open_run):
    run = open_run()
    depth = depths(run.frame(run.last()))
    for side, name in ((1, "right"), (-1, "left")):
        swept = depth[fan(depth.shape, side)]
        yield Claim(f"share of the {name} wing that lies deep", (swept > DEEP).mean(), "above", 0.6,
                    "")
    beside = depth[:, -6:-1]  # beyond the head
    yield Claim("depth of untouched snow in the mean", beside.mean(), "below", DEEP, "m")
