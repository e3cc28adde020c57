// SPDX-License-Identifier: MIT
// What a picture's bodies are made of: a collider is one part, or several where it is a union.
#pragma once
#include <embree3/rtcore.h>

#include "mesh/mesh.h"
#include "render/path/geometry/geometry.h"

typedef enum firn_part_kind {
    FIRN_PART_SHAPE,  // by steps along its distance
    FIRN_PART_MESH,   // triangles
    FIRN_PART_LIGHT   // triangles that shine
} firn_part_kind;

typedef struct firn_part {
    int32_t kind;                   // firn_part_kind
    int32_t body;                   // index of its surface; of the light for a light
    const firn_collider* collider;  // borrowed from the geometry, posed
    const firn_shapes* shapes;      // borrowed from the scene
    firn_local shape;               // node; -1: the collider's deforming body
    firn_pose pose;                 // of the node
    firn_box3 box;                  // shape: in the world
    float step;                     // [m] shape: smallest step; finer detail may be missed
    float (*vertices)[3];           // owned, in the world; one more than there are, for wide reads
    uint32_t (*triangles)[3];       // owned
    float (*normals)[3];            // owned: of the corners; null: flat
    uint32_t vertex_count, triangle_count;
} firn_part;

typedef struct firn_plane {
    firn_vec3 point, normal;  // in the world; solid below
    int32_t body;
} firn_plane;

struct firn_geometry {
    RTCDevice device;              // owned; null: no parts
    RTCScene tree;                 // owned; geometry k is part k
    const firn_scene_data* scene;  // borrowed
    firn_collider* colliders;      // owned copies, posed; [body_count]
    firn_surface* surfaces;        // owned; [body_count]
    firn_local body_count;
    firn_part* parts;  // owned; where they are does not change once the tree is there
    firn_local part_count, part_capacity;
    firn_plane* planes;  // owned
    firn_local plane_count, plane_capacity;
};

// The parts and planes of body `body`, whose collider is posed. (geometry_gather.c)
firn_result firn_geometry_add_body(firn_geometry* g, int32_t body, double time, firn_box3 within,
                                   firn_error* error);
// A new part; null when memory is out.
firn_part* firn_geometry_add_part(firn_geometry* g);

// A mesh in the coordinates of `pose` becomes the part's triangles. FIRN_BROKEN_MEMORY: what the
// part has is let go by firn_part_destroy.
firn_result firn_part_set_mesh(firn_part* part, const firn_mesh* mesh, const firn_pose* pose,
                               firn_error* error);
firn_result firn_part_set_lamp(firn_part* part, const firn_lamp* lamp, firn_error* error);
void firn_part_destroy(firn_part* part);
// Geometric normal and place at barycentric (u, v) of a triangle, and the smooth normal there; not
// yet turned to any side.
void firn_part_triangle_at(const firn_part* part, uint32_t triangle, float u, float v,
                           firn_vec3* out_x, firn_vec3* out_face, firn_vec3* out_normal);

// Distance of a shape part to x: a lower bound [m], negative inside.
firn_real firn_part_distance(const firn_part* part, firn_vec3 x);
firn_vec3 firn_part_normal(const firn_part* part, firn_vec3 x);
// Sets box and step; false: the shape is empty. `within`: for what has no bounds of its own.
bool firn_part_set_bounds(firn_part* part, firn_box3 within);
// The part as geometry of the device; null after a failure of Embree, which the device knows.
RTCGeometry firn_part_geometry_of_shape(RTCDevice device, const firn_part* part);
RTCGeometry firn_part_geometry_of_mesh(RTCDevice device, const firn_part* part);
