# SPDX-License-Identifier: MIT
"""The motion of an object whose shape does not change, as poses that firn has: a position, a
rotation and a scale relative to its first frame."""
import numpy as np

from . import axes

# Largest deviation of a matrix from a similarity, and of two poses that count as equal; Blender's
# matrices are floats with a relative rounding of 6e-8 in each of a few products.
TOLERANCE = 1e-5


class NotRigid(Exception):
    """The matrices stretch or shear the object over time."""


def similarity(first, now):
    """Rotation [3, 3] and scale that lead from the linear part `first` to `now`."""
    change = now @ np.linalg.inv(first)
    determinant = np.linalg.det(change)
    if determinant <= 0:
        raise NotRigid("the object is mirrored or flattened during the animation")
    scale = determinant ** (1 / 3)
    rotation = change / scale
    if np.abs(rotation @ rotation.T - np.eye(3)).max() > TOLERANCE:
        raise NotRigid("the object is stretched or sheared during the animation")
    return rotation, scale


def is_still(matrices):
    """All matrices [frames][4][4] are equal."""
    all_of = np.asarray(matrices, dtype=np.float64)
    size = max(1.0, float(np.abs(all_of[0]).max()))
    return bool(np.abs(all_of - all_of[0]).max() <= 1e-6 * size)


def keyframes(matrices, fps, unit=1.0):
    """Key frames of world matrices [frames][4][4] of Blender, one per frame.

    The shape that they move has the linear part of the first matrix applied (`local_points`).
    Frames within a pause are left out, except its first and last two: they keep the curve flat."""
    first = np.asarray(matrices[0], dtype=np.float64)[:3, :3]
    if abs(np.linalg.det(first)) < 1e-30:
        raise NotRigid("the object has a scale of zero at the first frame")
    keys = []
    for k, matrix in enumerate(np.asarray(matrices, dtype=np.float64)):
        rotation, scale = similarity(first, matrix[:3, :3])
        keys.append({"time": k / fps, "position": axes.to_firn(matrix[:3, 3], unit).tolist(),
                     "rotation": axes.quaternion(axes.rotation_to_firn(rotation)).tolist(),
                     "scale": scale})
    return without_pauses(keys)


def same_pose(a, b):
    return (np.abs(np.subtract(a["position"], b["position"])).max() <= 1e-7
            and abs(np.dot(a["rotation"], b["rotation"])) >= 1 - 1e-13
            and abs(a["scale"] - b["scale"]) <= 1e-7 * a["scale"])


def without_pauses(keys):
    kept = []
    for k, key in enumerate(keys):
        around = keys[max(k - 2, 0):k + 3]
        paused = len(around) == 5 and all(same_pose(key, other) for other in around)
        if not paused:
            kept.append(key)
    return kept


def local_points(points, matrix, unit=1.0):
    """Points [n][3] of the object in firn's axes, about its origin, with the linear part of its
    world matrix applied."""
    linear = np.asarray(matrix, dtype=np.float64)[:3, :3]
    return axes.to_firn(np.asarray(points, dtype=np.float64) @ linear.T, unit)


def world_points(points, matrix, unit=1.0):
    """Points [n][3] of the object in firn's axes, where its world matrix puts them."""
    m = np.asarray(matrix, dtype=np.float64)
    return axes.to_firn(np.asarray(points, dtype=np.float64) @ m[:3, :3].T + m[:3, 3], unit)


def is_mirrored(matrix):
    return bool(np.linalg.det(np.asarray(matrix, dtype=np.float64)[:3, :3]) < 0)
