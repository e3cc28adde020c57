# SPDX-License-Identifier: MIT
"""A snow angel: some steps through snow along +x, a turn to the left on the spot, a fall onto the back towards +z, and
arms and legs that sweep out and in. The walk is that of walk.py; the fall turns the whole body about its heels."""
import math

from figure import walk
from figure.rig import ANKLE, JOINTS, SIDES, Pose, rest_arm, set_leg
from figure.vectors import (X, Y, Z, add, aim, apply, cross, clamp, madd, mix, product, scale, smooth, sub, turn, unit)

START = 0.5 * walk.CYCLE   # [s] of the walk at which the clip begins
STRIKE = 2.0 * walk.CYCLE  # [s] of the walk: the right heel comes down for the last time
TURN = STRIKE - START      # [s] of the clip; from here on by keys
FALL = TURN + 1.10         # [s] when it lets itself fall
LAND = FALL + 1.05         # [s] when its back lies in the snow
SWEEPS, SWEEP = 2, 1.35    # out and in [s]
DURATION = LAND + 0.25 + SWEEPS * SWEEP + 0.2
FACING = 90.0              # [degrees] after the turn: it looks along -z
LEAN = 88.5                # [degrees] of the fall
HEELS = 0.13               # [m] how much higher the heels lie than they stood: they rest on snow
APART = 0.12               # [m] of the feet from the middle, standing


# --- standing --------------------------------------------------------------------------------------------------

def last_foot(side):
    """Where the walk's last step leaves a foot: ankle and pitch of the sole."""
    return walk.foot(side, STRIKE)


def stance():
    """Ankles after the turn; the middle between them."""
    right = last_foot("R")[0]
    middle = (right[0] - 0.02, ANKLE, right[2] - 0.03)
    across = apply(turn(Y, FACING), Z)  # to the figure's right
    return {side: madd(middle, APART * sign, across) for side, sign in SIDES.items()}, middle


STEPS = {"L": (0.10, 0.62), "R": (0.56, 0.98)}  # [s] after TURN: when a foot is in the air


def turned_foot(side, time):
    """A foot during the turn: ankle, yaw and pitch [degrees]."""
    (from_place, from_pitch), to_place = last_foot(side), stance()[0][side]
    start, end = STEPS[side]
    from_yaw, to_yaw = -walk.TOE_OUT * SIDES[side], FACING - 4 * SIDES[side]
    if side == "R" and time < start:  # rolls flat, as in the walk, and stands
        place, pitch = walk.foot("R", STRIKE + min(time, 0.2 * walk.CYCLE))
        return place, from_yaw, pitch
    if side == "L" and time < start:
        place, pitch = walk.foot("L", STRIKE + time)
        return place, from_yaw, pitch
    if side == "L":
        from_place, from_pitch = walk.foot("L", STRIKE + start)
    else:
        from_place, from_pitch = walk.foot("R", STRIKE + 0.2 * walk.CYCLE)
    u = clamp((time - start) / (end - start))
    s = smooth(u)
    place = add(mix(from_place, to_place, s), scale(Y, 0.17 * 16 * (u * (1 - u)) ** 2))
    return place, from_yaw + (to_yaw - from_yaw) * s, from_pitch * (1 - smooth(u, 0.0, 0.8)) + 9 * math.sin(math.pi * u)


def hips_in_turn(time):
    """The hips come to rest over the feet, with the speed of the walk at first."""
    (x0, y0, z0), (xm, _, zm) = walk.pose_at(STRIKE)[0].place["Hips"], stance()[1]
    u = clamp(time / 0.85)
    h = (2 * u ** 3 - 3 * u ** 2 + 1, u ** 3 - 2 * u ** 2 + u, 3 * u ** 2 - 2 * u ** 3)
    back = apply(turn(Y, FACING), (-0.035, 0.0, 0.0))
    x = h[0] * x0 + h[1] * 0.85 * walk.SPEED + h[2] * (xm + back[0])
    z = h[0] * z0 + h[2] * (zm + back[2])
    y = y0 + (JOINTS["Hips"][1][1] - 0.03 - y0) * smooth(u) - 0.02 * math.sin(math.pi * u) ** 2
    return x, y, z


def arm_directions(pose, side, out, back, bend):
    """An arm `out` degrees away from the body's side, `back` behind it, its elbow bent by `bend`."""
    s = SIDES[side]
    a, b, c = math.radians(out), math.radians(back), math.radians(bend)
    upper = (-math.sin(b), -math.cos(a) * math.cos(b), s * math.sin(a) * math.cos(b))
    across = unit(cross(upper, (0.0, math.sin(a), s * math.cos(a))))  # forward, more or less
    across = across if across[0] > 0 else scale(across, -1)
    fore = add(scale(upper, math.cos(c)), scale(across, math.sin(c)))
    chest = pose.rotation["Chest"]
    return apply(chest, upper), apply(chest, fore), apply(chest, (-1.0, 0.0, 0.0))


def set_arm_by(pose, side, out, back, bend, walked=None, share=0.0):
    """... or, by a share of it, as the walk has it (`walked`)."""
    ways = arm_directions(pose, side, out, back, bend)
    if share > 0:
        ways = [unit(mix(a, b, share)) for a, b in zip(ways, walked)]
    upper, fore, elbow = ways
    rest, behind = rest_arm(side), (-1.0, 0.0, 0.0)
    pose.set("UpperArm." + side, aim(rest, behind, upper, elbow))
    pose.set("Forearm." + side, aim(rest, behind, fore, elbow))
    pose.set("Hand." + side, pose.rotation["Forearm." + side])


def turning(time):
    """The pose `time` seconds after the last heel came down."""
    s = smooth(time, 0.05, 0.90)
    fade = 1 - smooth(time, 0.0, 0.5)
    front = math.cos(2 * math.pi * (time / walk.CYCLE - 0.02)) * fade
    middle = math.cos(2 * math.pi * (time / walk.CYCLE - 0.5 * walk.DUTY)) * fade
    bob = math.cos(4 * math.pi * (time / walk.CYCLE - 0.5 * walk.DUTY)) * fade
    yaw = FACING * s
    hips = hips_in_turn(time)
    pose = Pose(hips, product(turn(Y, yaw + 6 * front), turn(X, -2.5 * middle), turn(Z, -5 * fade)))
    pose.bend("Spine", turn(Y, -6 * front), turn(X, 1.5 * middle), turn(Z, -3 * fade))
    pose.bend("Chest", turn(Y, -6 * front), turn(X, 1.0 * middle), turn(Z, -4 * fade))
    pose.set("Head", product(turn(Y, yaw - 1.5 * front + 14 * math.sin(math.pi * s)), turn(Z, -6 * fade + 1.5 * bob)))
    miss = 0.0
    for side, sign in SIDES.items():
        place, foot_yaw, pitch = turned_foot(side, time)
        knee = apply(product(pose.rotation["Hips"], turn(Y, -8 * sign)), X)
        foot = product(turn(Y, foot_yaw), turn(Z, pitch))
        miss = max(miss, set_leg(pose, side, place, foot, knee))
        set_arm_by(pose, side, 25, 4, 22, walk.arm_ways(pose, side, front * sign), fade)
    return pose, miss


# --- falling and lying -----------------------------------------------------------------------------------------

def sweep_of(time):
    """0 when arms and legs are in, 1 when they are out."""
    u = (time - LAND - 0.25) / SWEEP
    return 0.5 - 0.5 * math.cos(2 * math.pi * clamp(u, 0.0, float(SWEEPS)))


def fallen(time):
    """From FALL on: upright pose and limbs by angles, then the whole turned back about the heels."""
    u = clamp((time - FALL) / (LAND - FALL))
    s = smooth(u ** 1.35)
    crouch = math.sin(math.pi * clamp(u / 0.9)) ** 2     # the knees give way, and straighten in the air
    out = sweep_of(time)
    reach_out = smooth(u, 0.15, 0.7)                     # arms go out to break the fall
    _, middle = stance()
    pose = Pose((0.0, JOINTS["Hips"][1][1] - 0.03 * (1 - s), 0.0), turn(Z, -4 * crouch))
    pose.bend("Spine", turn(Z, -7 * crouch))
    pose.bend("Chest", turn(Z, -7 * crouch))
    pose.bend("Head", turn(Z, -16 * crouch - 5 * s))
    miss = 0.0
    for side, sign in SIDES.items():
        spread = math.radians(2 + 22 * out) * s
        length = JOINTS["Thigh." + side][1][1] - ANKLE - 0.006 - 0.05 * crouch
        hip = pose.locate("Thigh." + side)
        down = (0.035 * (1 - s), -math.cos(spread), math.sin(spread) * sign)
        stand = (0.035, ANKLE, APART * sign)
        ankle = mix(stand, madd(hip, length, down), s)
        foot = product(turn(Y, -4 * sign - 22 * s * sign), turn(Z, -18 * s))
        miss = max(miss, set_leg(pose, side, ankle, foot, apply(turn(Y, -8 * sign), X)))
        arm = 25 + 33 * reach_out + (-25 + 92 * out) * smooth(time, LAND, LAND + 0.25)
        set_arm_by(pose, side, arm, 4 + 5 * reach_out, 22 - 12 * reach_out)
    # about the heels, which rise to the snow they come to lie in
    heel = (walk.HEEL + 0.035, 0.0, 0.0)
    tilt = turn(Z, LEAN * s)
    whole = product(turn(Y, FACING), tilt)
    rise = scale(Y, HEELS * smooth(u, 0.25, 1.0))
    ground = (middle[0], 0.0, middle[2])

    def place(p):
        return add(add(add(ground, rise), apply(turn(Y, FACING), heel)), apply(whole, sub(p, heel)))
    result = Pose(place(add(pose.place["Hips"], (-0.035 * (1 - s), 0.0, 0.0))))
    result.rotation = {name: product(whole, r) for name, r in pose.rotation.items()}
    return result, miss


def pose_at(time):
    """The pose and how far the legs fail to reach [m]."""
    if time < TURN:
        return walk.pose_at(START + time)
    return turning(time - TURN) if time < FALL else fallen(time)
