# SPDX-License-Identifier: MIT
"""How the car of car-snowing moves: the wipers sweep and rest, then the car drives off along +x, its wheels rolling."""
import math

import numpy

from figure.vectors import Z, product, turn
from model import car
from model.motion import Parts

SWEEP = 1.1             # [s] up and down again
SWEEPS = 2
LEAVE = 2.7             # [s] when the car starts
PULL = 2.0              # [m/s^2]
RISE = 0.5              # [s] in which it pulls fully
DURATION = 5.2          # [s]
PARKED, UP = 3.0, 98.0  # [degrees] of the wipers above the screen's foot


def wiper_angle(time):
    if time >= SWEEP * SWEEPS:
        return PARKED
    return PARKED + (UP - PARKED) * (0.5 - 0.5 * math.cos(2 * math.pi * time / SWEEP))


def way(time):
    """How far the car is [m]: its acceleration grows linearly, then stays constant."""
    t = time - LEAVE
    if t <= 0:
        return 0.0
    if t < RISE:
        return PULL * t ** 3 / (6 * RISE)
    u = t - RISE
    return PULL * (RISE ** 2 / 6 + 0.5 * RISE * u + 0.5 * u * u)


def write(path):
    parts = Parts("drive", DURATION)
    parts.add("Car", lambda t: (way(t), 0, 0))
    for end, x in zip(("Front", "Rear"), car.AXLES):
        for side, z in (("L", -car.TRACK), ("R", car.TRACK)):
            parts.add(f"Wheel.{end}.{side}", lambda t, x=x, z=z: (x + way(t), car.WHEEL, z),
                      lambda t: turn(Z, -math.degrees(way(t) / car.WHEEL)))
    up, normal = car.screen_frame()
    rest = tuple(zip((0, 0, 1), up, -normal))  # columns: along the screen's foot, up the screen, into it
    for name, k in (("Wiper.L", 0), ("Wiper.R", 1)):
        pivot = car.wiper_pivot(k)
        parts.add(name, lambda t, p=pivot: p + numpy.array((way(t), 0, 0)),
                  lambda t: product(rest, turn(Z, wiper_angle(t))))
    parts.write(path)
