# SPDX-License-Identifier: MIT
"""Meshes for firn: binary PLY, and .pc2 point caches for meshes that deform."""
import os
import struct

import numpy as np


def write_ply(path, points, triangles):
    """Points [n][3] in metres, Y up; triangles [m][3], outside at their right-handed side."""
    points = np.ascontiguousarray(points, dtype="<f4")
    rows = np.empty(len(triangles), dtype=[("count", "u1"), ("corners", "<i4", 3)])
    rows["count"] = 3
    rows["corners"] = triangles
    header = ("ply\nformat binary_little_endian 1.0\n"
              f"element vertex {len(points)}\n"
              "property float x\nproperty float y\nproperty float z\n"
              f"element face {len(rows)}\nproperty list uchar int vertex_indices\nend_header\n")
    draft = path + ".tmp"
    with open(draft, "wb") as file:
        file.write(header.encode("ascii"))
        file.write(points.tobytes())
        file.write(rows.tobytes())
    os.replace(draft, path)


class PointCache:
    """Writes a .pc2 file sample by sample: one sample per frame."""

    def __init__(self, path, point_count, sample_count):
        self.path, self.point_count, self.left = path, point_count, sample_count
        self.file = open(path + ".tmp", "wb")
        self.file.write(struct.pack("<12siiffi", b"POINTCACHE2\0", 1, point_count, 0.0, 1.0,
                                    sample_count))

    def add(self, points):
        points = np.ascontiguousarray(points, dtype="<f4")
        if points.shape != (self.point_count, 3):
            raise ValueError(f"{points.shape[0]} points instead of {self.point_count}")
        self.file.write(points.tobytes())
        self.left -= 1

    def samples(self):
        """Those that were added so far, each [points][3]."""
        self.file.flush()
        data = np.fromfile(self.path + ".tmp", dtype="<f4", offset=32)
        return data.reshape(-1, self.point_count, 3)

    def close(self):
        """Put the file in place; it must be complete."""
        self.file.close()
        if self.left != 0:
            raise ValueError(f"{self.path}: {self.left} samples are missing")
        os.replace(self.path + ".tmp", self.path)

    def discard(self):
        self.file.close()
        os.remove(self.path + ".tmp")


def boundary_edges(triangles):
    """Directed edges [k][2] that have no opposite edge: the rim of an open mesh."""
    triangles = np.asarray(triangles, dtype=np.int64).reshape(-1, 3)
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    if len(edges) == 0:
        return edges
    count = int(edges.max()) + 1
    forward = edges[:, 0] * count + edges[:, 1]
    backward = edges[:, 1] * count + edges[:, 0]
    return edges[~np.isin(forward, backward)]


def thicken(points, triangles, depth):
    """A solid from an open surface that faces up (terrain): the surface, a copy of it `depth`
    below, and walls along its rim. Points in firn's axes (Y up)."""
    points = np.asarray(points, dtype=np.float64)
    triangles = np.asarray(triangles, dtype=np.int64)
    below = points - [0.0, depth, 0.0]
    start, end = boundary_edges(triangles).T
    shift = len(points)
    walls = np.concatenate([np.stack([end, start, start + shift], axis=1),
                            np.stack([end, start + shift, end + shift], axis=1)])
    return (np.concatenate([points, below]),
            np.concatenate([triangles, triangles[:, ::-1] + shift, walls]))
