# SPDX-License-Identifier: MIT
"""What firn has exported of a frame, side by side in a picture of Cycles: the mesh, the level set as a
mesh, the volume. No add-on is needed.

    firn export runs/NAME --to mesh,sdf,vdb --frames 16 --z-up
    blender -b --python exports.py -- runs/NAME 0016 PICTURE.jpg
"""
import glob
import os
import sys

import bpy
from mathutils import Vector

run, frame, picture = sys.argv[sys.argv.index("--") + 1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene


def exported(folder, ending):
    """The file of the frame in a folder of the run."""
    found = glob.glob(os.path.join(os.path.abspath(run), folder, f"*.{frame}.{ending}"))
    if not found:
        sys.exit(f"exports.py: {run}/{folder} has no *.{frame}.{ending}: see the commands above")
    return found[0]


def shade(obj, kind):
    material = bpy.data.materials.new(obj.name)
    material.use_nodes = True
    tree = material.node_tree
    tree.nodes.clear()
    out = tree.nodes.new("ShaderNodeOutputMaterial")
    node = tree.nodes.new("ShaderNodeVolumePrincipled" if kind == "volume" else
                          "ShaderNodeBsdfPrincipled")
    if kind == "volume":
        node.inputs["Color"].default_value = (0.97, 0.98, 1, 1)
        node.inputs["Density"].default_value = 0.15
        tree.links.new(node.outputs[0], out.inputs["Volume"])
    else:
        node.inputs["Base Color"].default_value = (0.85, 0.87, 0.9, 1)
        node.inputs["Roughness"].default_value = 0.9
        tree.links.new(node.outputs[0], out.inputs["Surface"])
    obj.data.materials.clear()
    obj.data.materials.append(material)


def place(obj, index):
    obj.location.x += 2.7 * (index - 1)


# The mesh.
bpy.ops.import_mesh.ply(filepath=exported("mesh", "ply"))
mesh = bpy.context.active_object
bpy.ops.object.shade_smooth()
shade(mesh, "surface")
place(mesh, 0)
# The level set: the surface where it is zero.
bpy.ops.object.volume_import(filepath=exported("sdf", "vdb"))
level = bpy.context.active_object
bpy.ops.mesh.primitive_cube_add()
surface = bpy.context.active_object
modifier = surface.modifiers.new("surface", "VOLUME_TO_MESH")
modifier.object = level
modifier.threshold = 0
modifier.grid_name = "surface"
shade(surface, "surface")
place(surface, 1)
level.hide_render = True
# The volume.
bpy.ops.object.volume_import(filepath=exported("vdb", "vdb"))
volume = bpy.context.active_object
volume.data.velocity_unit = "SECOND"
shade(volume, "volume")
place(volume, 2)

bpy.ops.mesh.primitive_plane_add(size=60)
shade(bpy.context.active_object, "surface")
bpy.context.active_object.data.materials[0].node_tree.nodes[1].inputs[
    "Base Color"].default_value = (0.1, 0.11, 0.12, 1)
bpy.ops.object.light_add(type="SUN", rotation=(0.9, 0.2, 0.7))
bpy.context.active_object.data.energy = 4
world = bpy.data.worlds.new("sky")
scene.world = world
world.use_nodes = True
world.node_tree.nodes["Background"].inputs[0].default_value = (0.5, 0.6, 0.75, 1)
bpy.ops.object.camera_add(location=(0, -12.6, 5.4))
scene.camera = bpy.context.active_object
look = Vector((0, 0, 0.55)) - scene.camera.location
scene.camera.rotation_euler = look.to_track_quat("-Z", "Y").to_euler()
scene.camera.data.angle = 0.65
scene.render.engine = "CYCLES"
scene.cycles.samples = 32
scene.cycles.use_denoising = False
scene.cycles.volume_bounces = 4
scene.render.resolution_x, scene.render.resolution_y = 960, 360
scene.render.image_settings.file_format = "JPEG"
scene.render.filepath = os.path.abspath(picture)
bpy.ops.render.render(write_still=True)
