# SPDX-License-Identifier: MIT
"""Scenes for the tests inside Blender."""
import os

import bpy
import numpy as np


def empty_file():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.preferences.addon_enable(module="firn_blender")
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 4
    return bpy.context.scene


def named(name, **settings):
    """The object that was just added, with settings of the add-on."""
    obj = bpy.context.object
    obj.name = name
    for key, value in settings.items():
        setattr(obj.firn, key, value)
    return obj


def add_cache(scene, name, **settings):
    bpy.ops.firn.cache_add(name=name)
    cache = scene.firn.caches[scene.firn.active]
    cache.folder = os.path.join(os.getcwd(), name)
    cache.threads = 1
    for key, value in settings.items():
        setattr(cache, key, value)
    return cache


def snowball(location=(0, 0, 0.25), radius=0.1, **settings):
    bpy.ops.mesh.primitive_ico_sphere_add(radius=radius, subdivisions=3, location=location)
    return named("Ball", role="SNOW", **settings)


def ground():
    bpy.ops.mesh.primitive_plane_add(size=4)
    return named("Ground", role="COLLIDER", shape="PLANE")


def world_points(obj):
    """Where Blender has the points of an object now, in metres."""
    depsgraph = bpy.context.evaluated_depsgraph_get()
    evaluated = obj.evaluated_get(depsgraph)
    mesh = evaluated.to_mesh()
    points = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", points)
    matrix = np.array(evaluated.matrix_world)
    evaluated.to_mesh_clear()
    unit = bpy.context.scene.unit_settings.scale_length
    return (points.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]) * unit
