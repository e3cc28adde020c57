# SPDX-License-Identifier: MIT
"""Pictures in memory: pixels as arrays, and as PNG for notebooks."""
from __future__ import annotations

import os
from typing import Any, Iterable


def height_of(width: int, height: int | None) -> int:
    """The height of a picture; None: 16 to 9."""
    return height if height is not None else max(1, round(width * 9 / 16))


def pixels(data: bytearray, width: int, height: int) -> Any:
    """An array (height, width, 3) of uint8."""
    import numpy as np
    return np.frombuffer(data, dtype=np.uint8).reshape(height, width, 3)


def encode_png(picture: Any) -> bytes:
    """A picture of 8 bits, (height, width, 3), as the bytes of a PNG file."""
    import struct
    import zlib

    import numpy as np
    image = np.ascontiguousarray(picture, dtype=np.uint8)
    height, width, _ = image.shape

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (struct.pack(">I", len(data)) + kind + data +
                struct.pack(">I", zlib.crc32(kind + data)))
    # filter 1: each pixel minus its left neighbour, which compresses well and costs little
    rows = image.copy()
    rows[:, 1:] -= image[:, :-1]
    lines = np.concatenate([np.full((height, 1), 1, np.uint8), rows.reshape(height, -1)], axis=1)
    return (b"\x89PNG\r\n\x1a\n" +
            chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(lines.tobytes(), 6)) + chunk(b"IEND", b""))


def film(path: str | os.PathLike[str], pictures: Iterable[Any], fps: float = 24) -> None:
    """Write pictures, arrays (height, width, 3) of 8 bits, as an .mp4 film; needs ffmpeg.

        firn.film("snow.mp4", (frame.picture() for frame in run))
    """
    import itertools

    import numpy as np

    from . import _library as library
    write: Any = library.film  # loaded by the module's __getattr__
    rest = iter(pictures)
    first = next(rest, None)
    if first is None:
        raise ValueError("a film needs at least one picture")
    height, width, _ = np.shape(first)
    pixels_of = (np.ascontiguousarray(p, dtype=np.uint8).reshape(-1)
                 for p in itertools.chain([first], rest))
    write(os.fspath(path), width, height, float(fps), pixels_of)
