# SPDX-License-Identifier: MIT
"""The ice axe in coordinates of its own: the shaft goes up along y from 0, the adze is on the side of +x, the pick on
that of -x. Thicker than a real one, so that the grid resolves it."""
import math

from figure.body import Block, Cone, nets, open_edges, settle, smooth_min
from figure.vectors import clamp, mix

LENGTH = 0.86            # [m] from the butt to the head
EDGE = (0.185, 0.785, 0)  # [m] the middle of the adze's edge


def make():
    """Vertices and triangles."""
    shaft = Cone((0, 0, 0), (0, LENGTH - 0.02, 0), 0.0185, 0.0185)
    spike = Cone((0, 0.01, 0), (0, -0.055, 0), 0.017, 0.007)
    eye = Block((0, LENGTH - 0.015, 0), (0.036, 0.034, 0.026), 0.014)
    pick = Cone((-0.02, LENGTH - 0.012, 0), (-0.20, LENGTH - 0.075, 0), 0.023, 0.0095)
    root = (0.02, LENGTH - 0.012)

    def adze(p):
        # a plate from the eye to the edge, wider and thinner towards it
        ax, ay = EDGE[0] - root[0], EDGE[1] - root[1]
        n = math.hypot(ax, ay)
        along = ((p[0] - root[0]) * ax + (p[1] - root[1]) * ay) / n
        over = (-(p[0] - root[0]) * ay + (p[1] - root[1]) * ax) / n
        u = clamp(along / n)
        over -= 0.10 * u * (1 - u) * n  # bent a little
        half = mix((0.024, 0.017), (0.056, 0.0095), u)
        edge = 0.0085
        q = (max(-along, along - n) + edge, abs(p[2]) - half[0] + edge, abs(over) - half[1] + edge)
        return math.sqrt(sum(max(x, 0.0) ** 2 for x in q)) + min(max(q), 0.0) - edge

    def distance(p):
        d = smooth_min(shaft(p), spike(p), 0.01)
        d = smooth_min(d, eye(p), 0.02)
        return smooth_min(smooth_min(d, pick(p), 0.02), adze(p), 0.02)

    h = 0.0120
    vertices, triangles = nets(distance, (-0.25, -0.09, -0.0851), (0.25, 0.93, 0.09), h)
    if open_edges(triangles):
        raise SystemExit(f"the axe has {open_edges(triangles)} bad edges")
    settle(distance, vertices, h)
    return vertices, triangles
