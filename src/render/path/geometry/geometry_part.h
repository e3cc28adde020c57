// SPDX-License-Identifier: MIT
// Parts of a picture's geometry: a collider is one part, or several if it is a union.
#pragma once
#include <embree3/rtcore.h>

#include "geometry/collider/collider.h"
#include "mesh/mesh.h"
#include "render/paint/paint.h"
#include "render/path/geometry/surface_hit.h"
#include "scene/data/render_block.h"
#include "state/surface/isosurface.h"

typedef enum firn_part_kind {
    FIRN_PART_SHAPE,  // SDF, sphere traced
    FIRN_PART_MESH,   // triangles
    FIRN_PART_LIGHT   // triangles of an area light
} firn_part_kind;

typedef struct firn_part {
    int32_t kind;               // firn_part_kind
    int32_t owner;              // index of the surface (firn_geometry), or of the area light
    const firn_shapes* shapes;  // borrowed from the scene
    firn_solid solid;           // of a shape; its collider is posed and borrowed from the geometry
    float (*vertices)[3];       // owned, in the world; padded for Embree's 16-byte reads
    uint32_t (*triangles)[3];   // owned
    float (*normals)[3];        // owned: per corner; null: flat shading
    uint32_t vertex_count, triangle_count;
    int32_t* painted;   // owned: of each triangle, in firn_geometry, -1: the owner's; null: none is
    float (*uv)[3][2];  // owned: of the corners; null: no pictures
} firn_part;

struct firn_geometry {
    RTCDevice device;              // owned; null: no parts
    RTCScene tree;                 // owned; geometry k is part k
    const firn_scene_data* scene;  // borrowed
    firn_collider* colliders;      // owned copies, posed; [collider_count]
    firn_surface* surfaces;        // owned; [collider_count + fluid_count]
    firn_surface* painted;         // owned; of glTF materials
    firn_rgb16* texels;            // owned; of their pictures
    firn_local collider_count, fluid_count, painted_count, painted_capacity;
    int64_t texel_count;
    firn_part* parts;  // owned; not reallocated once the BVH refers to them
    firn_local part_count, part_capacity;
    firn_plane* planes;  // owned
    firn_local plane_count, plane_capacity;
};

// Adds the parts and planes of a posed collider. (geometry_gather.c)
firn_result firn_geometry_add_collider(firn_geometry* g, int32_t collider, double time,
                                       firn_box3 within, firn_error* error);
// A new part; null: out of memory.
firn_part* firn_geometry_add_part(firn_geometry* g);

// Sets the part's triangles from a mesh in the coordinates of `pose`. After FIRN_BROKEN_MEMORY,
// firn_part_destroy frees what was allocated.
firn_result firn_part_set_mesh(firn_part* part, const firn_mesh* mesh, const firn_pose* pose,
                               firn_error* error);
// The same from the surface of a fluid, in world coordinates.
firn_result firn_part_set_fluid(firn_part* part, const firn_isosurface* surface, firn_error* error);
firn_result firn_part_set_area_light(firn_part* part, const firn_lamp* lamp, firn_error* error);
// Gives a part of a collider the materials of a glTF file. (geometry_paint.c)
firn_result firn_geometry_paint(firn_geometry* g, firn_part* part, const firn_paint* paint,
                                firn_error* error);
void firn_part_destroy(firn_part* part);
// A triangle of a mesh; borrowed from the part.
firn_triangle firn_part_triangle(const firn_part* part, uint32_t triangle);

// Sets box and step; false: the shape is empty. `within`: bounds for unbounded shapes.
bool firn_part_set_bounds(firn_part* part, firn_box3 within);
// The part as an Embree geometry; null on failure, see rtcGetDeviceError.
RTCGeometry firn_part_geometry_of_shape(RTCDevice device, const firn_part* part);
RTCGeometry firn_part_geometry_of_mesh(RTCDevice device, const firn_part* part);
