# SPDX-License-Identifier: MIT
"""A finished run of a scene, for measuring: frames as numpy arrays, and what may be claimed of
them."""
import collections
import json
import os
import re
import subprocess
import tempfile

import numpy

TYPES = {"float": "<f4", "double": "<f8", "uint": "<u4", "int": "<i4", "uchar": "u1"}

# One statement about a scene: `value` compared with `limit` ("at least", "at most", "above",
# "below").
Claim = collections.namedtuple("Claim", "what value relation limit unit")


def holds(claim):
    value, limit = claim.value, claim.limit
    return {"at least": value >= limit, "at most": value <= limit,
            "above": value > limit, "below": value < limit}[claim.relation]


def read_ply(path):
    """The vertices of a binary PLY file that firn wrote, as a dict of arrays."""
    with open(path, "rb") as file:
        names, count = [], 0
        while True:
            words = file.readline().split()
            if words[:2] == [b"element", b"vertex"]:
                count = int(words[2])
            elif words[:1] == [b"property"]:
                names.append((words[2].decode(), TYPES[words[1].decode()]))
            elif words[:1] == [b"end_header"]:
                break
        rows = numpy.fromfile(file, dtype=numpy.dtype(names), count=count)
    columns = {name: rows[name].astype(numpy.float64) for name, _ in names}
    frame = {"x": numpy.stack([columns[c] for c in "xyz"], axis=1),
             "v": numpy.stack([columns[c] for c in ("vx", "vy", "vz")], axis=1),
             "mass": columns["mass"], "id": rows["id"].copy(), "density": columns["density"]}
    for name in ("radius", "temperature", "water"):   # of grains
        if name in columns:
            frame[name] = columns[name]
    for name in ("phase", "broken", "material"):
        if name in columns:
            frame[name] = rows[name].copy()
    return frame


class Run:
    """`firn run SCENE` in a folder of its own; done once, used again while the scene is the
    same."""

    def __init__(self, firn, runs, scene, variant=None, threads=None, pictures=True, backend=None):
        self.firn = firn
        self.name = scene if variant is None else f"{scene}-{variant}"
        self.folder = os.path.join(runs, self.name)
        command = [firn, "run", scene, "-o", self.folder, "--resume", "-q",
                   "--set", "output.film=false"]
        if variant is not None:
            command += ["--variant", variant]
        if not pictures:
            command += ["--set", "output.preview=false"]
        if threads is not None:
            command += ["--threads", str(threads)]
        if backend is not None:
            command += ["--backend", backend]
        os.makedirs(runs, exist_ok=True)
        result = subprocess.run(command, stdin=subprocess.DEVNULL)
        if result.returncode != 0:
            raise SystemExit(f"{' '.join(command)}: exit status {result.returncode}; a run of "
                             f"another scene or version in {self.folder} is not touched: "
                             "name another folder with --runs")
        with open(os.path.join(self.folder, "manifest.json"), encoding="utf-8") as file:
            self.manifest = json.load(file)
        self._frames = {}

    def frame(self, number):
        if number not in self._frames:
            with tempfile.TemporaryDirectory() as folder:
                subprocess.run([self.firn, "export", self.folder, "--to", "ply", "--frames",
                                str(number),
                                "-o", folder, "-q"], check=True, stdin=subprocess.DEVNULL)
                found = [os.path.join(at, file) for at, _, files in os.walk(folder)
                         for file in files if file.endswith(".ply")]
                if len(found) != 1:
                    raise SystemExit(f"{self.folder} has no frame {number}")
                self._frames[number] = read_ply(found[0])
        return self._frames[number]

    def colliders(self, number):
        """Where dynamic colliders are in a frame [m]: position of the shape's origin by number."""
        folder = os.path.join(self.folder, "frames")
        name = next(file for file in os.listdir(folder) if file.endswith(f".{number:04d}.hdf"))
        text = subprocess.run([self.firn, "info", os.path.join(folder, name)], check=True,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout
        found = re.findall(r"^collider (\d+) +at \((\S+), (\S+), (\S+)\) m", text, re.M)
        return {int(k): numpy.array([float(c) for c in x]) for k, *x in found}

    def time(self, number):
        """Of a frame [s]."""
        return number / self.manifest["fps"]

    def number(self, time):
        """The frame at a time [s]."""
        return round(time * self.manifest["fps"])

    def last(self):
        return max(int(name.split(".")[-2]) for name in os.listdir(os.path.join(self.folder,
                                                                                "frames"))
                   if name.endswith(".hdf"))

    def stats(self):
        """stats.csv as a dict of columns, one entry a step."""
        path = os.path.join(self.folder, "stats.csv")
        with open(path, encoding="utf-8") as file:
            names = file.readline().strip().lstrip("# ").split(",")
            rows = [line.split(",") for line in file if line.strip()]
        return {name: numpy.array([float(row[k]) for row in rows]) for k, name in enumerate(names)}


def height_map(frame, cell, low, high, mass_of_a_cell):
    """Height of the snow in columns of the xz plane: the top of the uppermost cube of `cell` that
    holds at
    least a quarter of `mass_of_a_cell`; NaN where there is none. Index [x, z]."""
    low, high = numpy.asarray(low, float), numpy.asarray(high, float)
    size = numpy.ceil((high - low) / cell).astype(int)
    index = numpy.floor((frame["x"] - low) / cell).astype(int)
    inside = numpy.all((index >= 0) & (index < size), axis=1)
    mass = numpy.zeros(size)
    numpy.add.at(mass, tuple(index[inside].T), frame["mass"][inside])
    full = mass >= mass_of_a_cell / 4
    top = size[1] - numpy.argmax(full[:, ::-1, :], axis=1)
    heights = low[1] + top * cell
    return numpy.where(full.any(axis=1), heights, numpy.nan)
