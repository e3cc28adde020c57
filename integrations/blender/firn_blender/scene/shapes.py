# SPDX-License-Identifier: MIT
"""Shapes of firn made of objects: meshes, or the box, ball or plane that an object stands for."""
import os
import re

import numpy as np

from ..core import axes, description, mesh_files, motion
from .evaluate import ObjectError, outward


def file_stem(name, taken):
    """A file name for an object, different from those in `taken`."""
    stem = re.sub(r"[^A-Za-z0-9_-]+", "_", name)[:60] or "object"
    found, number = stem, 1
    while found.lower() in taken:
        number += 1
        found = f"{stem}_{number}"
    taken.add(found.lower())
    return found


def bounds(track):
    points = track.points
    low, high = points.min(axis=0).astype(float), points.max(axis=0).astype(float)
    return (low + high) / 2, high - low


def box(track, local):
    matrix = track.matrices[0]
    center, size = bounds(track)
    linear = matrix[:3, :3]
    lengths = np.linalg.norm(linear, axis=0)
    if lengths.min() <= 0 or size.min() <= 0:
        raise ObjectError(track.obj.name, "a box needs an extent along all three axes")
    turned = linear / lengths
    if np.abs(turned.T @ turned - np.eye(3)).max() > motion.TOLERANCE:
        raise ObjectError(track.obj.name, "this box is sheared: use the shape Mesh")
    if np.linalg.det(turned) < 0:
        turned = turned * [-1, 1, 1]
    place = motion.local_points if local else motion.world_points
    rotation = axes.rotation_to_firn(turned)
    # firn's box has its own axes: Blender's x, z, y are firn's x, y, z.
    extent = np.abs(axes.to_firn(size * lengths, track.unit))
    return {"box": {"center": place([center], matrix, track.unit)[0].tolist(),
                    "size": extent.tolist(), "rotation": axes.quaternion(rotation).tolist()}}


def ball(track, local):
    matrix = track.matrices[0]
    center, size = bounds(track)
    extent = size * np.linalg.norm(matrix[:3, :3], axis=0) * track.unit
    if extent.min() <= 0 or extent.max() > 1.01 * extent.min():
        raise ObjectError(track.obj.name, "a sphere needs equal extents along all three axes: use "
                          "the shape Mesh")
    place = motion.local_points if local else motion.world_points
    return {"sphere": {"center": place([center], matrix, track.unit)[0].tolist(),
                       "radius": float(extent.mean() / 2)}}


def plane(track, local):
    matrix = track.matrices[0]
    if abs(np.linalg.det(matrix[:3, :3])) < 1e-30:
        raise ObjectError(track.obj.name, "this object has a scale of zero")
    normal = np.linalg.inv(matrix[:3, :3]).T @ [0, 0, 1]
    place = motion.local_points if local else motion.world_points
    return {"plane": {"point": place([[0, 0, 0]], matrix, track.unit)[0].tolist(),
                      "normal": axes.to_firn(normal / np.linalg.norm(normal)).tolist()}}


def voxel(track, points, spacing):
    if track.obj.firn.voxel > 0:
        return float(track.obj.firn.voxel * track.unit)
    return float(description.mesh_voxel(spacing, float(np.ptp(points, axis=0).max())))


def mesh(track, local, spacing):
    matrix = track.matrices[0]
    corners = outward(track.corners, matrix)
    place = motion.local_points if local else motion.world_points
    points = place(track.points, matrix, track.unit)
    if track.thickness > 0:
        points, corners = mesh_files.thicken(points, corners, track.thickness * track.unit)
    elif np.ptp(points, axis=0).min() <= 1e-6 * np.ptp(points, axis=0).max():
        raise ObjectError(track.obj.name, "this surface is flat: give it a Thickness, or choose "
                          "the shape Ground")
    path = track.base + ".ply"
    mesh_files.write_ply(path, points, corners)
    return {"mesh": {"file": relative(path), "voxel": voxel(track, points, spacing),
                     "if_broken": broken(track)}}


def broken(track):
    return "repair" if track.obj.firn.repair else "refuse"


def relative(path):
    """A path of the scene file: files of objects are in the folder beside it."""
    return "meshes/" + os.path.basename(path)


def shape(track, spacing, local=False):
    """The shape of an object at the first frame, where it is in the world, or (local) about its
    origin, to be moved by key frames."""
    kind = track.obj.firn.shape
    if kind == "BOX":
        return box(track, local)
    if kind == "SPHERE":
        return ball(track, local)
    if kind == "PLANE":
        return plane(track, local)
    return mesh(track, local, spacing)


def animation(track, spacing, fps):
    """A collider that deforms: a point cache, or numbered meshes where triangles change."""
    points, _ = track.world(track.points, track.corners, track.matrices[0])
    out = {"voxel": voxel(track, points, spacing), "fps": float(fps), "if_broken": broken(track)}
    if track.resized:
        return {"file": relative(track.base + ".%04d.ply"), "first": 0, **out}
    return {"file": relative(track.base + ".pc2"), "mesh": relative(track.base + ".ply"), **out}
