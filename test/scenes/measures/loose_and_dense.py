# SPDX-License-Identifier: MIT
"""Loose flakes pack to a heap with sph, and stay where they jam with mpm; snow that was dense stays
so with both."""
import numpy

from measures.run import Claim

SCENE = "loose-and-dense"
H = 0.005                # [m] spacing
DENSITY = 400.0          # [kg/m3] of packed snow


def densities(frame):
    """By the kernel of sph, whichever solver ran [kg/m3]."""
    rho = numpy.empty(len(frame["x"]))
    for i, x in enumerate(frame["x"]):
        q = numpy.sqrt(numpy.square(frame["x"] - x).sum(axis=1)) / H
        w = numpy.where(q < 1, 1 - 1.5 * q**2 + 0.75 * q**3, 0.25 * numpy.clip(2 - q, 0, None)**3)
        rho[i] = (frame["mass"] * w).sum() / (numpy.pi * H**3)
    return rho


def claims(open_run):
    packed = {}
    for solver in ("sph", "mpm"):
        run = open_run() if solver == "sph" else open_run("mpm")
        start, end = run.frame(0), run.frame(run.last())
        left = dict(zip(start["id"].tolist(), (start["x"][:, 0] < 0).tolist()))
        loose = numpy.array([left[k] for k in end["id"].tolist()])
        rho = densities(end) / DENSITY
        packed[solver] = float(numpy.median(rho[loose]))
        yield Claim(f"density of the dense block in the end, {solver}",
                    float(numpy.median(rho[~loose])),
                    "above", 0.8, "")
    # a lone flake has 1/pi of the density of packed snow, by its own kernel
    yield Claim("density of the loose block in the end, sph", packed["sph"], "above", 0.6, "")
    yield Claim("density of the loose block in the end, mpm", packed["mpm"], "below", 0.45, "")
