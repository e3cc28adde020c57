# SPDX-License-Identifier: MIT
"""The walk: along +x through snow, knees lifted. A foot comes down on its heel, lies flat, rolls off over its toe and
swings; while it stands, the point it stands on does not move."""
import math

from figure.rig import ANKLE, JOINTS, SIDES, Pose, rest_arm, set_leg
from figure.vectors import X, Y, Z, add, aim, apply, clamp, product, scale, smooth, sub, turn

SPEED = 1.0      # [m/s]
CYCLE = 1.04     # [s] of two steps
DUTY = 0.62      # part of the cycle that a foot stands
AHEAD = 0.262    # [m] of the ankle before the hips when its heel comes down
WIDTH = 0.105    # [m] of the ankles from the middle
TOE_OUT = 7.0    # [degrees]
LIFT = 0.13      # [m] of a swinging foot beyond a plain arc: the snow is deep
HEEL, TOE = -0.082, 0.172  # [m] before the ankle: where the sole turns
STRIKE, PUSH = 12.0, 38.0  # [degrees] toe up at the strike, heel up when the foot leaves
FLAT, RISE = 0.09, 0.37    # parts of the cycle: flat from, heel rises from
CYCLES = 4


def phase_of(side, time):
    """Where in its cycle a foot is, from 0 (heel strikes) to 1, and the number of the cycle."""
    u = time / CYCLE + (0.0 if side == "R" else 0.5)
    return u - math.floor(u), math.floor(u)


def yaw(side):
    return turn(Y, -TOE_OUT * SIDES[side])


def stand(side, number, phase):
    """Ankle and pitch of a foot on the ground; also a little beyond, for the speed at both ends."""
    start = (number - (0.0 if side == "R" else 0.5)) * CYCLE
    flat = (SPEED * start + AHEAD, ANKLE, WIDTH * SIDES[side])
    if phase < FLAT:
        pitch, pivot = STRIKE * (1 - phase / FLAT) ** 2, HEEL
    else:
        pitch, pivot = -PUSH * smooth(phase, RISE, DUTY + 0.12) / smooth(DUTY, RISE, DUTY + 0.12), TOE
        pitch = pitch if phase > RISE else 0.0
    contact = (pivot, -ANKLE, 0.0)
    place = add(flat, apply(yaw(side), contact))
    return sub(place, apply(product(yaw(side), turn(Z, pitch)), contact)), pitch


def swing(side, number, u):
    """From where the foot left to where it will stand next, with the speeds it has there."""
    span, tiny = 1 - DUTY, 1e-4
    p0, a0 = stand(side, number, DUTY)
    p1, a1 = stand(side, number + 1, 0.0)
    v0 = scale(sub(p0, stand(side, number, DUTY - tiny)[0]), span / tiny)
    v1 = scale(sub(stand(side, number + 1, tiny)[0], p1), span / tiny)
    h = (2 * u ** 3 - 3 * u ** 2 + 1, u ** 3 - 2 * u ** 2 + u, 3 * u ** 2 - 2 * u ** 3, u ** 3 - u ** 2)
    place = tuple(h[0] * p0[i] + h[1] * v0[i] + h[2] * p1[i] + h[3] * v1[i] for i in range(3))
    bump = 16 * u * u * (1 - u) * (1 - u) * (1.15 - 0.3 * u)
    pitch = a0 + (a1 - a0) * smooth(u, 0.08, 0.92) - 10 * math.sin(math.pi * clamp(u / 0.35)) * (u < 0.35)
    return (place[0], place[1] + LIFT * bump, place[2] + 0.012 * SIDES[side] * bump), pitch


def foot(side, time):
    phase, number = phase_of(side, time)
    if phase < DUTY:
        return stand(side, number, phase)
    return swing(side, number, (phase - DUTY) / (1 - DUTY))


def arm_ways(pose, side, beat):
    """Directions of upper arm, forearm and elbow. `beat` is 1 when the foot on this side is in front, and the arm
    therefore behind."""
    s = SIDES[side]
    forward = math.radians(2 - 21 * beat)
    bend = math.radians(30 - 14 * beat)
    chest = pose.rotation["Chest"]

    def along(angle, out):
        return apply(chest, (math.sin(angle), -math.cos(angle), math.tan(math.radians(out)) * s))

    return along(forward, 17), along(forward + bend, 5), apply(chest, (-1.0, 0.0, 0.35 * s))


def swing_arm(pose, side, beat):
    upper, fore, elbow = arm_ways(pose, side, beat)
    rest, back = rest_arm(side), (-1.0, 0.0, 0.0)
    pose.set("UpperArm." + side, aim(rest, back, upper, elbow))
    pose.set("Forearm." + side, aim(rest, back, fore, elbow))
    pose.set("Hand." + side, pose.rotation["Forearm." + side])


def pose_at(time):
    """The pose and how far the legs fail to reach [m]."""
    phase, _ = phase_of("R", time)
    middle = math.cos(2 * math.pi * (phase - 0.5 * DUTY))   # 1 when the right leg stands upright
    bob = math.cos(4 * math.pi * (phase - 0.5 * DUTY))
    front = math.cos(2 * math.pi * (phase - 0.02))          # 1 when the right foot is in front
    hips = (SPEED * time, JOINTS["Hips"][1][1] - 0.032 + 0.016 * bob, 0.020 * middle)
    pose = Pose(hips, product(turn(Y, 6 * front), turn(X, -2.5 * middle), turn(Z, -5)))
    pose.bend("Spine", turn(Y, -6 * front), turn(X, 1.5 * middle), turn(Z, -3))
    pose.bend("Chest", turn(Y, -6 * front), turn(X, 1.0 * middle), turn(Z, -4))
    pose.set("Head", product(turn(Y, -1.5 * front), turn(Z, -6 + 1.5 * bob)))
    miss = 0.0
    for side, sign in SIDES.items():
        ankle, pitch = foot(side, time)
        knee = apply(product(pose.rotation["Hips"], turn(Y, -8 * sign)), X)
        miss = max(miss, set_leg(pose, side, ankle, product(yaw(side), turn(Z, pitch)), knee))
        swing_arm(pose, side, front * sign)
    return pose, miss


DURATION = CYCLES * CYCLE
