# SPDX-License-Identifier: MIT
"""Snow presses on the canopy with its weight, more snow breaks it down, new snow does not."""
import numpy

from measures.run import Claim

SCENE = "snow-shed-roof"
DRAFT = True
CANOPY = 3                   # collider
HINGE = 0.16                 # [m] x of it
QUIET = (0.2, 0.5)           # [s] before the snow of the house comes down
EAVE = 2.6                   # [m] height of the canopy's hinge, below the roof of the house


def claims(open_run):
    run = open_run()
    stats, first = run.stats(), run.frame(0)
    start = run.colliders(0)[CANOPY]
    quiet = (stats["time"] >= QUIET[0]) & (stats["time"] < QUIET[1])
    share = stats["dt"][quiet] / stats["dt"][quiet].sum()
    force = -float(numpy.sum(stats[f"force_y_{CANOPY}"][quiet] * share))
    lies = (first["x"][:, 0] > HINGE) & (first["x"][:, 1] < 3.2)
    weight = 9.81 * float(first["mass"][lies].sum())
    for relation, limit in (("above", 0.95), ("below", 1.05)):
        yield Claim("force of the snow on the canopy before the slide, to its weight",
                    force / weight, relation, limit, "")
    before = run.colliders(run.number(QUIET[1]))[CANOPY]
    yield Claim("the canopy has moved before the slide by",
                1000 * float(numpy.linalg.norm(before - start)), "below", 10, "mm")
    end = run.colliders(run.last())[CANOPY]
    yield Claim("height of the canopy at the end", float(end[1]), "below", 0.5 * start[1], "m")
    last = run.frame(run.last())
    yield Claim("share of the snow that has come down",
                float(last["mass"][last["x"][:, 1] < EAVE].sum() / last["mass"].sum()),
                "at least", 0.95, "")
    light = open_run("light")
    moved = light.colliders(light.last())[CANOPY] - light.colliders(0)[CANOPY]
    yield Claim("with new snow on the house, the canopy has moved by",
                1000 * float(numpy.linalg.norm(moved)), "below", 10, "mm")
