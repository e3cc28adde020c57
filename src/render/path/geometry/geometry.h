// SPDX-License-Identifier: MIT
// The solid bodies of a picture for rays: planes by a formula; meshes and animations as triangles,
// every other shape by steps along its distance, both behind Embree.
// A body that contains the eye is left out, as in the preview: the camera looks through it.
//
// A path goes on from a hit like this:
//     const firn_vec3 x = firn_geometry_leave(&hit);  // off the surface, by more than rounding
//     ... choose a direction `to` about hit.normal ...
//     if (firn_v3_dot(to, hit.face) <= 0) the direction lies below the surface: nothing comes
//     firn_geometry_trace(g, (firn_ray){x, to}, FLT_MAX), firn_geometry_blocked(...)
// Places and directions are floats to Embree, also in a build with doubles.
#pragma once
#include "render/camera.h"
#include "render/path/surface.h"
#include "scene/data/scene.h"

typedef struct firn_geometry firn_geometry;

typedef struct firn_surface_hit {
    float t;                      // [m]
    firn_vec3 x;                  // on the surface
    firn_vec3 normal;             // unit, towards where the ray came from; smooth over soft edges
    firn_vec3 face;               // the same of the surface itself, which `normal` smooths over
    float offset;                 // [m] along `face` that surely is off the surface
    const firn_surface* surface;  // null: nothing was hit, or a light
    int32_t light;                // index of the area light that was hit, -1: none
} firn_surface_hit;

// Colliders of the scene posed at `time`, and its area lights. `low`, `high`: box of what is seen
// (snow and eye), from which unbounded shapes that are not planes take their extent. The scene is
// borrowed until destroy.
firn_result firn_geometry_create(const firn_scene_data* scene, double time, firn_vec3 eye,
                                 firn_vec3 low, firn_vec3 high, firn_geometry** out_geometry,
                                 firn_error* error);
void firn_geometry_destroy(firn_geometry* geometry);  // null: nothing happens

// Nearest hit in (0, far). Safe from many threads at once.
firn_surface_hit firn_geometry_trace(const firn_geometry* g, firn_ray ray, float far);
// Whether anything lies on the ray in (0, far).
bool firn_geometry_blocked(const firn_geometry* g, firn_ray ray, float far);
// False only when no surface comes within `radius` [m] of x: most of the snow never needs to ask.
bool firn_geometry_near(const firn_geometry* g, firn_vec3 x, float radius);

// Where a ray that starts at a hit may begin without meeting the same surface again.
static inline firn_vec3 firn_geometry_leave(const firn_surface_hit* hit)
{
    return firn_v3_madd(hit->x, (firn_real)hit->offset, hit->face);
}
