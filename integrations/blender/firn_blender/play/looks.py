# SPDX-License-Identifier: MIT
"""Materials of snow, and the geometry nodes that draw points as spheres."""
import bpy

# Extinction of snow per density [1/m per kg/m^3], and its albedo: firn's render.medium.
EXTINCTION = 724 / 400
ALBEDO = (0.996, 0.998, 1.0, 1.0)
ANISOTROPY = 0.5


def surface_material():
    """White and rough, for points and meshes."""
    name = "firn snow"
    material = bpy.data.materials.get(name)
    if material is None:
        material = bpy.data.materials.new(name)
        material.use_nodes = True
        shader = material.node_tree.nodes["Principled BSDF"]
        shader.inputs["Base Color"].default_value = (0.92, 0.95, 1.0, 1.0)
        shader.inputs["Roughness"].default_value = 0.8
        material.diffuse_color = (0.92, 0.95, 1.0, 1.0)
    return material


def volume_material(unit=1.0):
    """Scatters as snow of the grid `density` does."""
    name = "firn snow volume"
    material = bpy.data.materials.get(name)
    if material is None:
        material = bpy.data.materials.new(name)
        material.use_nodes = True
        tree = material.node_tree
        tree.nodes.clear()
        density = tree.nodes.new("ShaderNodeAttribute")
        density.attribute_name = "density"
        scale = tree.nodes.new("ShaderNodeMath")
        scale.operation = "MULTIPLY"
        scale.inputs[1].default_value = EXTINCTION * unit
        scatter = tree.nodes.new("ShaderNodeVolumeScatter")
        scatter.inputs["Color"].default_value = ALBEDO
        scatter.inputs["Anisotropy"].default_value = ANISOTROPY
        out = tree.nodes.new("ShaderNodeOutputMaterial")
        tree.links.new(density.outputs["Fac"], scale.inputs[0])
        tree.links.new(scale.outputs[0], scatter.inputs["Density"])
        tree.links.new(scatter.outputs[0], out.inputs["Volume"])
        for k, node in enumerate((density, scale, scatter, out)):
            node.location = (200 * k, 0)
    return material


def new_tree(name):
    """A tree with a socket of geometry on each side."""
    tree = bpy.data.node_groups.new(name, "GeometryNodeTree")
    if hasattr(tree, "interface"):  # Blender 4
        tree.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
        tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    else:
        tree.inputs.new("NodeSocketGeometry", "Geometry")
        tree.outputs.new("NodeSocketGeometry", "Geometry")
    return tree


def points_tree():
    """Vertices become points with the attribute `radius`, which Cycles draws as spheres."""
    name = "firn points"
    tree = bpy.data.node_groups.get(name)
    if tree is not None:
        return tree
    tree = new_tree(name)
    first = tree.nodes.new("NodeGroupInput")
    radius = tree.nodes.new("GeometryNodeInputNamedAttribute")
    radius.data_type = "FLOAT"
    radius.inputs["Name"].default_value = "radius"
    points = tree.nodes.new("GeometryNodeMeshToPoints")
    material = tree.nodes.new("GeometryNodeSetMaterial")
    material.inputs["Material"].default_value = surface_material()
    last = tree.nodes.new("NodeGroupOutput")
    value = next(s for s in radius.outputs if s.enabled and s.type == "VALUE")
    tree.links.new(first.outputs[0], points.inputs["Mesh"])
    tree.links.new(value, points.inputs["Radius"])
    tree.links.new(points.outputs[0], material.inputs["Geometry"])
    tree.links.new(material.outputs[0], last.inputs[0])
    for k, node in enumerate((first, radius, points, material, last)):
        node.location = (200 * k, -200 if node is radius else 0)
    return tree
