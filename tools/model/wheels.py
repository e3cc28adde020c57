# SPDX-License-Identifier: MIT
"""Wheels about the z axis: the tyre of the scene tire with a tread of blocks, and the plain wheels of the car and the
truck. A profile is turned about the axis; on the tread each cell of the grid of segments and strips is a block's top
or a groove's bottom, and walls stand between the two."""
import math

import numpy

RADIUS = 0.320         # [m] of the tyre over its blocks, in the middle
SEGMENTS = 180         # of a turn; a sixth of a pitch each
PITCH = 6              # segments of a block and a groove along the tread
GROOVE = 2             # segments of a groove: 22 mm
DEPTH = 0.018          # [m] of the grooves
TAPER = 0.004          # [m] that a groove's walls lean: it is narrower at its bottom, and lets go of the snow
CHEVRON = 0.45         # how far blocks lean: metres along the tread for each metre to the side
# z and radius [m] from the middle to the hub on one side; grooves along the tread end and begin at the first four.
TREAD = [0.011, 0.040, 0.062, 0.100]
SIDE = [(0.108, 0.2970), (0.1130, 0.270), (0.1105, 0.235), (0.1010, 0.2120), (0.1040, 0.2060), (0.0960, 0.2010)]
SPOKES = 5


def turned(profile, segments, level, depth, lean, dish):
    """Vertices and triangles. `profile`: (z, radius) from the hub of one side to that of the other; `level[i, j]` says
    whether the strip j of the segment i is a groove; `depth[j]` is how much lower a groove is at the point j;
    `lean(z)` turns points, `dish(angle, z, radius)` moves them along z."""
    number, vertices, triangles = {}, [], []

    def vertex(i, j, low):
        key = (i % segments, j, bool(low) and depth[j] > 0)
        if key not in number:
            z, r = profile[j]
            angle = 2 * math.pi * key[0] / segments
            if key[2]:
                along, across = into_groove(key[0], j)
                angle += TAPER * along / r
                z += TAPER * across
                r -= depth[j]
            z = dish(angle, z, r)
            angle += lean(z)
            number[key] = len(vertices)
            vertices.append((r * math.cos(angle), r * math.sin(angle), z))
        return number[key]

    def into_groove(i, j):
        """Which way the groove lies of a point at its wall: along and across the tread, -1, 0 or 1."""
        low = level[[i - 1, i], j - 1:j + 1].astype(int)  # two segments, two strips
        along, across = low[1].sum() - low[0].sum(), low[:, 1].sum() - low[:, 0].sum()
        return numpy.sign(along), numpy.sign(across)

    def face(*corners):
        corners = [c for k, c in enumerate(corners) if c != corners[k - 1]]
        for k in range(1, len(corners) - 1):
            triangles.append((corners[0], corners[k], corners[k + 1]))

    strips = len(profile) - 1
    for i in range(segments):
        for j in range(strips):
            here = level[i, j]
            face(vertex(i, j, here), vertex(i + 1, j, here), vertex(i + 1, j + 1, here), vertex(i, j + 1, here))
            after = level[(i + 1) % segments, j]
            if here != after:
                a, b, c, d = ((i + 1, j, here), (i + 1, j, after), (i + 1, j + 1, after), (i + 1, j + 1, here))
                face(vertex(*a), vertex(*b), vertex(*c), vertex(*d))
            if j + 1 < strips and here != level[i, j + 1]:
                beside = level[i, j + 1]
                a, b, c, d = ((i, j + 1, here), (i + 1, j + 1, here), (i + 1, j + 1, beside), (i, j + 1, beside))
                face(vertex(*a), vertex(*b), vertex(*c), vertex(*d))
    for j, flip in ((0, False), (strips, True)):  # the hubs
        vertices.append((0.0, 0.0, profile[j][0]))
        for i in range(segments):
            a, b = vertex(i, j, False), vertex(i + 1, j, False)
            triangles.append((len(vertices) - 1, a, b) if flip else (len(vertices) - 1, b, a))
    return numpy.array(vertices), numpy.array(triangles)


def spokes(deep):
    """Between the hub and the lip the rim is `deep` metres further in, but for the spokes."""
    def dish(angle, z, r):
        if not 0.068 < r < 0.19:
            return z
        return z - math.copysign(deep, z) * (0.5 - 0.5 * math.tanh(6 * (math.cos(SPOKES * angle) - 0.1)))
    return dish


RIM = [(0.080, 0.192), (0.062, 0.186), (0.056, 0.150), (0.056, 0.110), (0.058, 0.072), (0.072, 0.060), (0.076, 0.030)]


def mirrored(half):
    """The profile from the hub on the side of -z to that on the side of +z."""
    return [(-z, r) for z, r in reversed(half)] + list(half)


def tyre():
    half = [(z, RADIUS - 0.4 * z * z) for z in TREAD] + SIDE + RIM
    profile = mirrored(half)
    depth = [DEPTH if abs(z) <= TREAD[-1] and r > 0.3 else 0.0 for z, r in profile]
    level = numpy.zeros((SEGMENTS, len(profile) - 1), bool)
    for j in range(len(profile) - 1):
        middle = abs(profile[j][0] + profile[j + 1][0]) / 2
        if profile[j][1] < 0.29 or profile[j + 1][1] < 0.29:
            continue
        column = sum(middle > edge for edge in TREAD)  # 0, 2: grooves along the tread; 1: inner, 3, 4: outer blocks
        shift = 0 if column == 1 else PITCH // 2
        for i in range(SEGMENTS):
            level[i, j] = column in (0, 2) or (i + shift) % PITCH < GROOVE
    return turned(profile, SEGMENTS, level, depth, lambda z: CHEVRON * min(abs(z), 0.108) / RADIUS, spokes(0.02))


def plain(radius, width, apart=0.0):
    """A wheel without a tread, of the tyre's proportions; or a drum that looks like two of them, each `apart` metres
    from the middle."""
    half = [(z * width / 0.216 + apart, r * radius / RADIUS)
            for z, r in [(0.030, 0.320), (0.070, 0.319), (0.096, 0.312), (0.1060, 0.298)] + SIDE[1:] + RIM]
    profile = mirrored(half)
    level = numpy.zeros((60, len(profile) - 1), bool)
    inner = spokes(0.03 * width / 0.216)
    factor = RADIUS / radius
    return turned(profile, 60, level, [0.0] * len(profile), lambda z: 0.0, lambda a, z, r: inner(a, z, r * factor))
