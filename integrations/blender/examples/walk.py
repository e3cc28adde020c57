# SPDX-License-Identifier: MIT
"""A figure walks through snow: the shot of docs/blender-walk.md, built by a script.

    blender --addons firn_blender --python walk.py                 look at it, bake in the panel
    blender -b --addons firn_blender --python walk.py -- DIR [SPACING [LAST FRAME]]

The second form saves DIR/walk.blend and bakes it.
"""
import math
import os
import sys

import bpy
from mathutils import Matrix, Vector

FRAMES, FPS = 72, 24
SPEED = 1.4                   # [m/s] along X
PERIOD = 1.1                  # [s] of two steps
SWING, BEND = 0.42, 0.9       # [rad] of hips and of the knee of the leg that is in the air
LEG = 0.83                    # [m]
# Joints of the left side and of the middle: position [m], radius of the limb [m].
JOINTS = {"pelvis": ((0, 0, 0.95), 0.12), "chest": ((0, 0, 1.3), 0.14),
          "neck": ((0, 0, 1.5), 0.06), "head": ((0, 0, 1.68), 0.11),
          "hip": ((0, 0.1, 0.88), 0.09), "knee": ((0.01, 0.1, 0.48), 0.065),
          "ankle": ((0, 0.1, 0.09), 0.05), "toe": ((0.17, 0.1, 0.05), 0.045),
          "shoulder": ((0, 0.2, 1.38), 0.06), "elbow": ((-0.02, 0.26, 1.1), 0.045),
          "hand": ((0.05, 0.28, 0.86), 0.04)}
MIDDLE = [("pelvis", "chest"), ("chest", "neck"), ("neck", "head")]
SIDE = [("pelvis", "hip"), ("hip", "knee"), ("knee", "ankle"), ("ankle", "toe"),
        ("chest", "shoulder"), ("shoulder", "elbow"), ("elbow", "hand")]
CENTRAL = ("pelvis", "chest", "neck", "head")


def joints():
    """{name: (position, radius)}, with .L and .R for the sides."""
    out = {}
    for name, (at, radius) in JOINTS.items():
        if name in CENTRAL:
            out[name] = (Vector(at), radius)
        else:
            out[name + ".L"] = (Vector(at), radius)
            out[name + ".R"] = (Vector((at[0], -at[1], at[2])), radius)
    return out


def bones():
    """Pairs of joints."""
    sides = [tuple(j if j in CENTRAL else j + side for j in pair)
             for side in (".L", ".R") for pair in SIDE]
    return MIDDLE + sides


def material(name, colour):
    out = bpy.data.materials.new(name)
    out.use_nodes = True
    out.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (*colour, 1)
    return out


def add_body(scene):
    """Sticks with the modifiers Skin and Subdivision Surface."""
    places = joints()
    names = list(places)
    mesh = bpy.data.meshes.new("Figure")
    mesh.from_pydata([places[n][0] for n in names],
                     [(names.index(a), names.index(b)) for a, b in bones()], [])
    body = bpy.data.objects.new("Figure", mesh)
    scene.collection.objects.link(body)
    bpy.context.view_layer.objects.active = body
    body.modifiers.new("Skin", "SKIN").use_smooth_shade = True
    for k, name in enumerate(names):
        mesh.skin_vertices[0].data[k].radius = (places[name][1],) * 2
    mesh.skin_vertices[0].data[names.index("pelvis")].use_root = True
    body.modifiers.new("Smooth", "SUBSURF").levels = 1
    mesh.materials.append(material("coat", (0.5, 0.09, 0.05)))
    return body


def add_armature(body):
    """Skin's own Create Armature; bones get the names of their joints."""
    bpy.ops.object.select_all(action="DESELECT")
    body.select_set(True)
    bpy.ops.object.skin_armature_create(modifier="Skin")
    armature = bpy.context.view_layer.objects.active
    body.parent = armature
    places = joints()
    for bone in armature.data.bones:
        tail = armature.matrix_world @ bone.tail_local
        nearest = min(places, key=lambda name: (places[name][0] - tail).length)
        bone.name = "to " + nearest
    return armature


def turn(armature, joint, angle):
    """Turn a bone about the world's Y axis, relative to the bone above it."""
    bone = armature.pose.bones.get("to " + joint)
    rest = bone.bone.matrix_local.to_3x3()
    bone.rotation_mode = "QUATERNION"
    bone.rotation_quaternion = (rest.inverted() @ Matrix.Rotation(angle, 3, "Y")
                                @ rest).to_quaternion()
    bone.keyframe_insert("rotation_quaternion")


def walk(scene, armature):
    """Keys of every frame: two steps in PERIOD, the lower foot on the ground."""
    for frame in range(1, FRAMES + 1):
        scene.frame_set(frame)
        time = (frame - 1) / FPS
        phase = 2 * math.pi * time / PERIOD
        for side, shift in ((".L", 0), (".R", math.pi)):
            swing = SWING * math.sin(phase + shift)
            bend = BEND * max(0, math.cos(phase + shift))
            turn(armature, "knee" + side, -swing)       # the thigh: forward is -Y
            turn(armature, "ankle" + side, bend)        # the shin
            turn(armature, "toe" + side, 0.5 * (swing - bend))
            turn(armature, "elbow" + side, 0.7 * swing)
            turn(armature, "hand" + side, -0.5)
        drop = LEG * (1 - math.cos(SWING * math.sin(phase)))
        armature.location = (-2.3 + SPEED * time, 0, -drop)
        armature.keyframe_insert("location")


def add_snow():
    bpy.ops.mesh.primitive_cube_add(size=1, location=(0, 0, 0.125))
    bed = bpy.context.object
    bed.name, bed.scale, bed.hide_render = "Bed", (2.6, 1.2, 0.25), True
    bed.firn.role, bed.firn.shape, bed.firn.preset = "SNOW", "BOX", "powder"
    bed.firn.noise_amount, bed.firn.noise_scale = 0.5, 0.1
    bpy.ops.mesh.primitive_plane_add(size=12)
    ground = bpy.context.object
    ground.name = "Ground"
    ground.firn.role, ground.firn.shape, ground.firn.friction = "COLLIDER", "PLANE", 0.6
    ground.data.materials.append(material("ground", (0.3, 0.32, 0.35)))


def add_camera_and_sun(scene):
    bpy.ops.object.camera_add(location=(3.2, -3.6, 1.5))
    scene.camera = bpy.context.object
    aim = Vector((0.1, 0, 0.6)) - scene.camera.location
    scene.camera.rotation_euler = aim.to_track_quat("-Z", "Y").to_euler()
    scene.camera.data.lens = 40
    bpy.ops.object.light_add(type="SUN", rotation=(0.9, 0.1, 0.9))
    bpy.context.object.data.energy = 3
    scene.world = bpy.data.worlds.new("Sky")
    scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs[0].default_value = (0.3, 0.42, 0.6, 1)


def build():
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end, scene.render.fps = 1, FRAMES, FPS
    body = add_body(scene)
    armature = add_armature(body)
    walk(scene, armature)
    body.firn.role, body.firn.friction = "COLLIDER", 0.3
    add_snow()
    add_camera_and_sun(scene)
    scene.render.engine, scene.render.use_motion_blur = "CYCLES", True
    scene.cycles.samples, scene.cycles.use_denoising = 64, False  # Debian's Blender has no denoiser
    scene.render.resolution_x, scene.render.resolution_y = 960, 540
    bpy.ops.firn.cache_add(name="walk")
    cache = scene.firn.caches["walk"]
    cache.spacing, cache.mesh = 0.025, True
    scene.frame_set(1)
    return scene, cache


if __name__ == "__main__":
    scene, cache = build()
    arguments = sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else []
    if arguments:
        cache.spacing = float(arguments[1]) if len(arguments) > 1 else cache.spacing
        scene.frame_end = int(arguments[2]) if len(arguments) > 2 else FRAMES
        os.makedirs(arguments[0], exist_ok=True)
        bpy.ops.wm.save_as_mainfile(filepath=os.path.abspath(arguments[0] + "/walk.blend"))
        bpy.ops.firn.bake()
        cache.points_object.hide_render = True  # the mesh is rendered
        bpy.ops.wm.save_mainfile()
