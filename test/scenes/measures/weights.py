# SPDX-License-Identifier: MIT
"""The heavier weight breaks more bonds and sinks deeper."""
import numpy

from measures.run import Claim

SCENE = "weights"
DRAFT = True
# [m] from the axis: snow that the weight breaks; the block's own edges crumble as it settles
NEAR = 0.8
TOP = 0.85     # [m] of the block
UNDER = 0.15   # [m] from the axis: snow under the weight, whose radius is 0.2


def distance(frame):
    """From the axis of the fall [m]."""
    return numpy.hypot(frame["x"][:, 0], frame["x"][:, 2])


def broken(frame):
    """Grains with broken bonds around the weight."""
    return float(frame["broken"][distance(frame) < NEAR].sum())


def dent(frame):
    """How far the snow under the weight lies below the top of the block [m]."""
    own = distance(frame) < UNDER
    return TOP - numpy.quantile(frame["x"][own, 1] + frame["radius"][own], 0.98)


def claims(open_run):
    heavy, light = open_run(), open_run("light")
    five, two = heavy.frame(heavy.last()), light.frame(light.last())
    yield Claim("grains with broken bonds around 2 kg", broken(two), "above", 0, "")
    yield Claim("grains with broken bonds around 5 kg, to 2 kg", broken(five) / max(1, broken(two)),
                "above", 1.5, "")
    yield Claim("depth of the dent of 5 kg", dent(five), "above", dent(two) + 0.02, "m")
    yield Claim("share of grains whose bonds 5 kg leave whole", 1 - five["broken"].mean(), "above",
                0.5, "")
