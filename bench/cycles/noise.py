# SPDX-License-Identifier: MIT
"""Mean light and noise of two pictures of the same thing; runs in Blender's Python, which reads OpenEXR."""
import json

import bpy
import numpy


def read(path):
    image = bpy.data.images.load(path)
    image.colorspace_settings.is_data = True
    width, height = image.size
    return numpy.array(image.pixels[:]).reshape(height, width, 4)[::-1, :, :3]


def report(path_one, path_two, snow, floor):
    one, two = read(path_one), read(path_two)
    figures = {}
    for name, (top, bottom, left, right) in (("snow", snow), ("floor", floor)):
        a, b = one[top:bottom, left:right], two[top:bottom, left:right]
        mean = (a + b) / 2
        figures[name + "_mean"] = mean.mean(axis=(0, 1)).tolist()
        figures[name + "_noise"] = float(numpy.sqrt(((a - b) ** 2).mean() / 2) / mean.mean())
    print("NOISE " + json.dumps(figures), flush=True)
