# SPDX-License-Identifier: MIT
"""Writes .vdb files (format version 224) with any content, also with what no program would
write."""
import struct
import zlib

ZIP, ACTIVE_MASK = 1, 2  # flags of compression
ALL_VALUES = 6           # of a node: all are stored; 0: only active ones, the others are background
SIDE = {"upper": 32, "lower": 16, "leaf": 8}


def text(value, length=None):
    """With a wrong length, if one is given."""
    data = value.encode()
    return struct.pack("<I", len(data) if length is None else length) + data


def metadata(entries):
    out = struct.pack("<I", len(entries))
    for name, kind, data in entries:
        out += text(name) + text(kind) + struct.pack("<I", len(data)) + data
    return out


def scale(x, y, z):
    """An index to world transform."""
    triples = [(x, y, z), (x, y, z), (1 / x, 1 / y, 1 / z), (x ** -2, y ** -2, z ** -2),
               (0.5 / x, 0.5 / y, 0.5 / z)]
    return text("ScaleMap") + b"".join(struct.pack("<3d", *t) for t in triples)


def mask(indices, side):
    bits = 0
    for i in indices:
        bits |= 1 << i
    return bits.to_bytes(side ** 3 // 8, "little")


class Tree:
    """Leaves and active tiles by the coordinates of their first voxel; values are floats or
    vectors."""

    def __init__(self, background=(0.1,), compression=ZIP | ACTIVE_MASK):
        self.background, self.compression = background, compression
        # origin of an upper node:
        # ({index: tile}, {index of a lower node: ({index: tile}, {index: leaf})})
        self.nodes = {}

    def pack(self, value):
        return struct.pack(f"<{len(value)}f", *value)

    def lower(self, x, y, z):
        upper = self.nodes.setdefault((x & -4096, y & -4096, z & -4096), ({}, {}))
        index = (x >> 7 & 31) << 10 | (y >> 7 & 31) << 5 | z >> 7 & 31
        return upper, index

    def leaf(self, x, y, z, values):
        """512 active values, z fastest."""
        upper, index = self.lower(x, y, z)
        lower = upper[1].setdefault(index, ({}, {}))
        lower[1][(x >> 3 & 15) << 8 | (y >> 3 & 15) << 4 | z >> 3 & 15] = values

    def large_tile(self, x, y, z, value):
        """128^3 active voxels."""
        upper, index = self.lower(x, y, z)
        upper[0][index] = value

    def values(self, active):
        """The active values of a node."""
        data = b"".join(self.pack(v) for v in active)
        if not self.compression & ZIP:
            return b"\0" + data
        small = zlib.compress(data, 9)
        packed = (struct.pack("<q", -len(data)) + data if len(small) >= len(data)
                  else struct.pack("<q", len(small)) + small)
        return b"\0" + packed

    def inner(self, tiles, children, side):
        return mask(children, side) + mask(tiles,
                                           side) + self.values(tiles[i] for i in sorted(tiles))

    def encode(self):
        topology = struct.pack("<I", 1) + self.pack(self.background) + struct.pack("<II", 0,
                                                                                   len(self.nodes))
        leaves = []
        for origin in sorted(self.nodes):
            tiles, lowers = self.nodes[origin]
            topology += struct.pack("<3i", *origin) + self.inner(tiles, lowers, SIDE["upper"])
            for index in sorted(lowers):
                topology += self.inner(*lowers[index], SIDE["lower"])
                for i in sorted(lowers[index][1]):
                    topology += b"\xff" * 64
                    leaves.append(lowers[index][1][i])
        return topology, b"".join(b"\xff" * 64 + self.values(values) for values in leaves)


def head(grids, meta=()):
    tag = b"00000000-0000-4000-8000-000000000000"
    return struct.pack("<qIIIB", 0x56444220, 224, 10, 0,
                       1) + tag + metadata(meta) + struct.pack("<I", grids)


def grid(start, tree, transform, name="surface", kind="Tree_float_5_4_3", meta=(),
         grid_class="level set"):
    """A grid whose description begins at byte `start` of the file."""
    about = text(name) + text(kind) + text("")
    begin = start + len(about) + 24
    body = struct.pack("<I", tree.compression) + metadata(
        [("class", "string", grid_class.encode()), ("name", "string", name.encode()),
         *meta]) + transform
    topology, buffers = tree.encode()
    body += topology
    return about + struct.pack("<qqq", begin, begin + len(body),
                               begin + len(body) + len(buffers)) + body + buffers


def file(tree, transform=None, **about):
    begin = head(1)
    return begin + grid(len(begin), tree, transform or scale(0.01, 0.01, 0.01), **about)
