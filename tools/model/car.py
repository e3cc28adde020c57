# SPDX-License-Identifier: MIT
"""A saloon of our own: 4.5 m long, 1.77 m wide, 1.43 m tall; x is forward, its wheels stand on y = 0. Body, glass,
lamps and wheels are meshes of their own, so that each has its colour and wheels can turn; wipers are boxes in the
plane of the windscreen, turned about pivots at its foot."""
import numpy

from model import surface
from model.solids import block, both, cut, drum, egg, join, plate, stick, within

AXLES = (1.40, -1.32)            # [m] x of front and rear wheels
WHEEL, TRACK, TYRE = 0.315, 0.76, 0.20  # [m] radius, z of the wheels' middles, width
SCREEN = ((1.12, 0.88), (0.22, 1.40))   # [m] x, y: foot and top of the windscreen's plane in the middle of the car
RECESS = 0.012                   # [m] of the glass in its frame
WIPERS = (-0.52, 0.10)           # [m] z of the pivots
FOOT = 0.955                     # [m] y of the pivots, on the screen's plane before the recess

HULL = [(-2.10, 0.20), (2.10, 0.20), (2.235, 0.32), (2.25, 0.52), (2.17, 0.69), (1.68, 0.825), (1.05, 0.925),
        (-1.52, 0.985), (-2.17, 0.960), (-2.25, 0.66), (-2.22, 0.34)]
CABIN = [(-1.66, 0.90), SCREEN[0], SCREEN[1], (-0.14, 1.432), (-0.72, 1.420), (-1.05, 1.360)]
SIDE_WINDOWS = ([(-0.29, 0.985), (0.74, 0.985), (0.20, 1.325), (-0.29, 1.350)],
                [(-1.30, 0.995), (-0.39, 0.995), (-0.39, 1.350), (-0.76, 1.335), (-0.98, 1.285)])


def hull_width(x, y):
    along = numpy.abs(x) / 2.25
    return 0.885 - 0.16 * along ** 6 - 0.9 * numpy.maximum(y - 0.72, 0) ** 2 - 0.5 * numpy.maximum(0.40 - y, 0) ** 2


def cabin_width(x, y):
    return 0.815 - 0.42 * (y - 0.92) - 0.03 * numpy.maximum(numpy.abs(x + 0.3) - 0.8, 0)


def cabin():
    shape = plate(CABIN, 0.05)

    def bowed(x, y, z):  # the screens are a little round
        return shape(x + 0.05 * z * z * numpy.tanh(3 * (x + 0.3)), y, z)
    return both(bowed, within(cabin_width), blend=0.05)


def screens():
    """What is cut through the cabin for glass before and behind: windscreen and rear window."""
    front = both(within(lambda x, y: cabin_width(0.7, y) - 0.105), lambda x, y, z: numpy.abs(y - 1.15) - 0.205,
                 lambda x, y, z: 0.02 - x, blend=0.05)
    rear = both(within(lambda x, y: cabin_width(-1.3, y) - 0.09), lambda x, y, z: numpy.abs(y - 1.17) - 0.150,
                lambda x, y, z: x + 0.95, blend=0.05)
    return front, rear


def hull():
    return both(plate(HULL, 0.06), within(hull_width), blend=0.09)


def body():
    frame = cut(cabin(), *(plate(window, 0.03) for window in SIDE_WINDOWS), *screens())
    arches = [drum((x, WHEEL, side * 0.83), WHEEL + 0.055, 0.42) for x in AXLES for side in (-1, 1)]
    grille = join(block((2.22, 0.50, 0), (0.24, 0.11, 0.86), 0.02), block((2.22, 0.315, 0), (0.24, 0.09, 1.16), 0.02))
    mirrors = join(*(join(egg((0.74, 1.02, side * 0.955), (0.055, 0.065, 0.095)),
                          stick((0.76, 0.98, side * 0.80), (0.75, 1.00, side * 0.93), 0.03)) for side in (-1, 1)))
    return join(cut(join(hull(), frame, blend=0.03), *arches, grille, blend=0.02), mirrors, blend=0.01)


def glass():
    inner = cabin()
    return both(lambda x, y, z: inner(x, y, z) + RECESS, lambda x, y, z: 0.91 - y)


def lamps(front):
    """Two plates that stand 8 mm out of the hull's corners."""
    whole = hull()
    x, y, size = (2.20, 0.665, (0.36, 0.100, 0.36)) if front else (-2.22, 0.845, (0.24, 0.120, 0.40))
    corners = join(*(block((x, y, side * 0.66), size, 0.03) for side in (-1, 1)))
    outer = both(lambda p, q, r: whole(p, q, r) - 0.008, corners, blend=0.01)
    return cut(outer, lambda p, q, r: whole(p, q, r) + 0.05)


def make(face):
    """Body and glass with faces of about `face` metres, lamps with half of that."""
    low, high = (-2.4013, 0.1007, -1.1509), (2.4, 1.60, 1.16)
    return {"body": surface.make(body(), low, high, face),
            "glass": surface.make(glass(), low, high, 1.5 * face),
            "lamps": surface.make(lamps(True), low, high, 0.6 * face),
            "tail-lamps": surface.make(lamps(False), low, high, 0.6 * face)}


def screen_frame():
    """The windscreen's plane: its direction up the glass and its normal."""
    (fx, fy), (tx, ty) = SCREEN
    up = numpy.array((tx - fx, ty - fy, 0.0))
    up /= numpy.sqrt(up @ up)
    return up, numpy.array((up[1], -up[0], 0.0))


def wiper_pivot(side):
    """Where a wiper turns, on the glass."""
    (fx, fy), (tx, ty) = SCREEN
    _, normal = screen_frame()
    on = numpy.array((fx + (FOOT - fy) * (tx - fx) / (ty - fy), FOOT, WIPERS[side]))
    return on - RECESS * normal
