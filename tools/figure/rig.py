# SPDX-License-Identifier: MIT
"""The skeleton: joints at rest, a pose from the rotations of bones, and legs and arms that reach a point.

x is forward, y up, z to the figure's right. At rest the figure stands upright, legs straight, arms straight and
40 degrees away from the body. All bones have the world's axes at rest, so a bone's rotation in the world is all
there is to know about it."""
import math

from figure.vectors import (IDENTITY, add, aim, apply, clamp, dot, length, madd, product, scale, sub, transpose,
                            unit)

ANKLE = 0.105                 # [m] above the sole
THIGH, SHIN = 0.430, 0.405    # [m] lengths
UPPER, FORE = 0.290, 0.260
ARM_ANGLE = math.radians(40)  # of the arms at rest from straight down

SIDES = {"L": -1.0, "R": 1.0}


def rest_arm(side):
    """Direction of the arm at rest."""
    return (0.0, -math.cos(ARM_ANGLE), SIDES[side] * math.sin(ARM_ANGLE))


def make_joints():
    hip = ANKLE + SHIN + THIGH
    joints = {  # name: (parent, place)
        "Hips": (None, (0.0, hip + 0.02, 0.0)),
        "Spine": ("Hips", (0.0, hip + 0.10, 0.0)),
        "Chest": ("Spine", (0.0, hip + 0.29, 0.0)),
        "Head": ("Chest", (0.0, hip + 0.53, 0.0)),
    }
    for side, z in SIDES.items():
        joints["Thigh." + side] = ("Hips", (0.0, hip, 0.10 * z))
        joints["Shin." + side] = ("Thigh." + side, (0.0, hip - THIGH, 0.10 * z))
        joints["Foot." + side] = ("Shin." + side, (0.0, ANKLE, 0.10 * z))
        shoulder = (0.0, hip + 0.46, 0.185 * z)
        elbow = madd(shoulder, UPPER, rest_arm(side))
        joints["UpperArm." + side] = ("Chest", shoulder)
        joints["Forearm." + side] = ("UpperArm." + side, elbow)
        joints["Hand." + side] = ("Forearm." + side, madd(elbow, FORE, rest_arm(side)))
    return joints


JOINTS = make_joints()
NAMES = list(JOINTS)


class Pose:
    """World rotations and positions of all joints. Bones are set parents first."""

    def __init__(self, hips, rotation=IDENTITY):
        self.rotation = {"Hips": rotation}
        self.place = {"Hips": hips}

    def locate(self, name):
        """The position of a joint whose parent is set."""
        parent, rest = JOINTS[name]
        return add(self.place[parent], apply(self.rotation[parent], sub(rest, JOINTS[parent][1])))

    def set(self, name, rotation):
        self.place[name] = self.locate(name)
        self.rotation[name] = rotation

    def bend(self, name, *turns):
        """Rotates a bone relative to its parent."""
        self.set(name, product(self.rotation[JOINTS[name][0]], *turns))

    def local_rotation(self, name):
        parent = JOINTS[name][0]
        if parent is None:
            return self.rotation[name]
        return product(transpose(self.rotation[parent]), self.rotation[name])


def reach(root, target, upper, lower, pole):
    """Directions of two bones from `root` to `target` that bend towards `pole`; how much too far it is."""
    span = sub(target, root)
    distance = length(span)
    far = clamp(distance, abs(upper - lower) + 1e-3, upper + lower - 1e-4)
    d = unit(span)
    cosine = clamp((upper * upper + far * far - lower * lower) / (2 * upper * far), -1, 1)
    across = unit(madd(pole, -dot(pole, d), d))
    first = add(scale(d, cosine), scale(across, math.sqrt(1 - cosine * cosine)))
    second = unit(sub(scale(d, far), scale(first, upper)))
    return first, second, distance - far


def set_leg(pose, side, ankle, foot_rotation, knee):
    """Thigh, shin and foot so that the ankle is at a point; `knee` is where the knee points. Returns the remaining distance [m]."""
    forward = (1.0, 0.0, 0.0)
    thigh, shin, miss = reach(pose.locate("Thigh." + side), ankle, THIGH, SHIN, knee)
    down = (0.0, -1.0, 0.0)
    pose.set("Thigh." + side, aim(down, forward, thigh, knee))
    pose.set("Shin." + side, aim(down, forward, shin, knee))
    pose.set("Foot." + side, foot_rotation)
    return miss


def set_arm(pose, side, wrist, elbow, hand_rotation=None):
    """Arm so that the wrist is at a point; `elbow` is where the elbow points. Returns the remaining distance [m]."""
    upper, fore, miss = reach(pose.locate("UpperArm." + side), wrist, UPPER, FORE, elbow)
    rest, back = rest_arm(side), (-1.0, 0.0, 0.0)
    pose.set("UpperArm." + side, aim(rest, back, upper, elbow))
    pose.set("Forearm." + side, aim(rest, back, fore, elbow))
    pose.set("Hand." + side, pose.rotation["Forearm." + side] if hand_rotation is None else hand_rotation)
    return miss
