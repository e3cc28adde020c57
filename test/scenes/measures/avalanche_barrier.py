# SPDX-License-Identifier: MIT
"""The avalanche pushes the blocks of the barrier and the log before them."""
import numpy

from measures.run import Claim

SCENE = "avalanche-barrier"
BLOCKS = range(1, 6)   # colliders: five blocks of 1 t
LOG = (8,)             # of 250 kg, between snow and blocks


def impulse(stats, colliders):
    """What the snow gave these colliders along the valley [N s]."""
    return sum(float(numpy.sum(stats[f"force_x_{c}"] * stats["dt"])) for c in colliders)


def claims(open_run):
    run = open_run()
    stats = run.stats()
    # a block of 1 t with friction 0.5 loses 4.9e3 N s a second to the ground
    yield Claim("impulse of the snow on the five blocks", impulse(stats, BLOCKS), "above", 5e3,
                "N s")
    yield Claim("impulse of the snow on the log", impulse(stats, LOG), "above", 5e3, "N s")
