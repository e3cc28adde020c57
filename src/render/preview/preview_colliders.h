// SPDX-License-Identifier: MIT
// The scene's colliders, posed at one time, for the preview.
// Does: first hits of camera rays, soft shadows, ambient occlusion.
// A collider that contains the eye is not drawn and casts no shadow, so that a camera inside a wall
// sees through it.
#pragma once
#include "math/rgb.h"
#include "render/preview/preview_paint.h"
#include "render/preview/preview_parts.h"

typedef struct firn_preview_collider {
    firn_collider collider;  // an owned copy, posed
    int32_t first, count;    // its parts
    bool is_plane;           // its only part is a plane
    firn_vec3 normal;        // of that plane
    firn_real radius;        // [m] of a bounding sphere; 0: unbounded
    firn_rgb albedo;
    firn_preview_paints* paints;  // owned; null: none
} firn_preview_collider;

typedef struct firn_preview_colliders {
    firn_preview_collider* items;  // owned
    int32_t count;
    firn_preview_parts parts;   // of all colliders
    const firn_shapes* shapes;  // borrowed from the scene
    firn_real pixel;            // pixel size at distance 1: sets the hit tolerance of rays
    firn_real reach;            // [m] maximum ray length
} firn_preview_colliders;

// The nearest hit of a ray. `fringe` antialiases edges: a collider in front of the hit that the ray
// misses by less than a pixel.
typedef struct firn_collider_hit {
    firn_real t;              // [m]; `reach` if nothing was hit
    int32_t collider;         // -1: nothing
    firn_real fringe_t;       // [m]
    int32_t fringe_collider;  // -1: none
    float fringe;             // share of the pixel, 0..1
} firn_collider_hit;

firn_result firn_preview_colliders_create(firn_preview_colliders* colliders,
                                          const firn_collider* scene_colliders, firn_local count,
                                          const firn_shapes* shapes, double time,
                                          const firn_camera* camera, firn_error* error);
// Colours of glTF files, for colliders at `time`.
firn_result firn_preview_colliders_paint(firn_preview_colliders* colliders,
                                         const firn_scene_data* scene, double time,
                                         firn_error* error);
void firn_preview_colliders_destroy(firn_preview_colliders* colliders);

firn_collider_hit firn_preview_colliders_trace(const firn_preview_colliders* colliders,
                                               firn_ray ray);
firn_vec3 firn_preview_collider_normal(const firn_preview_colliders* colliders, int32_t collider,
                                       firn_vec3 x);
// Visibility of the sun from x: 0 in shadow, 1 in the open, between in the penumbra. `own`: the
// collider that x lies on, or -1.
float firn_preview_colliders_sun(const firn_preview_colliders* colliders, firn_vec3 x,
                                 firn_vec3 sun, int32_t own);
// Ambient visibility along unit direction d, occluded by colliders within `size` [m] of x.
float firn_preview_colliders_visibility(const firn_preview_colliders* colliders, firn_vec3 x,
                                        firn_vec3 d, firn_real size, int32_t own);
