# SPDX-License-Identifier: MIT
"""What the figure wears: a picture of it from in front, and where each vertex lies in that. Three pages beside each
other: the clothes, the rucksack on the back, the face. A face of the mesh that lies on two pages shows what is between
them, so that pages continue in the colours of their neighbours."""
import struct
import zlib

PAGES = 3
SIDE = 64           # [pixels] wide and high of a page
HALF = 0.75         # [m] of a page's width: from the middle
HIGH = 1.8          # [m]

PARKA, HEM, BAND = (168, 58, 38), (112, 36, 28), (205, 205, 196)
TROUSERS, BOOTS, SOLES = (52, 62, 78), (58, 42, 32), (24, 22, 22)
GLOVES, PACK, FUR, SKIN = (70, 74, 66), (86, 92, 58), (110, 92, 74), (196, 140, 112)


def page_of(x, y, z):
    if x > 0.05 and ((y - 1.635) / 0.088) ** 2 + (z / 0.068) ** 2 < 1:
        return 2
    return 1 if x < -0.18 and 0.85 < y < 1.5 else 0


def colour(page, y, z):
    if page == 2:
        return SKIN
    if page == 1:
        return FUR if y > 1.5 else PACK
    if abs(z) > 0.60 and y < 0.9:
        return GLOVES
    if y > 0.86:
        return BAND if 1.19 < y < 1.225 and abs(z) < 0.3 else PARKA
    if y > 0.80:
        return HEM if abs(z) < 0.4 else PARKA
    return TROUSERS if y > 0.27 else BOOTS if y > 0.03 else SOLES


def coordinates(vertices):
    """Texture coordinates of vertices at rest, in 16 bits."""
    return [(round(65535 * (page_of(x, y, z) + 0.5 + min(max(z / (2 * HALF), -0.49), 0.49)) / PAGES),
             round(65535 * min(max(1 - y / HIGH, 0), 1))) for x, y, z in vertices]


def picture():
    """The bytes of a PNG file."""
    rows = b""
    for row in range(SIDE):
        y = HIGH * (1 - (row + 0.5) / SIDE)
        rows += b"\0" + b"".join(bytes(colour(k // SIDE, y, 2 * HALF * ((k % SIDE + 0.5) / SIDE - 0.5)))
                                 for k in range(PAGES * SIDE))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", PAGES * SIDE, SIDE, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))
