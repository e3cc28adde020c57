# SPDX-License-Identifier: MIT
"""Reads the PLY files that firn writes: particles and meshes, with all their values."""
import numpy as np

from . import axes

TYPES = {"char": "<i1", "uchar": "<u1", "short": "<i2", "ushort": "<u2", "int": "<i4",
         "uint": "<u4", "float": "<f4", "double": "<f8", "int8": "<i1", "uint8": "<u1",
         "int16": "<i2", "uint16": "<u2", "int32": "<i4", "uint32": "<u4", "float32": "<f4",
         "float64": "<f8"}
# Columns that form a vector.
VECTORS = {"position": ("x", "y", "z"), "normal": ("nx", "ny", "nz"),
           "velocity": ("vx", "vy", "vz")}


class PlyError(Exception):
    """The file is not one that firn writes. The text names it."""


class Points:
    """What a file holds. `position` [n][3]; `fields` by name: [n] or [n][3]; `triangles` [m][3],
    empty for particles. Lengths and axes are Blender's after `to_blender`."""

    def __init__(self, position, fields, triangles):
        self.position, self.fields, self.triangles = position, fields, triangles

    def to_blender(self, unit=1.0):
        """Z up, in Blender's units; velocities in units per second."""
        vectors = ("velocity", "normal")
        fields = {name: axes.to_blender(values, 1.0 if name == "normal" else unit)
                  if name in vectors else values for name, values in self.fields.items()}
        if "radius" in fields:
            fields["radius"] = fields["radius"] / np.float32(unit)
        return Points(axes.to_blender(self.position, unit), fields, self.triangles)


def read_header(file, path):
    """[(element, count, [(name, type or (count type, item type))])] and whether y is up."""
    if file.readline().strip() != b"ply":
        raise PlyError(f"{path}: not a PLY file")
    elements, y_up, known = [], True, False
    for _ in range(1000):
        line = file.readline()
        words = line.decode("utf-8", "replace").split()
        if not line or words == ["end_header"]:
            break
        if words[:1] == ["format"]:
            known = words[1:2] == ["binary_little_endian"]
        elif words[:1] == ["comment"] and words[-3:] == ["z", "is", "up"]:
            y_up = False
        elif words[:1] == ["element"] and len(words) == 3:
            elements.append((words[1], int(words[2]), []))
        elif words[:1] == ["property"] and elements:
            kind = words[1:-1]
            if not all(word in TYPES for word in kind if word != "list"):
                raise PlyError(f"{path}: unknown type '{' '.join(kind)}'")
            types = [TYPES[word] for word in kind if word != "list"]
            elements[-1][2].append((words[-1], tuple(types) if kind[0] == "list" else types[0]))
    if words != ["end_header"] or not known:
        raise PlyError(f"{path}: not a binary little-endian PLY file")
    return elements, y_up


def read_rows(file, path, count, properties):
    """Rows of an element as a structured array; lists must have three items each."""
    dtype = []
    for name, kind in properties:
        if isinstance(kind, tuple):
            dtype += [(name + ".count", kind[0]), (name, kind[1], 3)]
        else:
            dtype.append((name, kind))
    dtype = np.dtype(dtype)
    data = file.read(count * dtype.itemsize)
    if len(data) != count * dtype.itemsize:
        raise PlyError(f"{path}: the file is cut short")
    rows = np.frombuffer(data, dtype=dtype)
    for name, kind in properties:
        if isinstance(kind, tuple) and not (rows[name + ".count"] == 3).all():
            raise PlyError(f"{path}: a face that is not a triangle")
    return rows


def columns_of(rows, names):
    """Columns of a structured array, side by side [n][columns]."""
    layout = [rows.dtype.fields[name][:2] for name in names]
    start = layout[0][1]
    together = [(np.dtype("<f4"), start + 4 * k) for k in range(len(names))]
    if layout == together and start % 4 == 0 and rows.dtype.itemsize % 4 == 0:
        floats = rows.view("<f4").reshape(-1, rows.dtype.itemsize // 4)  # one copy for all columns
        return np.ascontiguousarray(floats[:, start // 4:start // 4 + len(names)])
    return np.stack([rows[name] for name in names], axis=1)


def read(path):
    """Points of a file of firn, in firn's axes and metres, whichever way up it was written."""
    with open(path, "rb") as file:
        elements, y_up = read_header(file, path)
        tables = {name: read_rows(file, path, count, properties)
                  for name, count, properties in elements}
    if "vertex" not in tables:
        raise PlyError(f"{path}: no vertices")
    rows = tables["vertex"]
    names = [name for name in rows.dtype.names]
    fields = {}
    for vector, columns in VECTORS.items():
        if all(column in names for column in columns):
            fields[vector] = columns_of(rows, columns)
            if not y_up:
                fields[vector] = axes.to_firn(fields[vector]).astype(np.float32)
            names = [name for name in names if name not in columns]
    if "position" not in fields:
        raise PlyError(f"{path}: no positions")
    position = fields.pop("position")
    fields.update({name: np.ascontiguousarray(rows[name]) for name in names})
    faces = tables.get("face")
    triangles = np.empty((0, 3), dtype=np.int32)
    if faces is not None and len(faces.dtype.names) > 0:
        triangles = np.ascontiguousarray(faces[faces.dtype.names[1]], dtype=np.int32)
    return Points(position, fields, triangles)


def radii(points, spacing):
    """Radius [n] of the sphere that has the volume of each particle's snow."""
    n = len(points.position)
    if "radius" in points.fields:
        return points.fields["radius"].astype(np.float32)
    if "mass" in points.fields and "density" in points.fields:
        density = np.maximum(points.fields["density"], 1.0)
        powder = points.fields.get("powder", np.zeros(n)) != 0
        if powder.any():  # its density says how thin it is drawn as a volume: grains are of snow
            density[powder] = np.median(density[~powder]) if (~powder).any() else 100.0
        return np.cbrt(points.fields["mass"] / density * (0.75 / np.pi)).astype(np.float32)
    return np.full(n, spacing * (0.75 / np.pi) ** (1 / 3), dtype=np.float32)
