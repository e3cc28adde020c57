// SPDX-License-Identifier: MIT
// A picture's surfaces for machines without Embree: planes, and triangles and solids in a BVH of
// our own. A hit is that of firn_geometry, within rounding.
//
//   node    two children with their boxes; 64 bytes, so that one read of a GPU brings both
//   item    a triangle with its corners, or a solid; leaves have up to four, next to each other
//
// Rays meet triangles watertight (Woop, Benthin and Wald 2013): none slips through an edge.
#pragma once
#include "render/path/geometry/geometry.h"

typedef struct firn_collider firn_collider;  // geometry/collider/collider.h
typedef struct firn_shapes firn_shapes;      // geometry/sdf/shape.h
typedef struct firn_solid firn_solid;        // geometry/solid.h
typedef struct firn_plane firn_plane;        // geometry/surface_hit.h

typedef struct firn_bvh_node {
    float low[2][3], high[2][3];  // [m] of the two children
    int32_t child[2];             // node, or first item of a leaf
    int32_t count[2];             // items of a leaf; 0: a node
} firn_bvh_node;

typedef struct firn_bvh_item {
    float corner[3][3];  // [m] of a triangle
    int32_t part;
    int32_t triangle;  // of the part; -1: the part is a solid
    int32_t painted;   // surface of its glTF material; -1: that of the part's owner
} firn_bvh_item;

typedef struct firn_bvh_part {
    int32_t owner;         // surface, or area light
    bool is_light;         // an area light
    int32_t first_normal;  // of its corners' normals, 3 a triangle; -1: flat
    int32_t first_uv;      // of its triangles' texture coordinates; -1: none
    int32_t solid;         // -1: triangles
} firn_bvh_part;

#define FIRN_BVH_LEAF_MAX 4    // items
#define FIRN_BVH_DEPTH_MAX 64  // of the traversal's stack

// Copies to a GPU as it is, with the arrays' addresses replaced.
typedef struct firn_bvh {
    const firn_bvh_node* nodes;    // owned; [node_count]; node 0 is the root; none: only planes
    const firn_bvh_item* items;    // owned
    const firn_bvh_part* parts;    // owned
    const firn_solid* solids;      // owned; what they refer to is the scene's
    const float (*normals)[3];     // owned
    const float (*uv)[3][2];       // owned; of painted triangles' corners
    const firn_plane* planes;      // borrowed from the geometry
    const firn_surface* surfaces;  // borrowed from the geometry; colliders, then fluids
    const firn_surface* painted;   // borrowed from the geometry; of glTF materials
    const firn_rgb16* texels;      // borrowed from the geometry; of their pictures
    const firn_shapes* shapes;     // borrowed from the scene: the tables of the solids
    firn_collider* colliders;      // borrowed from the geometry; [collider_count], posed
    int32_t node_count, item_count, part_count, solid_count, normal_count;
    int32_t plane_count, collider_count, fluid_count, painted_count, uv_count;
    int64_t texel_count;
} firn_bvh;

// From the parts of a geometry, which must outlive the BVH.
firn_result firn_bvh_create(const firn_geometry* geometry, firn_bvh* out_bvh, firn_error* error);
void firn_bvh_destroy(firn_bvh* bvh);

// Nearest hit in (0, far); defined in bvh_trace.h.
FIRN_FN_ONCE firn_surface_hit firn_bvh_trace(const firn_bvh* bvh, firn_ray ray, float far);
// Whether the ray hits anything in (0, far).
FIRN_FN_ONCE bool firn_bvh_blocked(const firn_bvh* bvh, firn_ray ray, float far);

// The surface of fluid k; null: there is no such fluid.
FIRN_FN const firn_surface* firn_bvh_fluid(const firn_bvh* bvh, int32_t k)
{
    return bvh != NULL && k < bvh->fluid_count ? &bvh->surfaces[bvh->collider_count + k] : NULL;
}
