# SPDX-License-Identifier: MIT
"""Flakes without a neighbour become three piles whose insides have full neighbourhoods, and nothing
bursts."""
import numpy

from measures.run import Claim

SCENE = "single-particles"
H = 0.005          # [m] spacing
# neighbours; a lattice has 26 inside and 17 on a face, a random pack a quarter fewer
FULL = 16
PRESSED = 48       # frame: the heaps between the scrapers
LANES = 3


def counts(x):
    return numpy.array([int((numpy.square(x - y).sum(axis=1) < 4 * H * H).sum()) - 1 for y in x])


def piles(x):
    """Sizes of the groups of flakes that are nearer than a spacing and a half to one of their
    group."""
    left, sizes = set(range(len(x))), []
    while left:
        front, size = [left.pop()], 0
        while front:
            k = front.pop()
            size += 1
            near = numpy.nonzero(numpy.square(x - x[k]).sum(axis=1) < (1.5 * H)**2)[0]
            fresh = left.intersection(near.tolist())
            left -= fresh
            front += fresh
        sizes.append(size)
    return sorted(sizes, reverse=True)


def claims(open_run):
    run = open_run()
    start, end = run.frame(0), run.frame(run.last())
    yield Claim("neighbours of a flake at the start, at most", counts(start["x"]).max(), "at most",
                0, "")
    sizes = piles(end["x"])
    yield Claim("flakes in the third largest pile", sizes[LANES - 1], "above", 300, "")
    yield Claim("flakes in the fourth largest", sizes[LANES], "below", 100, "")
    for name, number, limit in (("between the scrapers", PRESSED, 0.35),
                                ("in the end", run.last(), 0.15)):
        full = float((counts(run.frame(number)["x"]) >= FULL).mean())
        yield Claim(f"share of flakes with a full neighbourhood {name}", full, "above", limit, "")
    yield Claim("fastest flake in the end", numpy.abs(end["v"]).max(), "below", 0.2, "m/s")
