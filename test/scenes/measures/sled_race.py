# SPDX-License-Identifier: MIT
"""The sleds finish in the order of their wax, do not sink in, and break snowmen."""
import numpy

from measures.run import Claim

SCENE = "sled-race"
DRAFT = True
LANES = {1: -1.7, 3: 0.0, 5: 1.7}    # [m] z of each sled's lane, by collider
BY_WAX = [3, 5, 1]                   # friction 0.02, 0.04, 0.06
FINISH = 1.5                         # [m] x, before the snowmen
SLOPE = numpy.radians(22)
START, PUSH = 11.0 + FINISH, 2.0     # [m] along the slope and the run-out; [m/s]


def finish_times(run):
    """When each sled crosses the line [s]; infinite: never."""
    times = {k: numpy.inf for k in LANES}
    before = run.colliders(0)
    for number in range(1, run.last() + 1):
        now = run.colliders(number)
        for k in LANES:
            if before[k][0] < FINISH <= now[k][0] and numpy.isinf(times[k]):
                part = (FINISH - before[k][0]) / (now[k][0] - before[k][0])
                times[k] = run.time(number - 1) + part * run.time(1)
        before = now
    return times


def surface(frame, z, x):
    """Height of the snow above the hill around z between two x [m], normal to it."""
    at = frame["x"]
    near = (numpy.abs(at[:, 2] - z) < 0.2) & (at[:, 0] > x[0]) & (at[:, 0] < x[1])
    above = at[near, 0] * numpy.sin(SLOPE) + at[near, 1] * numpy.cos(SLOPE)
    return float(numpy.percentile(above, 95))


def claims(open_run):
    run = open_run()
    times = finish_times(run)
    yield Claim("sleds that finish", float(numpy.sum(numpy.isfinite(list(times.values())))),
                "at least", 3, "")
    for first, second in zip(BY_WAX, BY_WAX[1:]):
        yield Claim(f"lead of sled {first} over sled {second}", times[second] - times[first],
                    "above", 0, "s")
    # without friction, all the way on the slope
    a = 9.81 * numpy.sin(SLOPE)
    fastest = (numpy.sqrt(PUSH * PUSH + 2 * a * START) - PUSH) / a
    yield Claim("time of the winner", times[BY_WAX[0]], "above", float(fastest), "s")
    yield Claim("time of the winner", times[BY_WAX[0]], "below", 1.25 * float(fastest), "s")
    last = run.frame(run.last())
    sides = [surface(last, z, (-7, -2)) for z in (-0.85, 0.85)]
    for k, z in LANES.items():
        yield Claim(f"depth of the track of sled {k}",
                    100 * (float(numpy.mean(sides)) - surface(last, z, (-7, -2))), "below", 5,
                    "cm")
    # A sled may drift and miss; two of three is what the draft shows.
    low = 0
    for z in LANES.values():
        man = (numpy.abs(last["x"][:, 2] - z) < 0.6) & (last["x"][:, 0] > 2.6) \
            & (last["x"][:, 0] < 4.2)
        low += float(numpy.percentile(last["x"][man, 1], 99)) < 1.5
    yield Claim("snowmen lower than 1.5 m of 1.85 m", low, "at least", 2, "")
