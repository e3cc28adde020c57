# SPDX-License-Identifier: MIT
"""The column shrinks under its own weight, and is the denser the deeper (VALIDATION T45)."""
import numpy

from measures.run import Claim

SCENE = "settling-column"
DRAFT = True
SIDE = 1.81                      # [m] of the column
SLICES = 5
FORCE_MIN, FORCE_MAX = 0.12275, 1e4   # [N] of a grain of 0.05 m (VALIDATION T44)
GRAVITY = 9.81


def height(frame):
    return numpy.quantile(frame["x"][:, 1], 0.99)


def compacted(weight, r_s):
    """T45: density of a grain that carries so much [N]; r_s: its radius when it was fresh."""
    scale = r_s / 0.05
    least, most = FORCE_MIN * scale**3, FORCE_MAX * scale**2
    return 100 * (9 + numpy.log(numpy.maximum(weight - least, 0) / most + numpy.exp(-8)))


def claims(open_run):
    run = open_run()
    first, end = run.frame(0), run.frame(run.last())
    yield Claim("height at the end, of the first", height(end) / height(first), "below", 0.8, "")
    y, density = end["x"][:, 1], end["density"]
    edges = numpy.linspace(0, height(end), SLICES + 1)
    profile = [density[(y >= low) & (y < high)].mean() for low, high in zip(edges, edges[1:])]
    for k in range(SLICES - 1):
        yield Claim(f"density of slice {k + 1} from below", profile[k], "above", profile[k + 1],
                    "kg/m3")
    # in the middle: the weight above, shared by the grains that lie side by side
    middle = (y > 0.45 * height(end)) & (y < 0.55 * height(end))
    r = end["radius"][middle].mean()
    above = end["mass"][y > 0.5 * height(end)].sum() * GRAVITY / SIDE**2   # [Pa]
    expected = compacted(above * (2 * r)**2, first["radius"].max())
    ratio = density[middle].mean() / expected
    # T45's grain is pressed from above and below alone. In a heap contacts are inclined and the
    # sides press as well, which eq. 5
    # adds up: half as much again; and the column comes to rest from below, having been pressed
    # harder as it sank.
    yield Claim("density in the middle, to T45", ratio, "above", 0.95, "")
    yield Claim("density in the middle, to T45", ratio, "below", 1.35, "")
    inside = numpy.abs(end["x"][:, [0, 2]]).max()
    yield Claim("grains reach to", inside, "below", SIDE / 2, "m")
