# SPDX-License-Identifier: MIT
"""Vectors as tuples of three, rotations as three rows, quaternions as (x, y, z, w): glTF's order."""
import math


def add(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def sub(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def scale(a, s):
    return (a[0] * s, a[1] * s, a[2] * s)


def madd(a, s, b):
    """a + s b"""
    return (a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2])


def mix(a, b, u):
    return tuple((1 - u) * p + u * q for p, q in zip(a, b))


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def length(a):
    return math.sqrt(dot(a, a))


def unit(a):
    return scale(a, 1 / length(a))


def clamp(x, low=0.0, high=1.0):
    return low if x < low else high if x > high else x


def smooth(x, low=0.0, high=1.0):
    """0 below low, 1 above high, with level ends."""
    u = clamp((x - low) / (high - low))
    return u * u * (3 - 2 * u)


IDENTITY = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def turn(axis, degrees):
    """Rotation about a unit axis."""
    x, y, z = axis
    s, c = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    d = 1 - c
    return ((c + x * x * d, x * y * d - z * s, x * z * d + y * s),
            (y * x * d + z * s, c + y * y * d, y * z * d - x * s),
            (z * x * d - y * s, z * y * d + x * s, c + z * z * d))


X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


def apply(m, v):
    return (dot(m[0], v), dot(m[1], v), dot(m[2], v))


def transpose(m):
    return tuple(zip(*m))


def product(a, *others):
    for b in others:
        columns = transpose(b)
        a = tuple(tuple(dot(row, column) for column in columns) for row in a)
    return a


def frame(direction, pole):
    """Rotation whose columns are the direction, the part of the pole across it, and their cross product."""
    d = unit(direction)
    p = unit(madd(pole, -dot(pole, d), d))
    return transpose((d, p, cross(d, p)))


def aim(rest_direction, rest_pole, direction, pole):
    """The rotation that takes one pair of direction and pole to another."""
    return product(frame(direction, pole), transpose(frame(rest_direction, rest_pole)))


def quaternion(m):
    """From the largest of the four possible roots."""
    trace = m[0][0] + m[1][1] + m[2][2]
    i = max(range(3), key=lambda k: m[k][k])
    if trace >= m[i][i]:
        q = (m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1], 1 + trace)
    else:
        j, k = (i + 1) % 3, (i + 2) % 3
        p = [0.0, 0.0, 0.0, m[k][j] - m[j][k]]
        p[i] = 1 + m[i][i] - m[j][j] - m[k][k]
        p[j] = m[i][j] + m[j][i]
        p[k] = m[i][k] + m[k][i]
        q = tuple(p)
    n = math.sqrt(sum(c * c for c in q))
    return tuple(c / n for c in q)
