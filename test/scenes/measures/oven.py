# SPDX-License-Identifier: MIT
"""Cold figures stand; warm ones slump; with the variant melt their water collects in the tray."""
import numpy

from measures.run import Claim

SCENE = "oven"
TRAY = 0.10                                                         # [m] where they stand
FIGURES = {"rabbit": 0.115, "snowman": 0.0, "penguin": -0.115}      # [m] their z
MELTED = 1                                                          # material
COLD = 40   # frame: 0.8 s, when their cores are still near -90 degC


def height(frame, z):
    """Of the figure around z: what a hundredth of its mass lies above [m]."""
    own = numpy.abs(frame["x"][:, 2] - z) < 0.0575
    return numpy.quantile(frame["x"][own, 1], 0.99) - TRAY


def claims(open_run):
    run = open_run()
    first, cold, warm = run.frame(0), run.frame(COLD), run.frame(run.last())
    for name, z in FIGURES.items():
        start = height(first, z)
        yield Claim(f"height of the {name} while it is cold, of its first", height(cold, z) / start,
                    "above", 0.95, "")
    for name in ("rabbit", "penguin"):
        z = FIGURES[name]
        yield Claim(f"height of the {name} at the end, of its first",
                    height(warm, z) / height(first, z), "below",
                    0.85, "")
    melt = open_run("melt")
    last = melt.frame(melt.last())
    water, y = last["material"] == MELTED, last["x"][:, 1]
    mass = last["mass"].sum()
    yield Claim("melt: share of the snow that became water",
                float(last["mass"][water].sum() / mass), "above", 0.95, "")
    yield Claim("melt: mass lost, of the snow's",
                abs(float(mass / melt.frame(0)["mass"].sum()) - 1), "at most", 1e-6, "")
    yield Claim("melt: share of the water that is below the tray",
                float(last["mass"][water & (y < TRAY - 0.01)].sum() / mass), "below", 0.01, "")
    depth = float(numpy.quantile(y[water], 0.99)) - TRAY
    yield Claim("melt: depth of the water in the tray, of the tallest figure",
                depth / (float(first["x"][:, 1].max()) - TRAY), "below", 0.2, "")
