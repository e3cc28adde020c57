# SPDX-License-Identifier: MIT
"""Digging: both hands on an ice axe, swung over the head into the snow in front, dragged back, twice. The axe leads and
stays in the plane z = 0; hands, arms and back follow it."""
from figure.rig import ANKLE, JOINTS, SIDES, Pose, rest_arm, set_arm, set_leg
from figure.vectors import X, Y, Z, add, aim, apply, madd, product, scale, sub, turn, unit

STROKE = 2.0     # [s]
STROKES = 2
DURATION = STROKE * STROKES
GRIP = {"L": 0.06, "R": 0.29}  # [m] of the hands from the butt of the shaft
PALM = 0.105                   # [m] from the wrist to the shaft in the hand
FEET = {"L": (0.13, -0.17, 10.0), "R": (-0.13, 0.17, -28.0)}  # x, z [m], yaw [degrees] (left is positive)

# When [s]; the butt hand's x and y [m]; the angle of the shaft, from the butt to the head, above the forward direction
# [degrees]; how far the back is bent forward [degrees]; how far the knees let the hips sink [m].
KEYS = [
    (0.00, 0.28, 0.98, 48, 14, 0.05),
    (0.30, 0.29, 1.25, 88, 4, 0.03),
    (0.64, 0.24, 1.65, 136, -8, 0.02),   # over the head
    (0.82, 0.36, 1.59, 112, 2, 0.03),
    (1.00, 0.43, 1.17, 36, 28, 0.08),
    (1.12, 0.32, 0.88, -18, 46, 0.12),   # into the snow
    (1.24, 0.25, 0.78, -37, 56, 0.14),   # deepest
    (1.42, 0.17, 0.77, -41, 54, 0.13),
    (1.60, 0.09, 0.79, -42, 46, 0.11),   # dragged back
    (1.78, 0.16, 0.90, -6, 30, 0.08),
    (2.00, 0.28, 0.98, 48, 14, 0.05),
]


def track(time):
    """The keys' values at a time: cubic, with the speed at a key taken from its neighbours (Catmull-Rom)."""
    time %= STROKE
    keys = [tuple([k[0] - STROKE]) + k[1:] for k in KEYS[-2:-1]] + KEYS + [(KEYS[1][0] + STROKE,) + KEYS[1][1:]]
    i = max(k for k in range(1, len(keys) - 2) if keys[k][0] <= time)
    (t0, *a), (t1, *b), (t2, *c), (t3, *d) = keys[i - 1:i + 3]
    span = t2 - t1
    u = (time - t1) / span
    h = (2 * u ** 3 - 3 * u ** 2 + 1, u ** 3 - 2 * u ** 2 + u, 3 * u ** 2 - 2 * u ** 3, u ** 3 - u ** 2)
    values = []
    for p, q, r, s in zip(a, b, c, d):
        v1 = ((q - p) / (t1 - t0) * (t2 - t1) + (r - q) / (t2 - t1) * (t1 - t0)) / (t2 - t0)
        v2 = ((r - q) / (t2 - t1) * (t3 - t2) + (s - r) / (t3 - t2) * (t2 - t1)) / (t3 - t1)
        values.append(h[0] * q + h[1] * span * v1 + h[2] * r + h[3] * span * v2)
    return values


def axe_rotation(angle):
    """Axes of the axe: x is the side of the adze, y goes along the shaft to the head."""
    return turn(Z, angle - 90)


def grip_rotation(side):
    """From the axe's axes to those of the hand that holds it: the hand points to the adze's side, its thumb to the
    head."""
    return aim(rest_arm(side), X, X, Y)


def axe_in_hand():
    """Position and rotation of the axe in the right hand's bone."""
    inverse = tuple(zip(*grip_rotation("R")))
    return madd(scale(rest_arm("R"), PALM), -GRIP["R"], apply(inverse, Y)), inverse


def pose_at(time):
    """The pose and how far arms and legs fail to reach [m]."""
    x, y, angle, bend, sink = track(time)
    hips = (-0.02 - 0.0013 * bend, JOINTS["Hips"][1][1] - 0.035 - sink, 0.0)
    pose = Pose(hips, product(turn(Y, -8), turn(Z, -0.30 * bend)))
    pose.bend("Spine", turn(Y, 4), turn(Z, -0.38 * bend))
    pose.bend("Chest", turn(Y, 4), turn(Z, -0.32 * bend))
    pose.set("Head", turn(Z, -12 - 0.55 * bend))
    miss = 0.0
    for side, (fx, fz, fyaw) in FEET.items():
        rotation = turn(Y, fyaw)
        miss = max(miss, set_leg(pose, side, (fx, ANKLE, fz), rotation, apply(rotation, X)))
    axe = axe_rotation(angle)
    for side, sign in SIDES.items():
        hand = product(axe, grip_rotation(side))
        grip = madd((x, y, 0.0), GRIP[side] - GRIP["L"], apply(axe, Y))
        wrist = madd(grip, -PALM, apply(hand, rest_arm(side)))
        across = sub(wrist, pose.locate("UpperArm." + side))  # elbows: back when the arm hangs, forward when it is up
        elbow = unit((across[1], -across[0], 0.0))
        elbow = add(elbow, apply(pose.rotation["Chest"], (0.0, 0.0, 0.75 * sign)))
        miss = max(miss, set_arm(pose, side, wrist, elbow, hand))
    return pose, miss
