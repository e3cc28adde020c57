# SPDX-License-Identifier: MIT
"""The surface of a solid as triangles: surface nets (one vertex in each cell of a grid that the surface crosses, four
cells around each crossed edge make a face), the vertices then moved onto the surface itself."""
import numpy


def make(solid, low, high, h):
    """Vertices and triangles, counter-clockwise from outside, with faces of about h metres."""
    low = numpy.asarray(low, float)
    size = numpy.ceil((numpy.asarray(high, float) - low) / h).astype(int) + 1
    axes = [low[i] + h * numpy.arange(size[i]) for i in range(3)]
    values = numpy.array(solid(*numpy.meshgrid(*axes, indexing="ij")))
    for side in range(3):
        ends = numpy.moveaxis(values, side, 0)
        if (ends[0] < 0).any() or (ends[-1] < 0).any():
            raise SystemExit("a solid reaches the end of its grid: give it more room")
    clear_doubts(values)
    vertices, number = cell_vertices(values, low, h)
    quads = faces(values, number)
    return settle(solid, vertices, h), split(vertices, quads)


def clear_doubts(values):
    """No face of a cell may have its two inner corners on a diagonal: which way they are joined would be open, and an
    edge could end up with four triangles. The corner nearest to the surface changes sides. Nor may two opposite
    corners of a cell be the only ones inside (or outside): the vertex would join two surfaces."""
    while True:
        inside = values < 0
        changes = 0
        for axis in range(3):
            v, s = numpy.moveaxis(values, axis, 2), numpy.moveaxis(inside, axis, 2)
            corners = [s[:-1, :-1], s[1:, :-1], s[1:, 1:], s[:-1, 1:]]
            bad = (corners[0] == corners[2]) & (corners[1] == corners[3]) & (corners[0] != corners[1])
            for i, j, k in numpy.argwhere(bad):
                around = [(i, j, k), (i + 1, j, k), (i + 1, j + 1, k), (i, j + 1, k)]
                nearest = min(around, key=lambda at: abs(v[at]))
                v[nearest] = -1e-6 if v[nearest] >= 0 else 1e-6
                changes += 1
        changes += separate_opposites(values)
        if not changes:
            return


def separate_opposites(values):
    inside = (values < 0).astype(numpy.uint8)
    corner = [inside[i:i - 1 or None, j:j - 1 or None, k:k - 1 or None] for i in (0, 1) for j in (0, 1) for k in (0, 1)]
    count = sum(corner)
    changes = 0
    for a, b in ((0, 7), (1, 6), (2, 5), (3, 4)):
        for state, others in ((1, 2), (0, 6)):
            bad = (corner[a] == state) & (corner[b] == state) & (count == others)
            for i, j, k in numpy.argwhere(bad):
                first = (i + (a >> 2), j + (a >> 1 & 1), k + (a & 1))
                second = (i + (b >> 2), j + (b >> 1 & 1), k + (b & 1))
                nearest = min((first, second), key=lambda at: abs(values[at]))
                values[nearest] = 1e-6 if state else -1e-6
                changes += 1
    return changes


def cell_vertices(values, low, h):
    """The mean of where the surface cuts the edges of each cell, and the vertex number of each cell (or -1)."""
    size = numpy.array(values.shape) - 1
    total, count = numpy.zeros((*size, 3)), numpy.zeros(size, int)
    for axis in range(3):
        for p in (0, 1):
            for q in (0, 1):
                start = [0, 0, 0]
                start[(axis + 1) % 3], start[(axis + 2) % 3] = p, q
                end = list(start)
                end[axis] = 1
                va, vb = (values[tuple(slice(o, o + n) for o, n in zip(at, size))] for at in (start, end))
                crossed = (va < 0) != (vb < 0)
                u = numpy.where(crossed, va / numpy.where(crossed, va - vb, 1), 0)
                for i in range(3):
                    total[..., i] += numpy.where(crossed, u if i == axis else start[i], 0)
                count += crossed
    cells = numpy.argwhere(count > 0)
    number = numpy.full(size, -1)
    number[tuple(cells.T)] = numpy.arange(len(cells))
    inner = total[tuple(cells.T)] / count[tuple(cells.T)][:, None]
    return low + h * (cells + inner), number


def faces(values, number):
    quads = []
    for axis in range(3):
        b, c = (axis + 1) % 3, (axis + 2) % 3
        upper = numpy.take(values, range(1, values.shape[axis]), axis) < 0
        lower = numpy.take(values, range(values.shape[axis] - 1), axis) < 0
        at = numpy.argwhere(upper != lower)
        around = []
        for db, dc in ((-1, -1), (0, -1), (0, 0), (-1, 0)):
            cell = at.copy()
            cell[:, b] += db
            cell[:, c] += dc
            around.append(number[tuple(cell.T)])
        quad = numpy.stack(around, axis=1)
        outside_low = ~lower[tuple(at.T)]
        quad[outside_low] = quad[outside_low][:, ::-1]
        quads.append(quad)
    return numpy.concatenate(quads)


def split(vertices, quads):
    """Faces of four as two triangles each, along the shorter diagonal."""
    a, b, c, d = (vertices[quads[:, i]] for i in range(4))
    first = ((a - c) ** 2).sum(axis=1) <= ((b - d) ** 2).sum(axis=1)
    one, two = quads[first], quads[~first]
    return numpy.concatenate((one[:, [0, 1, 2]], one[:, [0, 2, 3]], two[:, [0, 1, 3]], two[:, [1, 2, 3]]))


def settle(solid, vertices, h):
    """Moves vertices onto the surface, and not far from where their cells have them."""
    start, p, e = vertices, vertices, 1e-4 * h + 1e-6
    for _ in range(3):
        x, y, z = p.T
        slope = numpy.stack([(solid(*(v + e * (i == k) for k, v in enumerate((x, y, z))))
                              - solid(*(v - e * (i == k) for k, v in enumerate((x, y, z))))) / (2 * e)
                             for i in range(3)], axis=1)
        square = numpy.maximum((slope ** 2).sum(axis=1), 0.25)
        p = p - (solid(x, y, z) / square)[:, None] * slope
        away = p - start
        far = numpy.sqrt((away ** 2).sum(axis=1))
        p = start + away * numpy.minimum(1, 0.6 * h / numpy.maximum(far, 1e-12))[:, None]
    return p
