# SPDX-License-Identifier: MIT
"""Snow melts while the air is warm; what froze afterwards is ice, and never snow."""
import numpy

from measures.run import Claim

SCENE = "melting"
DRAFT = True
SNOW, ICE, WATER = 0, 1, 2
COLD = 17.0   # [s] when the air turns cold


def share(frame, phase):
    return float(numpy.mean(frame["phase"] == phase))


def claims(open_run):
    run = open_run()
    warm = run.number(COLD)
    shares = [share(run.frame(n), WATER) for n in numpy.linspace(0, warm, 8).astype(int)]
    yield Claim("molten share when the air turns cold", shares[-1], "at least", 0.9, "")
    yield Claim("least gain of water in an eighth of the time", float(numpy.diff(shares).min()),
                "at least", 0, "")
    yield Claim("molten share after a seventh of it", shares[1], "below", 0.5, "")
    before, end = run.frame(warm), run.frame(run.last())
    yield Claim("share of ice at the end", share(end, ICE), "at least", 0.9, "")
    snow = (before["phase"] == SNOW).sum()
    again = numpy.isin(end["id"][end["phase"] == SNOW], before["id"][before["phase"] != SNOW]).sum()
    yield Claim("grains that became snow again", float(again), "at most", 0, "")
    yield Claim("grains of snow at the end", float((end["phase"] == SNOW).sum()), "at most",
                float(snow), "")
    yield Claim("warmest grain at the end", end["temperature"].max(), "at most", 0, "degC")
    yield Claim("mass lost or gained", abs(end["mass"].sum() / run.frame(0)["mass"].sum() - 1),
                "at most", 0, "")
