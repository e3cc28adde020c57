# SPDX-License-Identifier: MIT
"""The shovel clears its lane; one solver for pressure and shear moves as much snow as two."""
from measures.run import Claim

SCENE = "shovel"
DEPTH, DENSITY = 0.2, 400.0   # [m], [kg/m3] of the field
WAKE = (-1.0, 0.6)            # [m] along the way: behind the blade in the last frame
LANE = 0.3                    # [m] half of the blade's width, less what falls back at its ends
SIDE = 1.2                    # [m] half of the field's width


def depth(frame, low, high):
    """Snow with low < |z| < high in the wake, as the depth of a layer of the starting density
    [m]."""
    x, z = frame["x"][:, 0], abs(frame["x"][:, 2])
    inside = (x >= WAKE[0]) & (x < WAKE[1]) & (z >= low) & (z < high)
    return frame["mass"][inside].sum() / (2 * (WAKE[1] - WAKE[0]) * (high - low) * DENSITY)


def pushed(frame):
    """Mass that has left the lane in the wake, forwards or aside [kg]."""
    return (DEPTH - depth(frame, 0, 0.6)) * 1.2 * (WAKE[1] - WAKE[0]) * DENSITY


def claims(open_run):
    ends = {}
    for variant in (None, "combined-1", "split-2", "combined-2"):
        run = open_run(variant)
        ends[variant or "split-1"] = run.frame(run.last())
    for name, end in ends.items():
        yield Claim(f"depth of snow left in the lane, {name}", depth(end, 0, LANE), "below",
                    0.2 * DEPTH, "m")
    split = pushed(ends["split-1"])
    for name in ("combined-1", "split-2", "combined-2"):
        ratio = pushed(ends[name]) / split
        yield Claim(f"mass that left the lane, {name} to split-1", ratio, "above", 0.85, "")
        yield Claim(f"mass that left the lane, {name} to split-1", ratio, "below", 1.15, "")
