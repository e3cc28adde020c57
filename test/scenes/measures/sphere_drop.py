# SPDX-License-Identifier: MIT
"""Where broken bonds are tracked the sphere falls apart; where none ever breaks it stays
together."""
import numpy

from measures.run import Claim

SCENE = "sphere-drop"
DRAFT = True


def spread(frame):
    """Distance from the axis of the fall within which nine tenths of the grains lie [m]."""
    x = frame["x"][:, [0, 2]] - numpy.median(frame["x"][:, [0, 2]], axis=0)
    return numpy.quantile(numpy.hypot(*x.T), 0.9)


def claims(open_run):
    tracked, whole = open_run(), open_run("unbroken")
    end, held = tracked.frame(tracked.last()), whole.frame(whole.last())
    yield Claim("share of grains with broken bonds, tracked", end["broken"].mean(), "above", 0.2,
                "")
    yield Claim("grains with broken bonds, unbroken", float(held["broken"].sum()), "at most", 0, "")
    yield Claim("spread of the grains, tracked to unbroken", spread(end) / spread(held), "above",
                1.2, "")
