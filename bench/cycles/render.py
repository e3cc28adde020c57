# SPDX-License-Identifier: MIT
"""The snowball of snowball.yaml in Blender's Cycles; run by `compare` as blender --background --python.

Same volume (.vdb), medium, sun, even sky, floor and camera as firn's. Cycles marches through volumes in
steps of `step` voxels, which is exact only for small ones, and stops after 1024 bounces, its largest number.
Arguments after --: VDB OUT.exr WIDTH HEIGHT SAMPLES SEED STEP THREADS
"""
import math
import sys
import time

import bpy
import mathutils

vdb, out, width, height, samples, seed, step, threads = sys.argv[sys.argv.index("--") + 1:]


def z_up(v):
    return mathutils.Vector((v[0], -v[2], v[1]))


bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.engine = "CYCLES"
cycles = scene.cycles
cycles.device = "CPU"
cycles.samples = int(samples)
cycles.seed = int(seed)
cycles.use_adaptive_sampling = False
cycles.use_denoising = False
cycles.max_bounces = cycles.volume_bounces = 1024
cycles.diffuse_bounces = 1024
cycles.volume_step_rate = float(step)
cycles.volume_max_steps = 1024
cycles.sample_clamp_direct = cycles.sample_clamp_indirect = 0
scene.render.resolution_x, scene.render.resolution_y = int(width), int(height)
scene.render.resolution_percentage = 100
scene.render.threads_mode, scene.render.threads = "FIXED", int(threads)
scene.view_settings.view_transform = "Raw"

eye, look_at = z_up((0.32, 0.26, 0.42)), z_up((0, 0.08, 0))
camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
camera.location = eye
camera.rotation_euler = (look_at - eye).to_track_quat("-Z", "Y").to_euler()
camera.data.sensor_fit = "VERTICAL"
camera.data.angle_y = math.radians(30)
scene.collection.objects.link(camera)
scene.camera = camera

# `direct` of daylight.h is the radiance of a white sheet that faces the sun: irradiance is pi times that
sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
sun.data.energy = math.pi * 1.35
sun.data.color = (1.0, 0.955, 0.88)
sun.data.angle = math.radians(0.53)
sun.rotation_euler = z_up((-0.75, 0.7, 0.35)).to_track_quat("Z", "Y").to_euler()
scene.collection.objects.link(sun)
world = bpy.data.worlds.new("world")
world.use_nodes = True
world.node_tree.nodes["Background"].inputs[0].default_value = (0.5, 0.5, 0.5, 1)
scene.world = world

floor = bpy.data.materials.new("floor")
floor.use_nodes = True
floor.node_tree.nodes.clear()
shader = floor.node_tree.nodes.new("ShaderNodeBsdfDiffuse")
shader.inputs[0].default_value = (0.3, 0.3, 0.3, 1)
end = floor.node_tree.nodes.new("ShaderNodeOutputMaterial")
floor.node_tree.links.new(shader.outputs[0], end.inputs["Surface"])
bpy.ops.mesh.primitive_plane_add(size=1000)
bpy.context.object.data.materials.append(floor)

bpy.ops.object.volume_import(filepath=vdb, relative_path=False)
ball = bpy.context.object
ball.rotation_euler = (0, 0, 0)
snow = bpy.data.materials.new("snow")
snow.use_nodes = True
nodes, links = snow.node_tree.nodes, snow.node_tree.links
nodes.clear()
density = nodes.new("ShaderNodeAttribute")
density.attribute_name = "density"
extinction = nodes.new("ShaderNodeMath")
extinction.operation = "MULTIPLY"
extinction.inputs[1].default_value = 724.0 / 400.0
scatter, absorb = nodes.new("ShaderNodeVolumeScatter"), nodes.new("ShaderNodeVolumeAbsorption")
scatter.inputs["Anisotropy"].default_value = 0.5
for shader in (scatter, absorb):  # together: extinction is the density for all colours
    shader.inputs["Color"].default_value = (0.996, 0.998, 1.0, 1)
    links.new(extinction.outputs[0], shader.inputs["Density"])
links.new(density.outputs["Fac"], extinction.inputs[0])
both, end = nodes.new("ShaderNodeAddShader"), nodes.new("ShaderNodeOutputMaterial")
links.new(scatter.outputs[0], both.inputs[0])
links.new(absorb.outputs[0], both.inputs[1])
links.new(both.outputs[0], end.inputs["Volume"])
ball.data.materials.append(snow)

scene.render.image_settings.file_format = "OPEN_EXR"
scene.render.image_settings.color_depth = "32"
scene.render.filepath = out
start = time.monotonic()
bpy.ops.render.render(write_still=True)
print(f"SECONDS {time.monotonic() - start:.3f}")
