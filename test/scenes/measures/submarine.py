# SPDX-License-Identifier: MIT
"""The submarine opens a hole in the ice, and no wider than itself needs."""
import numpy

from measures.run import Claim

SCENE = "submarine"
ICE = 1                     # material
TOP = 24.5                  # [m] of the ice at the start
THICK = 2.5                 # [m] of it
HULL = (18.0, 4.0)          # [m] half of what lies above the hull, along x and z
BEAM = 10.0                 # [m] width of the hull


def above_hull(x):
    return (numpy.abs(x[:, 0]) < HULL[0]) & (numpy.abs(x[:, 2]) < HULL[1])


def thickness(frame, half_length, cell=2.5):
    """Mean thickness of the ice [m] in strips of `cell` across the hull, by their middles z."""
    ice = frame["material"] == ICE
    x, volume = frame["x"][ice], frame["mass"][ice] / 100.0   # kg/m^3, where it lies loose
    edges = numpy.arange(-25.0, 25.0 + cell / 2, cell)
    amidships = numpy.abs(x[:, 0]) < half_length
    sums, _ = numpy.histogram(x[amidships, 2], edges, weights=volume[amidships])
    return (edges[1:] + edges[:-1]) / 2, sums / (2 * half_length * cell)


def claims(open_run):
    run = open_run()
    first, last = run.frame(0), run.frame(run.last())
    ice = [frame["x"][frame["material"] == ICE] for frame in (first, last)]
    yield Claim("ice particles that are left", len(ice[1]) / len(ice[0]), "at least", 1, "")
    lifted = float(numpy.max(ice[1][:, 1])) - TOP
    yield Claim("highest ice above the layer", lifted, "above", 2, "m")
    order = [numpy.argsort(frame["id"][frame["material"] == ICE]) for frame in (first, last)]
    before, after = ice[0][order[0]], ice[1][order[1]]
    moved = numpy.linalg.norm(after - before, axis=1)
    inside = above_hull(before)
    far = numpy.abs(before[:, 2]) > 18
    yield Claim("ice over the hull, moved by", float(numpy.mean(moved[inside])), "above", 2, "m")
    yield Claim("ice far from it, moved by", float(numpy.mean(moved[far])), "below", 2, "m")
    # the hole amidships: strips with less than half of the layer
    z, thick = thickness(last, 10.0)
    hole = 2.5 * float(numpy.sum(thick < THICK / 2))
    yield Claim("ice over the middle of the hull, of its thickness before",
                float(numpy.mean(thick[numpy.abs(z) < 2.5])) / THICK, "below", 0.5, "")
    yield Claim("width of the hole, to that of the hull", hole / BEAM, "at least", 0.5, "")
    yield Claim("width of the hole, to that of the hull", hole / BEAM, "at most", 2, "")
