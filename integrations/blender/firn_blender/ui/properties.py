# SPDX-License-Identifier: MIT
"""Settings of objects and of caches, saved with the .blend file."""
import uuid

import bpy
from bpy.props import (BoolProperty, CollectionProperty, EnumProperty, FloatProperty,
                       FloatVectorProperty, IntProperty, PointerProperty, StringProperty)

from . import choices

ROLES = [("NONE", "None", "Not part of a simulation"),
         ("SNOW", "Snow", "Filled with snow at the first frame"),
         ("COLLIDER", "Collider", "A solid that snow collides with"),
         ("EMITTER", "Emitter", "Snow appears in its volume")]
SHAPES = [("MESH", "Mesh", "The closed surface of the object, after its modifiers"),
          ("BOX", "Box", "The box of its bounds, with the object's rotation: exact and fast"),
          ("SPHERE", "Sphere", "The sphere of its bounds: exact and fast"),
          ("PLANE", "Ground", "Everything below the object's XY plane, without end")]
MOTIONS = [("AUTO", "Automatic", "By its animation"),
           ("STATIC", "Static", "At rest where it is at the first frame"),
           ("ANIMATED", "Animated", "Moves without changing its shape"),
           ("DEFORMING", "Deforming", "Its surface is sampled at every frame")]
SOLVERS = [("mpm", "mpm", "Material point method: packed, breaking, sticking snow"),
           ("sph", "sph", "Smoothed particles: snowfall, thin layers, wind"),
           ("grains", "grains", "Grains with bonds: fast, for previews")]


class FirnMessage(bpy.types.PropertyGroup):
    severity: StringProperty()
    text: StringProperty()


class FirnObject(bpy.types.PropertyGroup):
    """What an object is in a simulation."""
    role: EnumProperty(name="Role", items=ROLES)
    shape: EnumProperty(name="Shape", items=SHAPES)
    voxel: FloatProperty(name="Detail", min=0, precision=4, unit="LENGTH",
                         description="Size of the details of the mesh that are kept; 0: by the "
                                     "particle spacing")
    thickness: FloatProperty(name="Thickness", min=0, unit="LENGTH",
                             description="Makes an open surface, such as a terrain, a solid: this "
                                         "deep below it; 0: the surface is closed")
    repair: BoolProperty(name="Repair", default=True,
                         description="Accept meshes that are open or intersect themselves: inside "
                                     "is where the surface winds around more than half")
    # snow and emitters
    preset: StringProperty(name="Preset", default="snow", search=choices.search_presets,
                           description="Kind of snow: one of `firn presets`")
    density: FloatProperty(name="Density", min=0, max=2000,
                           description="Density [kg/m3]; 0: that of the preset")
    velocity: FloatVectorProperty(name="Velocity", size=3, subtype="XYZ",
                                  description="Velocity at the start [m/s]")
    spin: FloatVectorProperty(name="Spin", size=3, subtype="XYZ",
                              description="Angular velocity at the start [rad/s]")
    noise_amount: FloatProperty(name="Chunks", min=0, max=10,
                                description="Variation of the stiffness: snow breaks into chunks")
    noise_scale: FloatProperty(name="Chunk Size", min=1e-4, default=0.1, unit="LENGTH")
    # emitters
    rate: FloatProperty(name="Rate", min=1e-3, default=1000, description="Flakes per second")
    spread: FloatProperty(name="Spread", min=0, description="Random velocity that is added [m/s]")
    size: FloatProperty(name="Flake Size", min=0, precision=4, unit="LENGTH",
                        description="Edge of the cube of snow of a particle; 0: the spacing")
    start: FloatProperty(name="Start", description="When it starts [s]")
    use_stop: BoolProperty(name="Stops", description="Emits until a time")
    stop: FloatProperty(name="Stop", default=1, description="When it stops [s]")
    seed: IntProperty(name="Seed", default=1, min=0)
    # colliders
    motion: EnumProperty(name="Motion", items=MOTIONS)
    dynamic: BoolProperty(name="Dynamic",
                          description="A rigid body: gravity, snow and other colliders move it")
    mass: FloatProperty(name="Mass", min=1e-6, default=1, description="Mass [kg]")
    friction: FloatProperty(name="Friction", min=0, max=100, default=0.4)
    sticky: BoolProperty(name="Sticky", description="Snow sticks to it")
    messages: CollectionProperty(type=FirnMessage)


class FirnCache(bpy.types.PropertyGroup):
    """A simulation and its files."""
    key: StringProperty()
    folder: StringProperty(name="Folder", subtype="DIR_PATH", default="//firn/snow")
    collection: PointerProperty(name="Objects", type=bpy.types.Collection,
                                description="Only marked objects of this collection; none: all of "
                                            "the scene")
    solver: EnumProperty(name="Solver", items=SOLVERS)
    backend: StringProperty(name="Backend", default="cpu", search=choices.search_backends,
                            description="cpu, or a GPU: cuda")
    spacing: FloatProperty(name="Spacing", min=1e-5, default=0.02, precision=4, unit="LENGTH",
                           description="Distance of particles: half of it is eight times as many")
    use_scene_range: BoolProperty(name="Scene Range", default=True,
                                  description="All frames of the scene")
    frame_start: IntProperty(name="Start", default=1)
    frame_end: IntProperty(name="End", default=48)
    threads: IntProperty(name="Threads", min=0, description="0: all cores")
    memory: StringProperty(name="Memory Limit", description="Such as 8G; empty: no limit")
    checkpoint_every: IntProperty(name="Checkpoint", min=0, default=4,
                                  description="Frames between full states, from which a bake is "
                                              "resumed after a crash; 0: only when it stops")
    points: BoolProperty(name="Points", default=True, description="Write points for playback")
    volume: BoolProperty(name="Volume", description="Write an OpenVDB sequence")
    voxel: FloatProperty(name="Voxel", min=0, precision=4, unit="LENGTH",
                         description="Voxel size of the volume; 0: chosen by firn")
    mesh: BoolProperty(name="Mesh", description="Write a closed surface of the snow after the bake")
    fields: StringProperty(name="More Fields", description="Further values of the points, such as "
                           "stiffness, plastic_volume, temperature")
    air: BoolProperty(name="Air", description="Air with wind and drag")
    wind: FloatVectorProperty(name="Wind", size=3, subtype="XYZ", description="Wind [m/s]")
    gusts: FloatProperty(name="Gusts", min=0, max=5,
                         description="Strength of eddies in the wind, as a share of its speed")
    powder: BoolProperty(name="Powder", description="Snow that breaks fast sheds fine points, which "
                                                    "the air carries (solver mpm)")
    # pictures by firn
    samples: IntProperty(name="Samples", min=1, default=64, description="Paths per pixel")
    # what `firn check` estimates
    particles: FloatProperty()
    memory_bytes: FloatProperty()
    disk_bytes: FloatProperty()
    seconds: FloatProperty()
    # what happens
    state: StringProperty()
    status: StringProperty()
    progress: FloatProperty(name="Progress", subtype="PERCENTAGE", min=0, max=100)
    messages: CollectionProperty(type=FirnMessage)
    # playback
    play_start: IntProperty(name="Starts at", default=1,
                            description="The frame of Blender that shows frame 0 of the cache")
    points_object: PointerProperty(type=bpy.types.Object)
    mesh_object: PointerProperty(type=bpy.types.Object)
    volume_object: PointerProperty(type=bpy.types.Object)


class FirnScene(bpy.types.PropertyGroup):
    caches: CollectionProperty(type=FirnCache)
    active: IntProperty()


CLASSES = (FirnMessage, FirnObject, FirnCache, FirnScene)


def add_cache(scene, name):
    """A new cache with a name and a folder of its own, which becomes the active one."""
    taken = {cache.name for other in bpy.data.scenes for cache in other.firn.caches}
    found, number = name, 1
    while found in taken:
        number += 1
        found = f"{name} {number}"
    cache = scene.firn.caches.add()
    cache.key, cache.name = uuid.uuid4().hex, found
    cache.folder = "//firn/" + bpy.path.clean_name(found)
    cache.frame_start, cache.frame_end = scene.frame_start, scene.frame_end
    scene.firn.active = len(scene.firn.caches) - 1
    return cache


def cache_of(scene, name=""):
    """A cache by its name, or the active one; None where there is none."""
    caches = scene.firn.caches
    if name:
        return caches.get(name)
    return caches[scene.firn.active] if 0 <= scene.firn.active < len(caches) else None


def set_messages(owner, found):
    owner.messages.clear()
    for message in found:
        item = owner.messages.add()
        item.severity, item.text = message.severity, message.text


def register():
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.Object.firn = PointerProperty(type=FirnObject)
    bpy.types.Scene.firn = PointerProperty(type=FirnScene)


def unregister():
    del bpy.types.Scene.firn
    del bpy.types.Object.firn
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
