# SPDX-License-Identifier: MIT
"""The houses of city-street: three in a row along x, their fronts 5 m from the middle of the street. Walls, roofs and
panes are meshes of their own, so that each has its colour."""
import numpy

from model import bricks, files

FRONT, DEEP = 5.0, 4.6          # [m] of the fronts from the middle of the street, and how deep houses are
EAVES, THICK, SLOPE = 3.3, 0.24, 0.72
OVER = 0.45                     # [m] how far roofs stand over
RECESS = 0.22                   # [m] of windows and doors
FLOOR = 0.15                    # [m] of the pavement
# From where to where along x [m]; the middles of windows, of doors, and the chimney's, from the house's own start [m].
HOUSES = {(-11.6, -4.3): ((1.3, 4.6, 6.2), (2.9,), 5.6), (-3.5, 3.2): ((1.2, 2.8, 5.4), (4.1,), 1.4),
          (4.0, 11.6): ((1.4, 3.0, 6.3), (4.7,), 6.4)}
WINDOW, SILL, HEAD = 0.95, 1.15, 2.45
DOOR, LINTEL = 1.05, 2.35


def raised(vertices):
    """The roof's slab bent to a gable: what lies at the eaves rises towards the ridge."""
    vertices = vertices.copy()
    y, z = vertices[:, 1], vertices[:, 2]
    ridge = FRONT + DEEP / 2
    at_roof = (y > EAVES - 1e-3) & (y < EAVES + THICK + 1e-3)
    vertices[at_roof, 1] += SLOPE * (DEEP / 2 + OVER - numpy.abs(z[at_roof] - ridge))
    return vertices


def house(span, plan):
    """Walls, roof and panes of a house on the side of +z."""
    (start, end), (windows, doors, chimney) = span, plan
    back, ridge = FRONT + DEEP, FRONT + DEEP / 2
    lines = ((), (), (ridge, FRONT, back))
    walls = [(True, (start, 0, FRONT), (end, EAVES, back))]
    panes = []
    holes = [(m - WINDOW / 2, m + WINDOW / 2, SILL, HEAD) for m in windows]
    holes += [(m - DOOR / 2, m + DOOR / 2, FLOOR, LINTEL) for m in doors]
    for left, right, low, high in holes:
        walls.append((False, (start + left, low, FRONT), (start + right, high, FRONT + RECESS)))
        middle = start + (left + right) / 2
        for a, b in ((start + left + 0.05, middle - 0.03), (middle + 0.03, start + right - 0.05)):
            near, far = FRONT + RECESS - 0.03, FRONT + RECESS + 0.40
            panes.append(bricks.make([(True, (a, low + 0.06, near), (b, high - 0.06, far))]))
    for left, right, low, _ in holes[:len(windows)]:  # sills
        walls.append((True, (start + left - 0.08, low - 0.12, FRONT - 0.14), (start + right + 0.08, low, FRONT + 0.1)))
    for left, right, low, _ in holes[len(windows):]:  # steps
        walls.append((True, (start + left - 0.1, 0, FRONT - 0.45), (start + right + 0.1, low + 0.14, FRONT)))
    slab = [(True, (start - OVER / 2, EAVES, FRONT - OVER), (end + OVER / 2, EAVES + THICK, back + OVER)),
            (True, (start + chimney - 0.35, EAVES + THICK, ridge + 0.4), (start + chimney + 0.35, 6.3, ridge + 1.1))]
    wall, roof = bricks.make(walls, lines), bricks.make(slab, lines)
    return (raised(wall[0]), wall[1]), (raised(roof[0]), roof[1]), files.merge(*panes)


def make():
    """Walls, roof and panes of three houses on the side of +z; rotated by 180 degrees about y they are the other row.
    Each house is a mesh of its own: rays through the bounding box of a mesh that spans a street are slow."""
    shapes = {}
    for letter, (span, plan) in zip("abc", HOUSES.items()):
        for part, shape in zip(("walls", "roof", "panes"), house(span, plan)):
            shapes[f"{part}-{letter}"] = shape
    return shapes
