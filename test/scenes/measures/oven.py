# SPDX-License-Identifier: MIT
"""Cold figures stand; warm ones slump."""
import numpy

from measures.run import Claim

SCENE = "oven"
TRAY = 0.10                                                         # [m] where they stand
FIGURES = {"rabbit": 0.115, "snowman": 0.0, "penguin": -0.115}      # [m] their z
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
