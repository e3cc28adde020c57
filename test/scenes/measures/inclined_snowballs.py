# SPDX-License-Identifier: MIT
"""Without friction a snowball slides as a point does; with viscosity 1 it rolls, and with 10 it
sticks even more."""
import numpy

from measures.run import Claim

SCENE = "inclined-snowballs"
LANE = 0.14                                    # [m] between the boards, along z
ALONG = numpy.array([3**0.5 / 2, -0.5, 0])     # down the slope of 30 degrees
UP = numpy.array([0.5, 3**0.5 / 2, 0])         # out of it
SURFACE = float(UP @ [0, 0.15, 0]) + 0.01      # [m] of the boards along UP
LAYER = 0.01                                   # [m] above the boards: snow that touches them
# frames: all have stopped bouncing, none has left its board
FROM, TO = 50, 90
G = 9.81


def claims(open_run):
    run = open_run()
    start, first, last = run.frame(0), run.frame(FROM), run.frame(TO)
    lane = dict(zip(start["id"].tolist(),
                    numpy.round(start["x"][:, 2] / LANE).astype(int).tolist()))

    def mean(frame, name, which, only=lambda x: True):
        mine = numpy.array([lane[k] == which for k in frame["id"].tolist()])
        mine &= only(frame["x"])
        return float((frame[name][mine] @ ALONG).mean())

    def way(which):
        return mean(last, "x", which) - mean(first, "x", which)

    def slip(which):
        """Mean speed down the slope of the snow that touches the board [m/s]."""
        return mean(last, "v", which, lambda x: x @ UP - SURFACE < LAYER)

    time = (TO - FROM) / 250
    free = mean(first, "v", 1) * time + 0.5 * G / 2 * time**2
    # 3 %: the ball still spreads a little, and a board of particles is not quite smooth
    yield Claim("way without friction, to that of a sliding point", way(1) / free, "above", 0.97,
                "")
    yield Claim("way without friction, to that of a sliding point", way(1) / free, "below", 1.03,
                "")
    yield Claim("way with viscosity 1, to that without", way(0) / way(1), "below", 0.7, "")
    yield Claim("way with viscosity 10, to that without", way(-1) / way(1), "below", 0.7, "")
    yield Claim("speed on the board with viscosity 1", slip(0), "below", 0.3 * slip(1), "m/s")
    yield Claim("speed on the board with viscosity 10", slip(-1), "below", slip(0), "m/s")
