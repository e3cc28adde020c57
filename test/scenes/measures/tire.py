# SPDX-License-Identifier: MIT
"""The tread is printed into the snow: blocks lie deep, grooves along the tread stand between them;
a tyre that holds snow carries more of it away than one that snow slides on."""
import numpy

from measures.run import Claim, height_map

SCENE = "tire"
SPACING, DENSITY = 0.0055, 400.0   # [m], [kg/m^3] as in the scene
TOP = 0.066                        # [m] of the untouched layer
BLOCKS = ((0.017, 0.034), (0.068, 0.094))   # [m] |z| under blocks, a spacing from their edges
GROOVES = ((0.0, 0.006), (0.045, 0.057))    # [m] |z| under grooves along the tread
TRACK = (0.06, 0.36)               # [m] of the layer: behind the tyre in the last frame
# [m] above the layer: what is here, the tyre carries or has thrown
UP = 0.03


def heights(frame):
    low, high = (TRACK[0], 0.0, -0.099), (TRACK[1], 0.12, 0.099)
    cells = height_map(frame, SPACING, low, high, DENSITY * SPACING**3)
    z = low[2] + SPACING * (numpy.arange(cells.shape[1]) + 0.5)
    return numpy.nan_to_num(cells, nan=0.0), numpy.abs(z)


def mean_over(columns, z, bands):
    chosen = numpy.zeros(len(z), bool)
    for low, high in bands:
        chosen |= (z >= low) & (z <= high)
    return columns[:, chosen].mean()


def carried(frame):
    return frame["mass"][frame["x"][:, 1] > TOP + UP].sum()


def claims(open_run):
    rough, slip = open_run(), open_run("slip")
    end = slip.frame(slip.last())
    columns, z = heights(end)
    yield Claim("depth of the print under blocks, slippery tyre",
                TOP - mean_over(columns, z, BLOCKS), "above",
                0.005, "m")
    yield Claim("grooves' ridges above the blocks' prints, slippery tyre",
                mean_over(columns, z, GROOVES) - mean_over(columns, z, BLOCKS), "above", 0.003, "m")
    yield Claim("snow above the layer at the end: rough tyre to slippery one",
                carried(rough.frame(rough.last())) / max(carried(end), 1e-9), "above", 2, "")
