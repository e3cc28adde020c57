// SPDX-License-Identifier: MIT
// Colliders split into parts for the preview: rays that pass one part of a union by do not pay for
// it, and a plane in a union is intersected analytically like any other plane.
// Does: distances, and the piece of a ray that may meet a part. Does not: shade.
#pragma once
#include "geometry/collider/collider.h"
#include "render/camera.h"
#include "render/preview/empty_space.h"

typedef struct firn_preview_part {
    firn_local shape;         // node of the scene's shapes; -1: the deformation of the collider
    firn_pose pose;           // of the node in the world
    bool is_plane;            // intersected analytically instead of by sphere tracing
    bool boxed;               // lies within `box`, which may be unbounded to some sides
    bool bounded;             // lies within `radius` of `center`
    firn_vec3 point, normal;  // of a plane, in world coordinates
    firn_box3 box;            // [m] AABB in coordinates of the pose
    firn_vec3 center;         // [m]
    firn_real radius;         // [m]
    firn_empty_space space;   // of a level set; owned
} firn_preview_part;

typedef struct firn_preview_parts {
    firn_preview_part* items;  // owned
    int32_t count, capacity;
} firn_preview_parts;

// Appends the parts of a posed collider: those of sharp unions (geometry/sdf/parts.h), or one.
firn_result firn_preview_parts_add(firn_preview_parts* parts, const firn_collider* collider,
                                   const firn_shapes* shapes, firn_error* error);
void firn_preview_parts_destroy(firn_preview_parts* parts);

// Distance to a part of `collider`, in world coordinates; negative inside.
firn_real firn_preview_part_distance(const firn_preview_part* part, const firn_collider* collider,
                                     const firn_shapes* shapes, firn_vec3 x);
// The same for rays: a lower bound that is larger in empty space.
firn_real firn_preview_part_clear(const firn_preview_part* part, const firn_collider* collider,
                                  const firn_shapes* shapes, firn_vec3 x);
// Outward normal of the part at x.
firn_vec3 firn_preview_part_normal(const firn_preview_part* part, const firn_collider* collider,
                                   const firn_shapes* shapes, firn_vec3 x);
// Clips [t0, t1] of a ray to the bounds of a part, enlarged by `margin` times the distance; false
// if nothing is left. The sides of an unbounded part are not enlarged.
bool firn_preview_part_clip(const firn_preview_part* part, firn_ray ray, firn_real margin,
                            firn_real* t0, firn_real* t1);
// Whether x is certainly farther than `far` from the part.
bool firn_preview_part_is_far(const firn_preview_part* part, firn_vec3 x, firn_real far);
