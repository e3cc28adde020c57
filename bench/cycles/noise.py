# SPDX-License-Identifier: MIT
"""Mean light and noise of two pictures of the same thing: OpenEXR files with scanlines, plain or ZIP."""
import struct
import zlib

import numpy

LINES = {0: 1, 2: 1, 3: 16}  # of a chunk, by compression: none, ZIPS, ZIP
TYPES = {0: "<u4", 1: "<f2", 2: "<f4"}


def read_header(data):
    """Attributes by name, and where they end."""
    if data[:4] != struct.pack("<i", 20000630):
        raise SystemExit("not an OpenEXR file")
    at, attributes = 8, {}
    while data[at] != 0:
        name, kind, rest = data[at:at + 600].split(b"\0", 2)
        at += len(name) + len(kind) + 2
        size = struct.unpack_from("<i", data, at)[0]
        attributes[name.decode()] = data[at + 4:at + 4 + size]
        at += 4 + size
    return attributes, at + 1


def read_channels(data):
    at, channels = 0, []
    while data[at] != 0:
        name = data[at:].split(b"\0", 1)[0]
        at += len(name) + 1
        channels.append((name.decode(), TYPES[struct.unpack_from("<i", data, at)[0]]))
        at += 16
    return channels


def unpack(chunk, size):
    """What ZIP compression did, backwards: deflate, differences of bytes, even and odd bytes apart."""
    if len(chunk) == size:
        return chunk
    deltas = numpy.frombuffer(zlib.decompress(chunk), numpy.uint8).astype(numpy.int64)
    deltas[1:] -= 128
    values = (numpy.cumsum(deltas) & 255).astype(numpy.uint8)
    half = (size + 1) // 2
    out = numpy.empty(size, numpy.uint8)
    out[0::2], out[1::2] = values[:half], values[half:]
    return out.tobytes()


def read(path):
    """R, G and B as [height][width][3]."""
    with open(path, "rb") as file:
        data = file.read()
    attributes, at = read_header(data)
    left, top, right, bottom = struct.unpack("<4i", attributes["dataWindow"])
    width, height = right - left + 1, bottom - top + 1
    channels, lines = read_channels(attributes["channels"]), LINES[attributes["compression"][0]]
    picture = numpy.zeros((height, width, 3))
    for offset in struct.unpack_from(f"<{-(-height // lines)}Q", data, at):
        first, packed = struct.unpack_from("<ii", data, offset)
        count = min(lines, height - (first - top))
        row = sum(width * numpy.dtype(kind).itemsize for _, kind in channels)
        chunk = unpack(data[offset + 8:offset + 8 + packed], row * count)
        place = 0
        for y in range(first - top, first - top + count):
            for name, kind in channels:
                values = numpy.frombuffer(chunk, kind, width, place)
                place += values.nbytes
                if name.split(".")[-1] in "RGB" and (name in "RGB" or name.startswith("ViewLayer.Combined")):
                    picture[y, :, "RGB".index(name[-1])] = values
    return picture


def report(path_one, path_two, snow, floor):
    one, two = read(path_one), read(path_two)
    figures = {}
    for name, (top, bottom, left, right) in (("snow", snow), ("floor", floor)):
        a, b = one[top:bottom, left:right], two[top:bottom, left:right]
        mean = (a + b) / 2
        figures[name + "_mean"] = mean.mean(axis=(0, 1)).tolist()
        figures[name + "_noise"] = float(numpy.sqrt(((a - b) ** 2).mean() / 2) / mean.mean())
    return figures
