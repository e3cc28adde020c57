# SPDX-License-Identifier: MIT
"""Mean difference of two pictures, or of a part of them: apart.py A.png B.png [X Y WIDTH HEIGHT]"""
import subprocess
import sys

import numpy


def read(path):
    size = subprocess.run(["ffprobe", "-v", "error", "-show_entries", "stream=width,height", "-of",
                           "csv=p=0", path],
                          check=True, capture_output=True, text=True).stdout.strip().split(",")
    raw = subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt",
                          "rgb24", "-"],
                         check=True, capture_output=True).stdout
    return numpy.frombuffer(raw, numpy.uint8).reshape(int(size[1]), int(size[0]), 3).astype(float)


a, b = read(sys.argv[1]), read(sys.argv[2])
if len(sys.argv) > 3:
    x, y, width, height = map(int, sys.argv[3:7])
    a, b = a[y:y + height, x:x + width], b[y:y + height, x:x + width]
print(abs(a - b).mean())
