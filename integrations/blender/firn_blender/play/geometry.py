# SPDX-License-Identifier: MIT
"""Fills meshes of Blender with points or surfaces of firn, all values as attributes.

The attribute `velocity` is in units per second along Blender's axes, which is what Cycles expects
for motion blur."""
import bpy
import numpy as np

KINDS = {"f": "FLOAT", "i": "INT", "u": "INT"}
# Attributes that meshes have themselves.
RESERVED = {"position", "normal"}


def put_attribute(mesh, name, values):
    vector = values.ndim == 2
    kind = "FLOAT_VECTOR" if vector else KINDS[values.dtype.kind]
    attribute = mesh.attributes.get(name)
    if attribute is not None and (attribute.data_type != kind or attribute.domain != "POINT"):
        mesh.attributes.remove(attribute)
        attribute = None
    if attribute is None:
        attribute = mesh.attributes.new(name, kind, "POINT")
    values = values.astype(np.int32 if kind == "INT" else np.float32, copy=False)
    member = "vector" if vector else "value"
    attribute.data.foreach_set(member, np.ascontiguousarray(values).ravel())


def put_triangles(mesh, triangles):
    count = len(triangles)
    if count == 0:
        return
    mesh.loops.add(3 * count)
    mesh.polygons.add(count)
    mesh.loops.foreach_set("vertex_index", np.ascontiguousarray(triangles, np.int32).ravel())
    mesh.polygons.foreach_set("loop_start", np.arange(0, 3 * count, 3, dtype=np.int32))
    if not bpy.types.MeshPolygon.bl_rna.properties["loop_total"].is_readonly:  # before Blender 4
        mesh.polygons.foreach_set("loop_total", np.full(count, 3, dtype=np.int32))
    mesh.polygons.foreach_set("use_smooth", np.ones(count, dtype=bool))


def fill(mesh, points):
    """Replace everything in a mesh but its materials. `points`: core.ply.Points, Blender's axes."""
    mesh.clear_geometry()
    mesh.vertices.add(len(points.position))
    mesh.vertices.foreach_set("co", np.ascontiguousarray(points.position, np.float32).ravel())
    put_triangles(mesh, points.triangles)
    if len(points.triangles):
        mesh.update(calc_edges=True)
    for name, values in points.fields.items():
        if name not in RESERVED:
            put_attribute(mesh, name, values)
    mesh.update_tag()
