// SPDX-License-Identifier: MIT
// Ray intersection with colliders and area lights: planes analytically; meshes and animations as
// triangles, other shapes by sphere tracing of their SDF, both in an Embree BVH.
// A collider that contains the eye is skipped, as in the preview. Surfaces of fluids are triangles,
// too.
//
// A path continues from a hit like this:
//     const firn_vec3 x = firn_geometry_leave(&hit);  // offset against self-intersection
//     ... sample a direction `to` about hit.normal ...
//     if (firn_v3_dot(to, hit.face) <= 0) the direction lies below the surface: reject it
//     firn_geometry_trace(g, (firn_ray){x, to}, FLT_MAX), firn_geometry_blocked(...)
// Embree uses floats, even in a build with doubles.
#pragma once
#include "render/camera.h"
#include "render/path/surface.h"

typedef struct firn_scene_data firn_scene_data;  // scene/data/scene.h

typedef struct firn_fluids firn_fluids;  // render/fluid/fluids.h

typedef struct firn_geometry firn_geometry;

typedef struct firn_surface_hit {
    float t;           // [m]
    firn_vec3 x;       // on the surface
    firn_vec3 normal;  // unit shading normal on the ray's side; interpolated on soft edges
    firn_vec3 face;    // unit geometric normal on the ray's side
    float offset;      // [m] along `face` that avoids self-intersection
    const firn_surface* surface;  // null: no hit, or an area light
    int32_t light;                // index of the area light that was hit, -1: none
    bool from_inside;             // of a mesh: the ray hit the back of a triangle
    firn_rgb tint;                // factor on the surface's colour: its picture's
} firn_surface_hit;

// Colliders of the scene posed at `time`, its area lights, and fluids (null: none). `low`, `high`:
// bounds of snow and eye, which limit unbounded shapes other than planes. The scene is borrowed
// until destroy; triangles of fluids are copied.
firn_result firn_geometry_create(const firn_scene_data* scene, const firn_fluids* fluids,
                                 double time, firn_vec3 eye, firn_vec3 low, firn_vec3 high,
                                 firn_geometry** out_geometry, firn_error* error);
void firn_geometry_destroy(firn_geometry* geometry);  // null: no-op

// Nearest hit in (0, far). Thread-safe.
firn_surface_hit firn_geometry_trace(const firn_geometry* g, firn_ray ray, float far);
// Whether the ray hits anything in (0, far).
bool firn_geometry_blocked(const firn_geometry* g, firn_ray ray, float far);
// False only if no surface lies within `radius` [m] of x; used to skip ray casts inside the snow.
bool firn_geometry_near(const firn_geometry* g, firn_vec3 x, float radius);

// Number of a surface: colliders as in the scene, then fluids.
int32_t firn_geometry_number(const firn_geometry* g, const firn_surface* surface);
int32_t firn_geometry_colliders(const firn_geometry* g);  // how many
// [m/s] velocity at x of what has surface `number`; fluids: 0.
firn_vec3 firn_geometry_velocity(const firn_geometry* g, int32_t number, firn_vec3 x);

// The surface of fluid k; null: there is no such fluid.
const firn_surface* firn_geometry_fluid(const firn_geometry* g, int32_t k);
// Bits of the transparent fluids that contain x.
uint32_t firn_geometry_submerged(const firn_geometry* g, firn_vec3 x);

// No hit before `far`.
FIRN_FN firn_surface_hit firn_geometry_miss(float far)
{
    const firn_vec3 zero = firn_v3(0, 0, 0);
    return FIRN_LIT(firn_surface_hit){
        far, zero, zero, zero, 0, NULL, -1, false, firn_rgb_of(1, 1, 1)};
}

// Origin for a ray that leaves a hit, offset against self-intersection.
FIRN_FN firn_vec3 firn_geometry_leave(const firn_surface_hit* hit)
{
    return firn_v3_madd(hit->x, (firn_real)hit->offset, hit->face);
}

// The same for a ray that passes through.
FIRN_FN firn_vec3 firn_geometry_pass(const firn_surface_hit* hit)
{
    return firn_v3_madd(hit->x, -(firn_real)hit->offset, hit->face);
}
