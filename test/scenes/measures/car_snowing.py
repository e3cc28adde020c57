# SPDX-License-Identifier: MIT
"""Snow lies on the car; the wipers clear what they sweep."""
import numpy

from measures.run import Claim

SCENE = "car-snowing"
FPS, START = 50, 2.4                 # [1/s]; [s] when the wipers start
SWEEP = 1.1                          # [s]
# [m] x, y of the swept part of the screen in the middle of the car
FOOT, TOP = (0.99, 0.955), (0.30, 1.354)
HALF = 0.45                          # [m] of its width
ROOF = ((-0.7, 0.15), 1.38, 0.55)    # [m] x from and to, lowest y, half the width


def screen(frame):
    """Mass within 10 cm above the windscreen [kg]."""
    x, y, z = frame["x"].T
    up = numpy.array((TOP[0] - FOOT[0], TOP[1] - FOOT[1]))
    length = numpy.hypot(*up)
    up /= length
    along = (x - FOOT[0]) * up[0] + (y - FOOT[1]) * up[1]
    over = (x - FOOT[0]) * up[1] - (y - FOOT[1]) * up[0]
    on = (along > 0.06) & (along < 0.45) & (over > -0.02) & (over < 0.10) & (numpy.abs(z) < HALF)
    return frame["mass"][on].sum()


def roof(frame):
    x, y, z = frame["x"].T
    on = (x > ROOF[0][0]) & (x < ROOF[0][1]) & (y > ROOF[1]) & (y < 1.7) & (numpy.abs(z) < ROOF[2])
    return frame["mass"][on].sum()


def claims(open_run):
    run = open_run()
    before = run.frame(round(START * FPS))
    after = run.frame(round((START + 2 * SWEEP + 0.1) * FPS))  # it has stopped snowing
    yield Claim("snow on the roof before the wipers start", roof(before), "above", 0.2, "kg")
    yield Claim("snow on the swept part of the screen before the wipers start", screen(before),
                "above", 0.1, "kg")
    # it goes on snowing between the two: the roof tells how much; the swept fans are a part of the
    # rectangle
    yield Claim("growth of the snow on the swept part over two sweeps, to that on the roof",
                screen(after) / screen(before) / (roof(after) / roof(before)), "below", 0.7, "")
    yield Claim("snow on the roof after them, of that before", roof(after) / roof(before), "above",
                1, "")
