# SPDX-License-Identifier: MIT
"""Writes the folder of a cache: scene.yaml, meshes/ and owners.json."""
import os
import shutil

import bpy

from ..core import axes, description, messages, motion, scene_text
from ..core.cache_folder import CacheFolder
from . import record, shapes, shot
from .evaluate import ObjectError, marked


class Written:
    """What `write` leaves: the folder, owners of lines, and warnings [(object, text)]."""

    def __init__(self, folder, owners, warnings):
        self.folder, self.owners, self.warnings = folder, owners, warnings


def folder_of(cache):
    """The folder of a cache; below Blender's temporary one while the file has no name."""
    path = bpy.path.abspath(cache.folder)
    if cache.folder.startswith("//") and not bpy.data.filepath:
        path = os.path.join(bpy.app.tempdir, cache.folder[2:])
    return CacheFolder(os.path.normpath(path))


def unit_of(scene):
    """Length of a Blender unit [m]."""
    return scene.unit_settings.scale_length if scene.unit_settings.system != "NONE" else 1.0


def fps_of(scene):
    return scene.render.fps / scene.render.fps_base


def frame_range(scene, cache):
    if cache.use_scene_range:
        return scene.frame_start, scene.frame_end
    return cache.frame_start, cache.frame_end


def settings_of(scene, cache):
    first, last = frame_range(scene, cache)
    unit = unit_of(scene)
    gravity = axes.to_firn(scene.gravity) if scene.use_gravity else (0, 0, 0)
    extra = [name for name in cache.fields.replace(",", " ").split()
             if name not in description.Settings.fields]
    return description.Settings(
        title=f"{cache.name}, from {bpy.path.basename(bpy.data.filepath) or 'Blender'}",
        solver=cache.solver, spacing=cache.spacing * unit, frames=max(last - first, 1),
        fps=fps_of(scene), gravity=tuple(gravity), points=cache.points, volume=cache.volume,
        voxel=cache.voxel * unit, fields=description.Settings.fields + tuple(extra),
        checkpoint_every=cache.checkpoint_every, air=cache.air,
        wind=tuple(axes.to_firn(cache.wind)), gusts=cache.gusts, powder=cache.powder)


def velocity_of(vector):
    """Velocities of the panels are metres per second along Blender's axes."""
    return tuple(axes.to_firn(vector))


def snow_of(track, spacing):
    s = track.obj.firn
    return description.Snow(
        track.obj.name, shapes.shape(track, spacing), s.preset, s.density, velocity_of(s.velocity),
        velocity_of(s.spin), s.noise_amount, s.noise_scale * track.unit)


def carrier_of(obj, colliders):
    """The number of the collider that carries an object: the nearest of its parents, if that moves as
    a rigid body by its animation; else -1."""
    numbers = {track.obj: k for k, track in enumerate(colliders)}
    while obj.parent is not None:
        obj = obj.parent
        if obj in numbers:
            track = colliders[numbers[obj]]
            return numbers[obj] if track.kind == "animated" and not obj.firn.dynamic else -1
    return -1


def emitter_of(track, spacing, colliders, warnings):
    s = track.obj.firn
    follow = -1
    if not motion.is_still(track.matrices):
        follow = carrier_of(track.obj, colliders)
        if follow < 0:
            warnings.append((track.obj.name, "this emitter moves, but stays where it is at the first "
                             "frame: make it the child of a collider that moves and does not bend"))
    return description.Emitter(
        track.obj.name, shapes.shape(track, spacing), s.rate, s.preset, s.density,
        velocity_of(s.velocity), s.spread, s.size * track.unit, s.start,
        s.stop if s.use_stop else -1.0, s.seed, follow)


def collider_of(track, spacing, fps):
    s = track.obj.firn
    out = description.Collider(track.obj.name, friction=s.friction, sticky=s.sticky,
                               surface=shot.surface(track.obj))
    kind = track.kind
    try:
        if kind == "animated":
            out.keyframes = motion.keyframes(track.matrices, fps, track.unit)
            out.shape = shapes.shape(track, spacing, local=True)
        elif kind in ("deforming", "changing"):
            out.animation = shapes.animation(track, spacing, fps)
        else:
            out.shape = shapes.shape(track, spacing)
    except motion.NotRigid as error:
        if s.motion != "AUTO" or s.shape != "MESH":
            raise ObjectError(track.obj.name, f"{error}: set its shape to Mesh, and its motion to "
                              "Automatic") from error
        track.stretch()
        out.animation = shapes.animation(track, spacing, fps)
    if s.dynamic:
        out.mass, out.velocity = s.mass, velocity_of(s.velocity)
    return out


def tracks_of(scene, cache, folder, taken):
    unit = unit_of(scene)
    out = {}
    for role in ("SNOW", "COLLIDER", "EMITTER"):
        out[role] = [record.Track(obj, folder, shapes.file_stem(obj.name, taken), unit,
                                  obj.firn.thickness) for obj in marked(scene, cache, role)]
        for track in out[role]:
            if role == "SNOW":
                track.moves = False
            elif role == "EMITTER":  # as a whole, with a collider
                track.moves, track.deforms = True, False
    return out


def write(context, cache, progress=lambda share: None):
    """Write the folder of a cache. ObjectError names an object that cannot be used."""
    scene = context.scene
    folder, fps, unit = folder_of(cache), fps_of(scene), unit_of(scene)
    settings = settings_of(scene, cache)
    os.makedirs(folder.path, exist_ok=True)
    shutil.rmtree(folder.meshes, ignore_errors=True)
    os.makedirs(folder.meshes)
    tracks = tracks_of(scene, cache, folder.meshes, set())
    if not tracks["SNOW"] and not tracks["EMITTER"]:
        raise ObjectError("", "no object is marked as snow or emitter: select one, and choose Snow "
                          "in the panel")
    camera = shot.Shot(scene, fps, unit)
    first = frame_range(scene, cache)[0]
    everything = tracks["SNOW"] + tracks["COLLIDER"] + tracks["EMITTER"]
    record.play(scene, everything, [camera.look], first, first + settings.frames,
                context.evaluated_depsgraph_get, progress)
    snow = [snow_of(track, settings.spacing) for track in tracks["SNOW"]]
    colliders = [collider_of(track, settings.spacing, fps) for track in tracks["COLLIDER"]]
    emitters = [emitter_of(track, settings.spacing, tracks["COLLIDER"], camera.warnings)
                for track in tracks["EMITTER"]]
    document = description.scene(settings, snow, colliders, emitters, camera.render_block())
    text, lines = scene_text.write(document)
    with open(folder.scene, "w", encoding="utf-8") as file:
        file.write(text)
    files = {os.path.basename(track.base) + ending: track.obj.name
             for track in everything for ending in (".ply", ".pc2", ".%04d.ply")}
    owners = messages.Owners(folder.scene, lines, files, [item.name for item in colliders])
    owners.save(folder.owners)
    return Written(folder, owners, camera.warnings)
