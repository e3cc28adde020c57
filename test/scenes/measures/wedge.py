# SPDX-License-Identifier: MIT
"""Figure 8's orders: larger thresholds are chunkier, larger hardening more brittle, a larger
modulus icier.

Only orderings that other random points show too; numbers of fragments are small and change with the
points, and the critical compression alone goes the other way (the scene's README says why).
"""
import fragments
from measures.run import Claim

SCENE = "wedge"
FRAME = 16   # 1/3 s: the halves have just hit the floor

# What the paper says, the measure (fragments.measure), the variants whose value must rise in this
# order.
ORDERS = (
    ("mean chunk, larger thresholds chunkier", "chunk",
     ("thresholds-low", None, "thresholds-high")),
    ("whole snow, larger thresholds chunkier", "whole",
     ("thresholds-low", None, "thresholds-high")),
    ("mean chunk, larger critical stretch chunkier", "chunk",
     ("stretch-low", None, "stretch-high")),
    ("dust, smaller critical stretch powdery", "dust", ("stretch-high", None, "stretch-low")),
    ("packed snow, smaller hardening ductile", "packed", ("hardening-high", None, "hardening-low")),
    ("packed snow, smaller modulus muddy", "packed", ("young-high", None, "young-low")),
)


def claims(open_run):
    figures = {}

    def figure(variant, name):
        if variant not in figures:
            run = open_run(variant)
            figures[variant] = fragments.measure(run.frame(0), run.frame(FRAME),
                                                 run.manifest["cell"])
        return figures[variant][name]

    for what, name, variants in ORDERS:
        for one, other in zip(variants, variants[1:]):
            yield Claim(f"{what}: {other or 'reference'}", figure(other, name), "above",
                        figure(one, name), "")
