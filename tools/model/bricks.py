# SPDX-License-Identifier: MIT
"""Solids of upright boxes with sharp edges, put together and taken away in order, as one closed mesh. All faces of all
boxes cut a grid of uneven cells; a cell is solid or not; faces between the two are the surface."""
import numpy


def make(parts, lines=((), (), ())):
    """`parts` are (True to add or False to take away, low corner, high corner); `lines` are more cuts along x, y
    and z, for a surface that will be bent. Vertices and triangles."""
    axes = [numpy.unique(numpy.round([*lines[i], *(p[1][i] for p in parts), *(p[2][i] for p in parts)], 6))
            for i in range(3)]
    solid = numpy.zeros([len(axis) - 1 for axis in axes], bool)
    for add, low, high in parts:
        box = tuple(slice(numpy.searchsorted(axis, round(low[i], 6)), numpy.searchsorted(axis, round(high[i], 6)))
                    for i, axis in enumerate(axes))
        solid[box] = add
    solid = numpy.pad(solid, 1)
    doubts(solid)
    quads = []
    for axis in range(3):
        b, c = (axis + 1) % 3, (axis + 2) % 3
        before = numpy.take(solid, range(solid.shape[axis] - 1), axis)
        after = numpy.take(solid, range(1, solid.shape[axis]), axis)
        at = numpy.argwhere(before != after)
        corners = []
        for db, dc in ((0, 0), (1, 0), (1, 1), (0, 1)):
            node = at.copy()  # node n lies before cell n of the padded grid, less the padding
            node[:, b] += db - 1
            node[:, c] += dc - 1
            corners.append(node)
        quad = numpy.stack(corners, axis=1)
        flip = ~before[tuple(at.T)]
        quad[flip] = quad[flip][:, ::-1]
        quads.append(quad)
    quads = numpy.concatenate(quads)
    nodes, index = numpy.unique(quads.reshape(-1, 3), axis=0, return_inverse=True)
    index = index.reshape(-1, 4)
    vertices = numpy.stack([axes[i][nodes[:, i]] for i in range(3)], axis=1)
    return vertices, numpy.concatenate((index[:, [0, 1, 2]], index[:, [0, 2, 3]]))


def doubts(solid):
    """Two solid cells that touch only along an edge would give that edge four faces."""
    for axis in range(3):
        s = numpy.moveaxis(solid, axis, 2)
        bad = (s[:-1, :-1] == s[1:, 1:]) & (s[1:, :-1] == s[:-1, 1:]) & (s[:-1, :-1] != s[1:, :-1])
        if bad.any():
            raise SystemExit(f"{int(bad.sum())} edges where boxes touch without sharing a face")
