# SPDX-License-Identifier: MIT
"""Meshes as files, checked on the way: closed, and small enough for the repository."""
import os

import numpy

FILE_MAX = 1_000_000  # [bytes]


def bad_edges(triangles):
    """Edges that do not belong to exactly two triangles, once in each direction."""
    t = numpy.asarray(triangles, numpy.int64)
    ways = numpy.concatenate((t[:, [0, 1]], t[:, [1, 2]], t[:, [2, 0]]))
    n = int(t.max()) + 1
    there, counts = numpy.unique(ways[:, 0] * n + ways[:, 1], return_counts=True)
    back = numpy.unique(ways[:, 1] * n + ways[:, 0])
    return int((counts != 1).sum()) + len(numpy.setxor1d(there, back))


def volume(vertices, triangles):
    """Of a closed mesh [m^3]; below 0 when it is inside out."""
    a, b, c = (numpy.asarray(vertices)[numpy.asarray(triangles)[:, i]] for i in range(3))
    return float((a * numpy.cross(b, c)).sum() / 6)


def merge(*shapes):
    """Several meshes as one."""
    vertices, triangles, first = [], [], 0
    for v, t in shapes:
        vertices.append(numpy.asarray(v, float))
        triangles.append(numpy.asarray(t) + first)
        first += len(v)
    return numpy.concatenate(vertices), numpy.concatenate(triangles)


def write_ply(path, shape, comment):
    """A binary PLY file of triangles."""
    vertices, triangles = shape
    name = os.path.basename(path)
    if bad_edges(triangles):
        raise SystemExit(f"{name} has {bad_edges(triangles)} bad edges")
    if volume(vertices, triangles) <= 0:
        raise SystemExit(f"{name} is inside out")
    rows = numpy.zeros(len(triangles), dtype=[("count", "u1"), ("corner", "<i4", 3)])
    rows["count"] = 3
    rows["corner"] = triangles
    head = ["ply", "format binary_little_endian 1.0", f"comment {comment}; metres, y up; made by tools/make_models.py",
            f"element vertex {len(vertices)}", "property float x", "property float y", "property float z",
            f"element face {len(triangles)}", "property list uchar int vertex_indices", "end_header", ""]
    data = "\n".join(head).encode() + numpy.asarray(vertices, "<f4").tobytes() + rows.tobytes()
    write(path, data)
    print(f"{name}: {len(data)} bytes, {len(vertices)} vertices, {len(triangles)} triangles, "
          f"{1000 * volume(vertices, triangles):.3g} litres")


def write(path, data):
    if len(data) > FILE_MAX:
        raise SystemExit(f"{path}: {len(data)} bytes are more than {FILE_MAX}: make its faces larger")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)
