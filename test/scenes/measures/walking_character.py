# SPDX-License-Identifier: MIT
"""Footprints are deeper than the crust, and stay."""
import numpy

from measures.run import Claim, height_map

SCENE = "walking-character"
CELL = 0.035    # [m] as in the scene
CRUST = 0.035   # [m] thickness
TOP = 0.252     # [m] of the untouched bed
DENSITY = 250   # [kg/m^3]
LOW, HIGH = (0.25, 0.0, -0.3), (0.8, 0.6, 0.3)  # the part that the figure has left behind
EARLY, LATE = 54, 66  # frames, half a second apart


def depths(run, number):
    heights = height_map(run.frame(number), CELL, LOW, HIGH, DENSITY * CELL**3)
    return TOP - numpy.nan_to_num(heights, nan=0.0)


def claims(open_run):
    run = open_run()
    early, late = depths(run, EARLY), depths(run, LATE)
    prints = early > CRUST + CELL  # a cell more than the crust: no trick of the cells
    yield Claim("share of the trodden strip that lies deeper than the crust", prints.mean(),
                "above", 0.1, "")
    yield Claim("depth of the footprints in the mean", late[prints].mean(), "above", CRUST, "m")
    yield Claim("depth kept half a second later", late[prints].mean() / early[prints].mean(),
                "above", 0.9, "")
