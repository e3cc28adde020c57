# SPDX-License-Identifier: MIT
"""A dense box of vectors as an OpenVDB file (format version 224, a tree vec3s of 5, 4 and 3 bits), stored as half
floats and deflated. Only what such a file needs; any program that reads OpenVDB files can read it."""
import struct
import zlib

import numpy

LEAF, INNER, OUTER = 3, 4, 5           # bits: a leaf has 8^3 voxels, a node above 16^3 leaves, the next 32^3 of those
ZIP, ACTIVE_MASK = 1, 2                # flags of compression
ONLY_ACTIVE = 0                        # values of voxels that are off are the background and are left out


def text(value):
    data = value.encode()
    return struct.pack("<I", len(data)) + data


def metadata(entries):
    out = struct.pack("<I", len(entries))
    for name, (kind, data) in entries.items():
        out += text(name) + text(kind) + struct.pack("<I", len(data)) + data
    return out


def deflated(data):
    """As OpenVDB has it: the size, then the data; below 0 when it did not become smaller."""
    small = zlib.compress(data, 9)
    if len(small) >= len(data):
        return struct.pack("<q", -len(data)) + data
    return struct.pack("<q", len(small)) + small


def mask(indices, bits):
    flags = numpy.zeros(1 << 3 * bits, numpy.uint8)
    flags[indices] = 1
    return numpy.packbits(flags, bitorder="little").tobytes()


def offset(place, bits):
    """Of a child or a voxel in its node: x is the slowest."""
    x, y, z = (int(c) & ((1 << bits) - 1) for c in place)
    return (x << 2 * bits) | (y << bits) | z


def inner_node(children, bits):
    """Masks of a node with children at these offsets and no tile that is on: of half floats, none are written as none,
    without the size that stands before other data."""
    return mask(children, bits) + mask([], bits) + bytes([ONLY_ACTIVE])


def tree(values):
    """Topology and buffers of a tree whose voxel (i, j, k) is values[i, j, k]; sizes are multiples of 8, below 128."""
    size = numpy.array(values.shape[:3])
    if (size % 8).any() or (size > 128).any():
        raise SystemExit(f"a grid of {size} voxels: sizes must be multiples of 8, up to 128")
    leaves = [(i, j, k) for i in range(size[0] // 8) for j in range(size[1] // 8) for k in range(size[2] // 8)]
    leaves.sort(key=lambda leaf: offset(leaf, INNER))
    full = mask(range(512), LEAF)
    topology = struct.pack("<I3fII3i", 1, 0, 0, 0, 0, 1, 0, 0, 0)  # buffers, background, no tiles, a child at 0, 0, 0
    topology += inner_node([0], OUTER) + inner_node([offset(leaf, INNER) for leaf in leaves], INNER)
    topology += full * len(leaves)
    buffers = b""
    for i, j, k in leaves:
        part = values[8 * i:8 * i + 8, 8 * j:8 * j + 8, 8 * k:8 * k + 8]
        buffers += full + bytes([ONLY_ACTIVE]) + deflated(numpy.ascontiguousarray(part, "<f2").tobytes())
    return topology, buffers


def transform(voxel, origin):
    """Index to world: times `voxel`, plus `origin`."""
    def three(value):
        return struct.pack("<3d", value, value, value)
    return text("UniformScaleTranslateMap") + struct.pack("<3d", *origin) + three(voxel) + three(voxel) \
        + three(1 / voxel) + three(1 / voxel ** 2) + three(0.5 / voxel)


def encode(name, values, voxel, origin):
    """The bytes of a file with one grid of vectors."""
    kind = "Tree_vec3s_5_4_3_HalfFloat"
    head = struct.pack("<qIIIB", 0x56444220, 224, 8, 1, 1) + b"00000000-0000-4000-8000-000000000000"
    head += metadata({}) + struct.pack("<I", 1) + text(name) + text(kind) + text("")
    start = len(head) + 24
    body = struct.pack("<I", ZIP | ACTIVE_MASK) + metadata({
        "class": ("string", b"unknown"), "is_saved_as_half_float": ("bool", b"\1"), "name": ("string", name.encode()),
        "vector_type": ("string", b"contravariant absolute")})
    topology, buffers = tree(values)
    body += transform(voxel, origin) + topology
    return head + struct.pack("<qqq", start, start + len(body), start + len(body) + len(buffers)) + body + buffers
