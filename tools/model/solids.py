# SPDX-License-Identifier: MIT
"""Solids as signed distances, negative inside. A solid is a function of the arrays x, y, z [m]. Distances are true near
flat and round parts and a lower bound where shapes meet, which is all that `surface` needs."""
import numpy


def join(*solids, blend=0.0):
    """The union; over `blend` metres the parts flow into each other."""
    def whole(x, y, z):
        d = solids[0](x, y, z)
        for solid in solids[1:]:
            d = low(d, solid(x, y, z), blend)
        return d
    return whole


def cut(solid, *tools, blend=0.0):
    """The difference: the solid without `tools`."""
    def whole(x, y, z):
        d = solid(x, y, z)
        for tool in tools:
            d = -low(-d, tool(x, y, z), blend)
        return d
    return whole


def both(*solids, blend=0.0):
    """The intersection."""
    def whole(x, y, z):
        d = solids[0](x, y, z)
        for solid in solids[1:]:
            d = -low(-d, -solid(x, y, z), blend)
        return d
    return whole


def low(a, b, blend):
    """The smaller of two, smoothly."""
    if blend <= 0:
        return numpy.minimum(a, b)
    h = numpy.maximum(blend - numpy.abs(a - b), 0.0) / blend
    return numpy.minimum(a, b) - 0.25 * blend * h * h


def ball(centre, radius):
    return lambda x, y, z: numpy.sqrt((x - centre[0]) ** 2 + (y - centre[1]) ** 2 + (z - centre[2]) ** 2) - radius


def egg(centre, radii, tilt=0.0):
    """An ellipsoid, rotated by `tilt` degrees about z."""
    c, s = numpy.cos(numpy.radians(tilt)), numpy.sin(numpy.radians(tilt))

    def solid(x, y, z):
        p, q, r = x - centre[0], y - centre[1], z - centre[2]
        p, q = c * p + s * q, c * q - s * p
        p, q, r = p / radii[0], q / radii[1], r / radii[2]
        k0 = numpy.sqrt(p * p + q * q + r * r)
        k1 = numpy.sqrt((p / radii[0]) ** 2 + (q / radii[1]) ** 2 + (r / radii[2]) ** 2)
        return numpy.where(k1 > 1e-9, k0 * (k0 - 1) / numpy.maximum(k1, 1e-9), -min(radii))
    return solid


def stick(a, b, radius_a, radius_b=None):
    """A rod with round ends."""
    radius_b = radius_a if radius_b is None else radius_b
    ax = [q - p for p, q in zip(a, b)]
    square = sum(c * c for c in ax)

    def solid(x, y, z):
        p, q, r = x - a[0], y - a[1], z - a[2]
        u = numpy.clip((p * ax[0] + q * ax[1] + r * ax[2]) / square, 0, 1)
        d = numpy.sqrt((p - u * ax[0]) ** 2 + (q - u * ax[1]) ** 2 + (r - u * ax[2]) ** 2)
        return d - (radius_a + u * (radius_b - radius_a))
    return solid


def block(centre, size, edge=0.0):
    """A box of full edge lengths `size` with edges of radius `edge`."""
    def solid(x, y, z):
        q = [numpy.abs(v - c) - 0.5 * s + edge for v, c, s in zip((x, y, z), centre, size)]
        outside = numpy.sqrt(sum(numpy.maximum(v, 0) ** 2 for v in q))
        return outside + numpy.minimum(numpy.maximum(numpy.maximum(q[0], q[1]), q[2]), 0) - edge
    return solid


def drum(centre, radius, width, edge=0.0):
    """A cylinder along z."""
    def solid(x, y, z):
        a = numpy.hypot(x - centre[0], y - centre[1]) - radius + edge
        b = numpy.abs(z - centre[2]) - 0.5 * width + edge
        return numpy.hypot(numpy.maximum(a, 0), numpy.maximum(b, 0)) + numpy.minimum(numpy.maximum(a, b), 0) - edge
    return solid


def plate(outline, edge=0.0):
    """All z above a polygon of the xy plane, corners rounded by `edge`; the polygon keeps its size."""
    points = numpy.asarray(outline, float)
    ends = numpy.roll(points, -1, axis=0)
    if edge > 0:
        points = inset(points, edge)
        ends = numpy.roll(points, -1, axis=0)

    def solid(x, y, z):
        square = numpy.full(numpy.broadcast(x, y, z).shape, numpy.inf)
        inside = numpy.zeros(square.shape, bool)
        for (ax, ay), (bx, by) in zip(points, ends):
            ex, ey = bx - ax, by - ay
            u = numpy.clip(((x - ax) * ex + (y - ay) * ey) / (ex * ex + ey * ey), 0, 1)
            square = numpy.minimum(square, (x - ax - u * ex) ** 2 + (y - ay - u * ey) ** 2)
            crosses = ((ay <= y) & (by > y)) | ((by <= y) & (ay > y))
            side = (bx - ax) * (y - ay) - (x - ax) * (by - ay)
            inside ^= crosses & (numpy.where(by > ay, side, -side) > 0)
        return numpy.where(inside, -1, 1) * numpy.sqrt(square) - edge
    return solid


def inset(points, by):
    """A polygon (counter-clockwise) whose edges all lie `by` further in."""
    before, after = points - numpy.roll(points, 1, axis=0), numpy.roll(points, -1, axis=0) - points
    result = []
    for p, a, b in zip(points, before, after):
        a, b = a / numpy.hypot(*a), b / numpy.hypot(*b)
        na, nb = numpy.array((-a[1], a[0])), numpy.array((-b[1], b[0]))
        result.append(p + by * (na + nb) / (1 + na @ nb))
    return numpy.array(result)


def within(width):
    """|z| below a width that depends on x and y."""
    return lambda x, y, z: numpy.abs(z) - width(x, y)


def placed(solid, move=(0, 0, 0), yaw=0.0):
    """The solid rotated about y (degrees), then moved."""
    c, s = numpy.cos(numpy.radians(yaw)), numpy.sin(numpy.radians(yaw))

    def whole(x, y, z):
        p, q, r = x - move[0], y - move[1], z - move[2]
        return solid(c * p - s * r, q, s * p + c * r)
    return whole
