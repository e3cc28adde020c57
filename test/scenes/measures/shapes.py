# SPDX-License-Identifier: MIT
"""Everything falls, nothing flies away, all comes to rest, and no mass is lost."""
import numpy

from measures.run import Claim

SCENE = "shapes"
DRAFT = True
BLOCK = (4.5, 3.4)   # [m] half of the block's sides
FLIGHT = 2.0         # [m] that crumbs may roll from its sides


def claims(open_run):
    run = open_run()
    first, end = run.frame(0), run.frame(run.last())
    lost = abs(end["mass"].sum() / first["mass"].sum() - 1)
    yield Claim("grains lost", float(len(first["id"]) - len(set(end["id"]))), "at most", 0, "")
    yield Claim("mass lost or gained", lost, "at most", 0, "")
    away = numpy.max(numpy.abs(end["x"][:, [0, 2]]) - numpy.array(BLOCK))
    yield Claim("farthest grain beside the block", away, "below", FLIGHT, "m")
    fallen = numpy.quantile(end["x"][:, 1], 0.999) / numpy.quantile(first["x"][:, 1], 0.999)
    yield Claim("height of the snow, of the first", fallen, "below", 0.75, "")
    speed = numpy.linalg.norm(end["v"], axis=1)
    yield Claim("speed of the grains at the end, rms", numpy.sqrt(numpy.mean(speed**2)), "below",
                0.1, "m/s")
