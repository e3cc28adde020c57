# SPDX-License-Identifier: MIT
"""Poses of the colliders that the simulation moved, out of a frame (.hdf). This reads the few parts
of HDF5 that firn writes for them: object headers of version 2, and a contiguous array of doubles
/firn/bodies with a row per collider: its number, driver, x y z, qw qx qy qz, scale, and more."""
import struct

import numpy as np

COLUMNS = 16
MAGIC = b"\x89HDF\r\n\x1a\n"
LINK, LAYOUT, CONTINUATION = 0x06, 0x08, 0x10


class FrameError(Exception):
    """The file is not a frame that this reader knows. The text names it."""


def object_messages(data, base, address):
    """[(type, bytes)] of the object header at an address."""
    at = base + address
    if data[at:at + 4] != b"OHDR" or data[at + 4] != 2:
        raise FrameError("an object header of another version")
    flags = data[at + 5]
    at += 6 + (16 if flags & 0x20 else 0) + (4 if flags & 0x10 else 0)
    width = 1 << (flags & 3)
    size = int.from_bytes(data[at:at + width], "little")
    blocks, found = [(at + width, size)], []
    head = 6 if flags & 0x04 else 4
    for start, length in blocks:
        at = start
        while at + head <= start + length:
            kind, size = struct.unpack_from("<BH", data, at)
            body = data[at + head:at + head + size]
            if kind == CONTINUATION:
                where, block = struct.unpack("<QQ", body)
                if len(blocks) > 100:
                    raise FrameError("an object header without an end")
                blocks.append((base + where + 4, block - 8))  # without "OCHK" and its checksum
            elif kind != 0:
                found.append((kind, body))
            at += head + size
    return found


def link_of(body):
    """(name, address) of a link message."""
    flags, at = body[1], 2
    at += (1 if flags & 0x08 else 0) + (8 if flags & 0x04 else 0) + (1 if flags & 0x10 else 0)
    width = 1 << (flags & 3)
    length = int.from_bytes(body[at:at + width], "little")
    at += width
    return body[at:at + length].decode(), struct.unpack_from("<Q", body, at + length)[0]


def find(data, base, address, path):
    """The address of an object below another; None where there is none."""
    for name in path:
        links = dict(link_of(body) for kind, body in object_messages(data, base, address)
                     if kind == LINK)
        if name not in links:
            return None
        address = links[name]
    return address


def read_rows(data):
    """Rows [colliders][16] of a frame's bytes; none where the simulation moved no collider."""
    start = data.find(MAGIC, 0, 4096)
    if start < 0 or data[start + 8] != 2:
        raise FrameError("not a frame of firn")
    base, _, _, root = struct.unpack_from("<4Q", data, start + 12)
    address = find(data, base, root, ("firn", "bodies"))
    if address is None:
        return np.empty((0, COLUMNS))
    for kind, body in object_messages(data, base, address):
        if kind == LAYOUT and body[1] == 1:
            where, size = struct.unpack_from("<QQ", body, 2)
            rows = np.frombuffer(data, "<f8", size // 8, base + where)
            return rows.reshape(-1, COLUMNS)
    raise FrameError("the poses of colliders are stored in an unknown way")


def read(path):
    """{number of the collider: (position [3], quaternion [4], scale)} in firn's axes and metres."""
    with open(path, "rb") as file:
        data = file.read()
    try:
        rows = read_rows(data)
    except (FrameError, struct.error, IndexError, ValueError) as error:
        raise FrameError(f"{path}: {error}") from error
    return {int(row[0]): (row[2:5], row[5:9], float(row[9])) for row in rows}
