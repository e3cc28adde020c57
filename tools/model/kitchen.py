# SPDX-License-Identifier: MIT
"""The oven of the scene oven: a case with an open front towards +x and its door let down, and a tray with a rim.
The inside is 42 cm deep, 29 cm high and 50 cm wide, and the tray's upper side is at y = 0.10."""
from model import bricks

TRAY = 0.10  # [m] where the figures stand


def case():
    parts = [(True, (-0.25, 0.02, -0.30), (0.20, 0.43, 0.30)),
             (False, (-0.22, 0.05, -0.25), (0.20, 0.34, 0.25)),          # the inside
             (True, (0.20, 0.355, -0.28), (0.215, 0.415, 0.28)),         # the panel of knobs
             (True, (0.20, 0.02, -0.27), (0.50, 0.045, 0.27)),           # the door
             (True, (0.44, 0.0, -0.20), (0.46, 0.02, 0.20))]             # its handle
    parts += [(True, (-0.22, y, z), (0.16, y + 0.008, z + 0.012))        # rails for trays
              for y in (0.08, 0.16, 0.24) for z in (-0.25, 0.238)]
    parts += [(True, (x, 0.0, z), (x + 0.04, 0.02, z + 0.04)) for x in (-0.24, 0.15) for z in (-0.29, 0.25)]
    return bricks.make(parts)


def tray():
    low, high, rim = (-0.19, TRAY - 0.012, -0.236), (0.17, TRAY + 0.010, 0.236), 0.008
    return bricks.make([(True, low, high),
                        (False, (low[0] + rim, TRAY, low[2] + rim), (high[0] - rim, high[1], high[2] - rim))])
