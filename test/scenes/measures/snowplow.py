# SPDX-License-Identifier: MIT
"""The plow leaves a cleared lane between two ridges, and the grid does not grow with the distance
driven."""
import numpy

from measures.run import Claim

SCENE = "snowplow"
LAYER, DENSITY = 0.24, 150.0   # [m], [kg/m3] of the road's snow, as in the scene
WAKE = (1.0, 4.0)              # [m] along the road: behind the truck in the last frame
LANE = 0.8                     # [m] half of the width between the boards' ends, less a cell or two
RIDGE = (1.1, 1.9)             # [m] from the middle of the road: where the ridges are looked for
STRIP = 0.1                    # [m] width of a strip along the road


def depth(frame, low, high):
    """Snow between z = low and high in the wake, as the depth of a layer of the starting density
    [m]."""
    x, z = frame["x"][:, 0], frame["x"][:, 2]
    inside = (x >= WAKE[0]) & (x < WAKE[1]) & (z >= low) & (z < high)
    return frame["mass"][inside].sum() / ((WAKE[1] - WAKE[0]) * (high - low) * DENSITY)


def ridge(frame, side):
    """Depth of the deepest strip of the ridge on one side (-1 or 1)."""
    strips = numpy.arange(RIDGE[0], RIDGE[1], STRIP)
    return max(depth(frame, *sorted((side * low, side * (low + STRIP)))) for low in strips)


def claims(open_run):
    run = open_run()
    end = run.frame(run.last())
    yield Claim("mean depth of snow left in the lane", depth(end, -LANE, LANE), "below",
                0.1 * LAYER, "m")
    yield Claim("depth of the left ridge", ridge(end, -1), "above", 1.25 * LAYER, "m")
    yield Claim("depth of the right ridge", ridge(end, 1), "above", 1.25 * LAYER, "m")
    stats = run.stats()
    blocks = stats["active_blocks"]
    yield Claim("blocks of the grid, at the end to the start", blocks[-1] / blocks[0], "below", 1.5,
                "")
