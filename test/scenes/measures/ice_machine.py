# SPDX-License-Identifier: MIT
"""Soft ice fills the cone to its rim, freezes, and nothing leaks through the walls."""
import numpy

from measures.run import Claim

SCENE = "ice-machine"
DRAFT = True
SOFT, ICE, CHOCOLATE = 0, 1, 2   # materials
RIM = 0.18                       # [m] of the cone, above its tip
INNER = ((0.026, 0.004), (0.18, 0.058))   # [m] height above the tip, radius of the inner wall
CONE = 2                         # collider
FED, POURED = 0.25e-3 * 600 * 3.2, 0.13e-3 * 1250 * 0.8   # [kg] soft ice, chocolate


def claims(open_run):
    run = open_run()
    last = run.frame(run.last())
    tip = run.colliders(run.last())[CONE]
    x = last["x"] - tip
    r = numpy.hypot(x[:, 0], x[:, 2])
    what, mass = last["material"], last["mass"]
    start = run.colliders(0)[CONE]
    yield Claim("the cone has moved by", 1000 * float(numpy.linalg.norm(tip - start)), "below", 5,
                "mm")
    yield Claim("soft ice and ice over what was fed",
                float(mass[(what == SOFT) | (what == ICE)].sum()) / FED, "at least", 0.97, "")
    yield Claim("share of it that became snow",
                float(mass[what == ICE].sum() / mass[(what == SOFT) | (what == ICE)].sum()),
                "at least", 0.95, "")
    # Snow at rest keeps its room; a cone that trembles packs it beyond ice.
    yield Claim("density that a tenth of the snow exceeds",
                float(numpy.percentile(last["density"][what == ICE], 90)), "below", 917, "kg/m^3")
    # in a ring of 1 cm inside the wall
    wall = INNER[1][1]
    ring = (r > wall - 0.01) & (r < wall + 0.004) & (x[:, 1] > 0)
    angle = numpy.arctan2(x[ring, 2], x[ring, 0])
    tops = [x[ring, 1][numpy.abs(angle - a) < numpy.pi / 8].max(initial=0)
            for a in numpy.linspace(-numpy.pi, numpy.pi, 9)[:-1] + numpy.pi / 8]
    yield Claim("lowest filling at the wall, over the rim", min(tops) / RIM, "above", 0.95, "")
    out = (x[:, 1] < RIM - 0.02) & (r > numpy.interp(x[:, 1], *zip(*INNER)) + 0.014)
    yield Claim("share outside the cone, below the rim", float(mass[out].sum() / mass.sum()),
                "below", 0.05, "")
    sauce = what == CHOCOLATE
    yield Claim("chocolate above the rim, over what was poured",
                float(mass[sauce & (x[:, 1] > RIM)].sum()) / POURED, "above", 0.5, "")
