# SPDX-License-Identifier: MIT
"""Objects as they are at the present frame: triangles after all modifiers, world matrices."""
import numpy as np

from ..core import motion


class ObjectError(Exception):
    """An object cannot be used as it is marked."""

    def __init__(self, name, text):
        super().__init__(text)
        self.name = name


def triangles(obj, depsgraph):
    """Points [n][3] in the object's coordinates and triangles [m][3]."""
    evaluated = obj.evaluated_get(depsgraph)
    try:
        mesh = evaluated.to_mesh()
    except RuntimeError as error:
        raise ObjectError(obj.name, f"this object has no surface: {error}") from error
    if mesh is None:
        raise ObjectError(obj.name, "this object has no surface")
    mesh.calc_loop_triangles()
    points = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    corners = np.empty(3 * len(mesh.loop_triangles), dtype=np.int32)
    mesh.vertices.foreach_get("co", points)
    mesh.loop_triangles.foreach_get("vertices", corners)
    evaluated.to_mesh_clear()
    if len(corners) == 0:
        raise ObjectError(obj.name, "this object has no faces")
    return points.reshape(-1, 3), corners.reshape(-1, 3)


def matrix(obj, depsgraph):
    """World matrix [4][4]."""
    return np.array(obj.evaluated_get(depsgraph).matrix_world, dtype=np.float64)


def outward(corners, world):
    """Triangles whose outside stays outside when `world` mirrors them."""
    return corners[:, ::-1] if motion.is_mirrored(world) else corners


def may_deform(obj):
    """Whether its points can move within the object."""
    keys = getattr(obj.data, "shape_keys", None)
    return (obj.type != "MESH" or len(obj.modifiers) > 0 or keys is not None
            or obj.parent_type in {"ARMATURE", "LATTICE"})


def marked(scene, cache, role):
    """Objects of a role that belong to a cache, in a fixed order."""
    source = cache.collection.all_objects if cache.collection else scene.objects
    return sorted((o for o in source if o.firn.role == role), key=lambda o: o.name)
