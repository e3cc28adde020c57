#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Measures how snow has broken: fragments as connected components of the density grid, and snow
that is still whole.

    test/scenes/fragments.py RUN... [--frame N] [--firn PROGRAM]

RUN is a folder that `firn run` wrote. Prints one row per run about one frame (the last unless
--frame says another); `measure` below explains the columns.

A *fragment* is a set of cells that hold at least half of the starting density and touch by faces:
what the eye sees as one lump. Density is spread to the eight nearest cell centres (cloud in cell),
so that the count does not depend on the position of the grid. What is in no fragment, or in one of
fewer than `SMALLEST` particles, is *dust*.

Powder that lies in a heap is as dense as a chunk, so density alone does not tell them apart. Snow
is *whole* where most of the particles that were neighbours at the start still are at the distance
that they had, to a quarter of a cell; a *chunk* is a fragment of whole snow alone. Snow is *packed*
where it is 15 % denser than it was: it has yielded instead of breaking.
"""
import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile

import numpy

# of the starting density: loose snow in an open crack is thinner, packed snow never is
THRESHOLD = 0.5
SMALLEST = 20    # particles; what is smaller is seen as a crumb, not as a fragment
STRAIN = 0.25    # of a cell: a change of distance by which two particles are no longer neighbours
PACKED = 1.15    # times the starting density

# masses: of the fragments, largest first [kg]; label: fragment of each particle, -1 for dust
Fragments = collections.namedtuple("Fragments", "masses label")


def cell_keys(index):
    """One 63-bit key for each row of three cell indices; indices may be negative."""
    i = index.astype(numpy.int64) + (1 << 20)
    return (i[..., 0] << 42) | (i[..., 1] << 21) | i[..., 2]


def look_up(keys, wanted):
    """Index in the sorted `keys` of each `wanted` key, and whether it is there."""
    at = numpy.minimum(numpy.searchsorted(keys, wanted), len(keys) - 1)
    return at, keys[at] == wanted


def occupied(x, mass, cell, limit):
    """Keys, sorted, of the cells with a density of at least `limit` [kg/m3]."""
    place = x / cell - 0.5
    low = numpy.floor(place).astype(numpy.int64)
    weight = place - low
    keys, masses = [], []
    for corner in numpy.ndindex(2, 2, 2):
        share = numpy.prod(numpy.where(corner, weight, 1 - weight), axis=1)
        keys.append(cell_keys(low + corner))
        masses.append(mass * share)
    unique, place_of = numpy.unique(numpy.concatenate(keys), return_inverse=True)
    density = numpy.bincount(place_of, numpy.concatenate(masses)) / cell**3
    return unique[density >= limit]


def connect(keys):
    """Component of each cell, named by the smallest index in it. `keys` is sorted and not empty."""
    pairs = []
    for step in (1 << 42, 1 << 21, 1):  # the neighbour above along x, y, z
        at, found = look_up(keys, keys + step)
        pairs.append(numpy.stack([numpy.nonzero(found)[0], at[found]]))
    a, b = numpy.concatenate(pairs, axis=1)
    label = numpy.arange(len(keys))
    # both ends of a pair take the smaller label, then chains are shortened, until nothing moves
    while True:
        smaller = numpy.minimum(label[a], label[b])
        following = label.copy()
        numpy.minimum.at(following, label[a], smaller)
        numpy.minimum.at(following, label[b], smaller)
        following = following[following]
        if numpy.array_equal(following, label):
            return label
        label = following


def find(x, mass, cell, density, threshold=THRESHOLD, smallest=SMALLEST):
    """The fragments of particles at `x` [n][3] with `mass` [n]; `density` is that of the snow at
    the start."""
    keys = occupied(x, mass, cell, threshold * density)
    if len(keys) == 0:
        return Fragments(numpy.zeros(0), numpy.full(len(x), -1))
    component = connect(keys)
    at, found = look_up(keys, cell_keys(numpy.floor(x / cell)))
    part = numpy.where(found, component[at], -1)
    names, where, counts = numpy.unique(part, return_inverse=True, return_counts=True)
    masses = numpy.bincount(where, mass)
    good = (names >= 0) & (counts >= smallest)
    order = numpy.argsort(-masses[good], kind="stable")
    rank = numpy.full(len(names), -1)
    rank[numpy.nonzero(good)[0][order]] = numpy.arange(len(order))
    return Fragments(masses[good][order], rank[where])


def neighbours(x, reach):
    """All pairs of particles closer than `reach`: two arrays of indices, each pair once."""
    index = numpy.floor(x / reach).astype(numpy.int64)
    key = cell_keys(index)
    order = numpy.argsort(key, kind="stable")
    keys, start, count = numpy.unique(key[order], return_index=True, return_counts=True)
    one, other = [], []
    for offset in numpy.ndindex(3, 3, 3):
        if offset < (1, 1, 1):
            continue  # this half of the 27 cells is seen from the other side
        at, found = look_up(keys, cell_keys(index + offset - 1))
        a = numpy.nonzero(found)[0]
        n, first = count[at[a]], start[at[a]]
        within = numpy.arange(n.sum()) - numpy.repeat(numpy.cumsum(n) - n, n)
        a, b = numpy.repeat(a, n), order[numpy.repeat(first, n) + within]
        near = ((x[a] - x[b]) ** 2).sum(axis=1) < reach**2
        if offset == (1, 1, 1):
            near &= a < b
        one.append(a[near])
        other.append(b[near])
    return numpy.concatenate(one), numpy.concatenate(other)


def whole(x_start, x, cell):
    """Which particles have kept most of the neighbours that they had; both arrays in the same
    order."""
    a, b = neighbours(x_start, cell)
    change = (numpy.linalg.norm(x[a] - x[b], axis=1)
              - numpy.linalg.norm(x_start[a] - x_start[b], axis=1))
    lost = numpy.abs(change) > STRAIN * cell

    def per_particle(chosen):
        return (numpy.bincount(a[chosen], minlength=len(x))
                + numpy.bincount(b[chosen], minlength=len(x)))

    return 2 * per_particle(lost) < per_particle(numpy.ones(len(a), bool))


def measure(start, frame, cell):
    """The figures of a frame. `start` is frame 0; both are dicts of arrays: x, mass, id and
    density.

    fragments  number of fragments
    largest    mass of the largest fragment, as a share of all
    dust       share of the mass that is in no fragment
    packed     share of the mass that is packed
    whole      share of the mass that is whole
    chunks     number of chunks
    chunk      mean mass of the chunk that whole snow is in (large ones count more), as a share
               of all
    """
    start, frame = ({k: v[numpy.argsort(f["id"])] for k, v in f.items()} for f in (start, frame))
    density = float(numpy.median(start["density"]))
    total = frame["mass"].sum()
    kept = whole(start["x"], frame["x"], cell)
    fragments = find(frame["x"], frame["mass"], cell, density).masses / total
    chunks = find(frame["x"][kept], frame["mass"][kept], cell, density).masses / total
    return {"fragments": len(fragments),
            "largest": float(fragments.max(initial=0)),
            "dust": float(1 - fragments.sum()),
            "packed": float(frame["mass"][frame["density"] > PACKED * start["density"]].sum()
                            / total),
            "whole": float(frame["mass"][kept].sum() / total),
            "chunks": len(chunks),
            "chunk": float((chunks**2).sum() / chunks.sum()) if len(chunks) else 0.0}


def read_run(folder, number, firn):
    """Frame 0, a frame (the last when `number` is None), its number, and the cell, of a run's
    folder."""
    from measures.run import read_ply  # only the command line needs it
    with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as file:
        manifest = json.load(file)
    if number is None:
        number = max(entry["frame"] for entry in manifest["entries"] if entry["kind"] == "frame")
    with tempfile.TemporaryDirectory() as out:
        frames = []
        for f in (0, number):
            subprocess.run([firn, "export", folder, "--to", "ply", "--frames", str(f), "-q", "-o",
                            out],
                           check=True, stdin=subprocess.DEVNULL)
            frames.append(read_ply(os.path.join(out, "ply", f"{manifest['scene']}.{f:04d}.ply")))
    return frames[0], frames[1], number, manifest["cell"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("runs", nargs="+", metavar="RUN")
    parser.add_argument("--frame", type=int, help="which frame (the last)")
    parser.add_argument("--firn", default="firn", help="the program (firn)")
    arguments = parser.parse_args()
    print(f"{'run':<24} {'frame':>5} {'fragments':>9} {'largest':>8} {'dust':>8} "
          f"{'packed':>8} {'whole':>8} "
          f"{'chunks':>6} {'chunk':>8}")
    for folder in arguments.runs:
        start, frame, number, cell = read_run(folder, arguments.frame, arguments.firn)
        m = measure(start, frame, cell)
        print(f"{os.path.basename(os.path.normpath(folder)):<24} {number:>5} {m['fragments']:>9} "
              f"{100 * m['largest']:>6.1f} % {100 * m['dust']:>6.1f} % {100 * m['packed']:>6.1f} % "
              f"{100 * m['whole']:>6.1f} % "
              f"{m['chunks']:>6} {100 * m['chunk']:>6.1f} %")
    return 0


if __name__ == "__main__":
    sys.exit(main())
