# SPDX-License-Identifier: MIT
"""Shows the frames of caches: points and surfaces are read when the frame changes; volumes are a
sequence of files that Blender reads itself."""
import contextlib
import os

import bpy
import numpy as np
from bpy.app.handlers import persistent

from ..core import ply
from ..scene.write import folder_of, unit_of
from . import geometry, looks

shown = {}     # name of an object: (path, its time of change) that its mesh holds
pauses = []    # not empty: frames are set to look at the animation, nothing is read


@contextlib.contextmanager
def paused():
    pauses.append(True)
    try:
        yield
    finally:
        pauses.pop()


def playback_object(cache, kind, data):
    """The object of a cache that shows a kind of files; it is created where it is missing."""
    slot = kind + "_object"
    obj = getattr(cache, slot)
    if obj is not None and obj.name in bpy.data.objects:
        return obj
    obj = bpy.data.objects.new(f"{cache.name} {kind}", data())
    setattr(cache, slot, obj)
    return obj


def link(scene, obj):
    if obj.name not in scene.collection.all_objects:
        scene.collection.objects.link(obj)


def add_points(scene, cache):
    obj = playback_object(cache, "points", lambda: bpy.data.meshes.new(f"{cache.name} points"))
    link(scene, obj)
    if not any(m.type == "NODES" for m in obj.modifiers):
        modifier = obj.modifiers.new("Points", "NODES")
        modifier.node_group = looks.points_tree()
    return obj


def add_mesh(scene, cache):
    obj = playback_object(cache, "mesh", lambda: bpy.data.meshes.new(f"{cache.name} mesh"))
    link(scene, obj)
    if not obj.data.materials:
        obj.data.materials.append(looks.surface_material())
    return obj


def add_volume(scene, cache):
    """A sequence with velocities per second. Its files are Y up: the object is turned."""
    files = folder_of(cache).files("volume")
    if not files:
        return None
    obj = playback_object(cache, "volume", lambda: bpy.data.volumes.new(f"{cache.name} volume"))
    link(scene, obj)
    volume, first, last = obj.data, min(files), max(files)
    volume.is_sequence = False
    volume.filepath = files[last]
    if volume.grids.load() and any(grid.name == "v" for grid in volume.grids):
        volume.velocity_grid = "v"  # compared with the names that are loaded; frame 0 may be empty
    volume.filepath = files[first]
    volume.is_sequence = len(files) > 1
    volume.frame_duration = last - first + 1
    volume.frame_start = cache.play_start + first
    # Blender shows file number (frame - frame_start + 1 + frame_offset).
    volume.frame_offset = first - 1
    volume.sequence_mode = "EXTEND"
    volume.velocity_unit = "SECOND"
    volume.velocity_scale = 1
    obj.rotation_mode = "XYZ"
    obj.rotation_euler = (np.pi / 2, 0, 0)
    obj.scale = (1 / unit_of(scene),) * 3
    if not volume.materials:
        volume.materials.append(looks.volume_material(unit_of(scene)))
    if hasattr(scene, "cycles"):
        scene.cycles.volume_bounces = max(scene.cycles.volume_bounces, 16)
    return obj


ADD = {"points": add_points, "mesh": add_mesh, "volume": add_volume}


def show_file(scene, cache, kind):
    obj = getattr(cache, kind + "_object")
    if obj is None or obj.type != "MESH":
        return
    path = folder_of(cache).file(kind, max(scene.frame_current - cache.play_start, 0))
    stamp = (path, os.stat(path).st_mtime_ns) if path else None
    if shown.get(obj.name) == stamp and len(obj.data.vertices):
        return
    if path is None:
        obj.data.clear_geometry()
    else:
        points = ply.read(path).to_blender(unit_of(scene))
        if kind == "points":
            points.fields["radius"] = ply.radii(points, cache.spacing)
        geometry.fill(obj.data, points)
    shown[obj.name] = stamp


def refresh(scene):
    """Show the files of the present frame."""
    for cache in scene.firn.caches:
        for kind in ("points", "mesh"):
            try:
                show_file(scene, cache, kind)
            except (OSError, ply.PlyError) as error:
                cache.status = str(error)


@persistent
def on_frame(scene, depsgraph=None):
    # Cycles looks at fractions of a frame for motion blur: points move by their velocities.
    if not pauses and scene.frame_subframe == 0:
        refresh(scene)


@persistent
def on_load(*_):
    shown.clear()
    for scene in bpy.data.scenes:
        refresh(scene)


# Meshes may hold anything after these.
RELOAD = (bpy.app.handlers.load_post, bpy.app.handlers.undo_post, bpy.app.handlers.redo_post)


def register():
    bpy.app.handlers.frame_change_pre.append(on_frame)
    for handlers in RELOAD:
        handlers.append(on_load)


def unregister():
    bpy.app.handlers.frame_change_pre.remove(on_frame)
    for handlers in RELOAD:
        handlers.remove(on_load)
