# SPDX-License-Identifier: MIT
"""The air around the car: the inviscid flow of a wind from ahead. Its velocity is the slope of a
potential that solves Laplace's equation between the car, the road and the far ends of a box. Cells inside the car let
nothing through. Solved by over-relaxation of red and black cells in turn: the same bits everywhere."""
import numpy

SPEED = 2.0                                # [m/s] along -x
VOXEL = 0.15                               # [m]
LOW = numpy.array((-5.4, 0.0, -3.6))       # [m] corner of the box
CELLS = (80, 32, 48)                       # 12 m, 4.8 m and 7.2 m
SWEEPS, OVER = 600, 1.9


def solid_cells(solid):
    """Cells more than half of whose volume is in the car, by 27 points each."""
    share = numpy.zeros(CELLS)
    for i in range(3):
        for j in range(3):
            for k in range(3):
                points = [LOW[a] + VOXEL * (numpy.arange(CELLS[a]) + (n + 0.5) / 3) for a, n in enumerate((i, j, k))]
                share += solid(*numpy.meshgrid(*points, indexing="ij")) < 0
    return share > 13


def openings(free):
    """For each axis, the faces between cells that air goes through (1) or not (0); faces of the box's ends too."""
    faces = []
    for axis in range(3):
        f = numpy.moveaxis(free, axis, 0)
        inside = (f[:-1] & f[1:]).astype(float)
        ends = numpy.zeros((1, *f.shape[1:]))
        faces.append(numpy.moveaxis(numpy.concatenate((ends, inside, ends)), 0, axis))
    return faces


def make(solid):
    """Velocities at the middles of cells [cells][3], where the first of them is, and the largest gain or loss that the
    sweeps left in a cell [m/s]."""
    free = ~solid_cells(solid)
    faces = openings(free)
    # The wind itself goes through every face along x but those of the car; the potential corrects the remaining divergence.
    flow = [numpy.zeros(face.shape) for face in faces]
    flow[0][...] = -SPEED
    flow[0][1:-1] *= faces[0][1:-1]
    lost = sum(numpy.diff(flow[axis], axis=axis) for axis in range(3)) * free
    links = sum(numpy.take(faces[a], range(n), a) + numpy.take(faces[a], range(1, n + 1), a)
                for a, n in enumerate(CELLS))
    links = numpy.maximum(links, 1)
    potential = numpy.zeros(CELLS)
    colour = sum(numpy.meshgrid(*(numpy.arange(n) for n in CELLS), indexing="ij")) % 2
    for sweep in range(2 * SWEEPS):
        around = lost
        for a, n in enumerate(CELLS):
            padded = numpy.pad(potential, [(1, 1) if i == a else (0, 0) for i in range(3)])
            around = around + numpy.take(faces[a], range(n), a) * numpy.take(padded, range(n), a)
            around = around + numpy.take(faces[a], range(1, n + 1), a) * numpy.take(padded, range(2, n + 2), a)
        update = potential + OVER * (around / links - potential)
        potential = numpy.where((colour == sweep % 2) & free, update, potential)
    for a, n in enumerate(CELLS):
        flow[a][tuple(slice(1, n) if i == a else slice(None) for i in range(3))] += \
            numpy.take(faces[a], range(1, n), a) * numpy.diff(potential, axis=a)
    left = sum(numpy.diff(flow[axis], axis=axis) for axis in range(3)) * free
    velocity = numpy.stack([0.5 * (numpy.take(flow[a], range(n), a) + numpy.take(flow[a], range(1, n + 1), a))
                            for a, n in enumerate(CELLS)], axis=-1)
    return velocity, LOW + 0.5 * VOXEL, float(numpy.abs(left).max())
