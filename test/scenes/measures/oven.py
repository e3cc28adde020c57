# SPDX-License-Identifier: MIT
"""Cold figures stand; warm ones slump."""
import numpy

from measures.run import Claim

SCENE = "oven"
TRAY = 0.10                                                         # [m] where they stand
FIGURES = {"rabbit": 0.115, "snowman": 0.0, "penguin": -0.115}      # [m] their z
COLD, WARM = -60.0, -20.0                                           # [degC] mean temperatures to compare at


def height(frame, z):
    """Of the figure around z: what a hundredth of its mass lies above [m]."""
    own = numpy.abs(frame["x"][:, 2] - z) < 0.0575
    return numpy.quantile(frame["x"][own, 1], 0.99) - TRAY


def when(run, temperature):
    """The first frame whose mean temperature is reached, by halving: snow only warms."""
    low, high = 0, run.last()
    while low < high:
        middle = (low + high) // 2
        if run.frame(middle)["temperature"].mean() >= temperature:
            high = middle
        else:
            low = middle + 1
    return low


def claims(open_run):
    run = open_run()
    first, cold, warm = run.frame(0), run.frame(when(run, COLD)), run.frame(run.last())
    yield Claim("mean temperature at the end", warm["temperature"].mean(), "above", WARM, "degC")
    for name, z in FIGURES.items():
        start = height(first, z)
        yield Claim(f"height of the {name} at {COLD:g} degC, of its first", height(cold, z) / start, "above", 0.95, "")
        yield Claim(f"height of the {name} at the end, of its first", height(warm, z) / start, "below", 0.9, "")
