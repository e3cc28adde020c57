// SPDX-License-Identifier: MIT
// The solid bodies of a picture: the scene's colliders, placed for one moment.
// Does: find what a ray meets first, the shadows bodies cast, how they close off the sky.
// A body that contains the eye is not drawn and casts no shadow: a camera behind a wall of the
// scene looks through it, as at a stage.
#pragma once
#include "geometry/collider/collider.h"
#include "render/camera.h"
#include "render/image/colour.h"

typedef struct firn_body {
    firn_collider collider;   // an owned copy, posed
    bool is_plane;            // met by a formula instead of by steps
    bool bounded;             // within `box`, and within `radius` of `center`
    firn_vec3 point, normal;  // of a plane, in world coordinates
    firn_box3 box;            // [m] in the body's own coordinates
    firn_vec3 center;         // [m]
    firn_real radius;         // [m]
    firn_rgb albedo;
} firn_body;

typedef struct firn_bodies {
    firn_body* items;  // owned
    int32_t count;
    const firn_shapes* shapes;  // borrowed from the scene
    firn_real pixel;            // of the camera: how exactly rays need to be followed
    firn_real reach;            // [m] beyond this nothing is drawn
} firn_bodies;

// What a ray meets. `fringe` covers edges: a body that the ray passes within a pixel of, in front.
typedef struct firn_body_hit {
    firn_real t;          // [m]; `reach` when there is nothing
    int32_t body;         // -1: nothing
    firn_real fringe_t;   // [m]
    int32_t fringe_body;  // -1: none
    float fringe;         // share of the pixel, 0..1
} firn_body_hit;

firn_result firn_bodies_create(firn_bodies* bodies, const firn_collider* colliders,
                               firn_local count, const firn_shapes* shapes, double time,
                               const firn_camera* camera, firn_error* error);
void firn_bodies_destroy(firn_bodies* bodies);

firn_body_hit firn_bodies_trace(const firn_bodies* bodies, firn_ray ray);
firn_vec3 firn_body_normal(const firn_bodies* bodies, int32_t body, firn_vec3 x);
// 1: the sun reaches x, 0: it does not; between at the edges of shadows. `own`: the body x lies on,
// or -1.
float firn_bodies_sun(const firn_bodies* bodies, firn_vec3 x, firn_vec3 sun, int32_t own);
// Share of the light along unit direction d that bodies near x let through, within `size` [m].
float firn_bodies_open(const firn_bodies* bodies, firn_vec3 x, firn_vec3 d, firn_real size,
                       int32_t own);
