# SPDX-License-Identifier: MIT
"""The heavier weight breaks more bonds and sinks deeper."""
import numpy

from measures.run import Claim

SCENE = "weights"
DRAFT = True
TOP = 1.25     # [m] of the block
UNDER = 0.15   # [m] from the axis: snow under the weight, whose radius is 0.2


def dent(frame):
    """How far the snow under the weight lies below the top of the block [m]."""
    x = frame["x"]
    own = numpy.hypot(x[:, 0], x[:, 2]) < UNDER
    return TOP - numpy.quantile(x[own, 1] + frame["radius"][own], 0.98)


def claims(open_run):
    heavy, light = open_run(), open_run("light")
    five, two = heavy.frame(heavy.last()), light.frame(light.last())
    ratio = five["broken"].sum() / max(1, two["broken"].sum())
    yield Claim("grains with broken bonds under 2 kg", float(two["broken"].sum()), "above", 0, "")
    yield Claim("grains with broken bonds, 5 kg to 2 kg", ratio, "above", 1.2, "")
    yield Claim("depth of the dent of 5 kg", dent(five), "above", dent(two) + 0.02, "m")
    yield Claim("share of grains whose bonds 5 kg leave whole", 1 - five["broken"].mean(), "above", 0.5, "")
