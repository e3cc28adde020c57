# SPDX-License-Identifier: MIT
"""The ball's attached mass grows without loss to more than twice its start; then the snowman comes
down."""
import numpy

from measures.run import Claim

SCENE = "rolling-snowball"
CENTRE, RADIUS = (-3.254, 2.981, 0.0), 0.25   # [m] of the ball at the start, as in the scene
CELL = 0.03                                   # [m]
# [m] snow that has come so far from its place is no longer layer
CARRIED = 0.1
# of the ball's speed: velocities that differ by less move together
ALIKE = 0.3
# [m] of the snowman's head at the start, as in the scene
HEAD, HEAD_RADIUS = (0.5, 0.72, 0.0), 0.11
# [m] the ball touches the snowman when their axes are so near in x
ROOM = 0.5


def rigid_motion(x, v, mass):
    """Centre, velocity and spin of the rigid motion that is nearest to that of the particles."""
    total = mass.sum()
    centre, velocity = mass @ x / total, mass @ v / total
    r, u = x - centre, v - velocity
    inertia = numpy.einsum("p,pi,pj->ij", mass, r, r)
    inertia = numpy.trace(inertia) * numpy.eye(3) - inertia
    return centre, velocity, numpy.linalg.solve(inertia, mass @ numpy.cross(r, u))


def hanging_together(x, seed):
    """Which of the points x are in cells that join the cell of `seed` through faces of occupied
    cells."""
    cells = [tuple(row) for row in numpy.floor(x / CELL).astype(int).tolist()]
    free, todo, joined = set(cells), [tuple(numpy.floor(seed / CELL).astype(int).tolist())], set()
    while todo:
        i, j, k = todo.pop()
        if (i, j, k) in joined:
            continue
        joined.add((i, j, k))
        todo += [c for c in ((i + 1, j, k), (i - 1, j, k), (i, j + 1, k), (i, j - 1, k),
                             (i, j, k + 1),
                             (i, j, k - 1)) if c in free]
    return numpy.array([c in joined for c in cells])


def attached_mass(frame, start, ball):
    """Mass that hangs together with the ball and moves with it as one rigid body; snow of the layer
    counts
    once it has been carried off its place. Also the x of the ball's centre."""
    own = ball[frame["id"]]
    centre, velocity, spin = rigid_motion(frame["x"][own], frame["v"][own], frame["mass"][own])
    r = frame["x"] - centre
    slip = numpy.linalg.norm(frame["v"] - velocity - numpy.cross(spin, r), axis=1)
    moved = numpy.linalg.norm(frame["x"] - start[frame["id"]], axis=1)
    with_ball = (slip < ALIKE * numpy.linalg.norm(velocity)) & (own | (moved > CARRIED))
    together = hanging_together(frame["x"][with_ball], centre)
    return frame["mass"][with_ball][together].sum(), centre[0]


def claims(open_run):
    run = open_run()
    first = run.frame(0)
    start = numpy.empty_like(first["x"])
    start[first["id"]] = first["x"]
    ball = numpy.linalg.norm(start - CENTRE, axis=1) <= RADIUS * 1.0001
    head = numpy.linalg.norm(start - HEAD, axis=1) <= HEAD_RADIUS

    def height(frame):
        return frame["x"][head[frame["id"]], 1].mean()

    own = first["mass"][ball[first["id"]]].sum()
    grown = []
    for number in range(run.last() + 1):
        frame = run.frame(number)
        mass, x = attached_mass(frame, start, ball)
        if x > HEAD[0] - ROOM:
            break
        grown.append(mass / own)
    loss = max(a - b for a, b in zip(grown, grown[1:]))
    yield Claim("attached mass before the hit, of the ball's own", grown[-1], "above", 2, "")
    yield Claim("largest loss of attached mass in a frame before the hit, of the ball's own", loss,
                "at most", 0.005, "")
    yield Claim("height of the snowman's head before the hit", height(run.frame(len(grown) - 1)),
                "above",
                0.95 * HEAD[1], "m")
    yield Claim("height of the snowman's head at the end", height(run.frame(run.last())), "below",
                0.5 * HEAD[1], "m")
