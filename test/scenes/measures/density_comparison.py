# SPDX-License-Identifier: MIT
"""Flakes that harden by where they are pack in a glass; those that harden by det F_P lie much
higher."""
import numpy

from measures.run import Claim

SCENE = "density-comparison"
BOTTOM, RADIUS = 0.005, 0.045   # [m] of the glass
DENSITY = 400.0                 # [kg/m3]


def height(run):
    """Below which nine tenths of the flakes in the glass lie, above its bottom [m]."""
    x = run.frame(run.last())["x"]
    inside = numpy.hypot(x[:, 0], x[:, 2]) < RADIUS
    return float(numpy.percentile(x[inside, 1], 90)) - BOTTOM


def claims(open_run):
    current, plastic = open_run(), open_run("plastic")
    frame = current.frame(current.last())
    h = height(current)
    filled = 0.9 * frame["mass"].sum() / (DENSITY * h * numpy.pi * RADIUS**2)
    yield Claim("flakes that fell", len(frame["x"]), "at least", 1171, "")
    yield Claim("density of the settled flakes, to that of packed snow", filled, "above", 0.6, "")
    yield Claim("height of the pile by det F_P, to that by eq. 21", height(plastic) / h, "above",
                1.5, "")
