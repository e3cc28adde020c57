# SPDX-License-Identifier: MIT
"""The plow truck of city-street: a cab over its engine, a tipper, and in front a hollow blade that leans to one side
and pushes snow towards +z. x is forward, the wheels stand on y = 0, the origin is under the middle of the chassis."""
import math

from figure.vectors import Z, turn
from model import surface, wheels
from model.motion import Parts
from model.solids import block, both, cut, drum, join, placed, plate, stick

AXLES = (2.05, -1.75)                  # [m]
WHEEL, TRACK, TYRE = 0.50, 0.95, 0.34  # [m] radius, z of the middles, width
CAB = [(1.15, 0.72), (3.02, 0.72), (3.06, 1.35), (2.82, 2.52), (1.20, 2.58)]
YAW = -32.0       # [degrees] of the blade: its end on the side of +z trails
LANE = 3.1        # [m] along the blade; the cleared lane is cos YAW of it
START = -17.5     # [m] where the truck is first
SIDE = 0.75       # [m] z of its way: a little to the right of the middle
SPEED = 5.0       # [m/s]
DURATION = 6.4    # [s]


def cab():
    return both(plate(CAB, 0.12), lambda x, y, z: abs(z) - 1.12 + 0.06 * (y - 1.0), blend=0.15)


def body():
    chassis = block((-0.15, 0.68, 0), (6.0, 0.26, 0.9), 0.05)
    tipper = cut(block((-1.15, 1.42, 0), (4.1, 1.05, 2.25), 0.06), block((-1.15, 1.72, 0), (3.8, 1.25, 1.95), 0.05))
    tanks = join(*(block((0.55, 0.66, side * 0.85), (1.1, 0.5, 0.5), 0.10) for side in (-1, 1)))
    arches = [drum((AXLES[0], WHEEL, side * 1.0), WHEEL + 0.10, 0.55) for side in (-1, 1)]
    mount = join(block((3.10, 0.52, 0), (0.5, 0.30, 0.7), 0.05), stick((3.0, 1.0, 0), (3.32, 0.70, 0), 0.09))
    lamp = block((1.75, 2.62, 0), (0.28, 0.16, 1.3), 0.06)
    mirrors = join(*(join(block((2.92, 1.90, side * 1.32), (0.12, 0.46, 0.24), 0.05),
                          stick((2.80, 2.05, side * 1.0), (2.90, 2.0, side * 1.28), 0.05)) for side in (-1, 1)))
    return join(cut(cab(), *arches), chassis, tipper, tanks, mount, lamp, mirrors, blend=0.02)


def glass():
    """Panes that stand 15 mm out of the cab: windscreen and side windows."""
    whole = cab()
    front = block((3.0, 1.92, 0), (0.9, 0.72, 1.86), 0.08)
    sides = block((2.12, 1.92, 0), (0.95, 0.66, 3.0), 0.08)
    return both(lambda x, y, z: whole(x, y, z) - 0.015, join(front, sides, blend=0.05), blend=0.02)


def blade():
    """The rear part of a pipe that lies along the blade: snow runs up its hollow and curls forward."""
    pipe = cut(drum((0.30, 0.66, 0), 0.84, LANE, 0.03), drum((0.30, 0.66, 0), 0.56, LANE + 1))
    board = both(pipe, lambda x, y, z: x - 0.34, lambda x, y, z: 0.06 - y, lambda x, y, z: y - 1.28, blend=0.03)
    ribs = join(*(block((-0.42, 0.66, z), (0.30, 0.5, 0.12), 0.03) for z in (-0.9, 0.0, 0.9)))
    return placed(join(board, ribs), (3.75, 0.0, 0.0), YAW)


def make():
    low, high = (-3.4021, 0.0013, -1.6017), (3.9, 2.9, 1.61)
    far = (2.4021, -0.1013, -2.0017), (5.2, 1.6, 2.01)
    return {"truck": surface.make(body(), low, high, 0.085), "truck-glass": surface.make(glass(), low, high, 0.07),
            "blade": surface.make(blade(), *far, 0.075), "truck-wheel": wheels.plain(WHEEL, TYRE)}


def way(time):
    return START + SPEED * time


def write_motion(path):
    parts = Parts("plow", DURATION)
    parts.add("Truck", lambda t: (way(t), 0, SIDE))
    for end, x in zip(("Front", "Rear"), AXLES):
        for side, z in (("L", -TRACK), ("R", TRACK)):
            parts.add(f"Wheel.{end}.{side}", lambda t, x=x, z=z: (x + way(t), WHEEL, z + SIDE),
                      lambda t: turn(Z, -math.degrees((way(t) - START) / WHEEL)))
    parts.write(path)
