// SPDX-License-Identifier: MIT
// Shading: incident light at a point, and the radiance that snow and colliders send to the eye.
#pragma once
#include "render/preview/view.h"

// Incident light at a point, as radiance of a white diffuse surface there.
typedef struct firn_light {
    firn_rgb sun;    // on a surface that faces the sun; 0 in full shadow
    firn_rgb sky;    // ambient, over the hemisphere of the normal
    firn_rgb below;  // u in the snow below the surface (snow_medium.h)
    bool on_snow;    // `below` is valid
} firn_light;

// Surface detail of a pixel from the splats of particles.
typedef struct firn_grain {
    float tilt_x, tilt_y;  // of the normal, along the camera's right and up
    float tone;            // of the surface, about -1..1
    float glint;           // sunlight reflected by a facet, 0..1
} firn_grain;

// Cached ambient light, reused by neighbouring pixels within half a voxel: it varies slowly and is
// the most expensive part of a pixel. Zero-initialised: empty.
typedef struct firn_sky_memo {
    bool valid;
    int32_t collider;  // -1: snow
    firn_vec3 x, normal;
    firn_rgb sky;
} firn_sky_memo;

// `memo` may be null.
firn_light firn_light_on_snow(const firn_view* view, firn_vec3 x, firn_vec3 normal,
                              firn_sky_memo* memo);

// The same for an isolated crumb, which has no surface normal: cheaper.
firn_light firn_light_on_crumb(const firn_view* view, firn_vec3 x);

firn_rgb firn_shade_snow(const firn_view* view, firn_vec3 x, firn_vec3 eye_ward, firn_grain grain,
                         firn_sky_memo* memo);
firn_rgb firn_shade_collider(const firn_view* view, int32_t collider, firn_vec3 x, firn_ray ray,
                             firn_real t, firn_sky_memo* memo);
// A crumb: a particle that lies or flies alone. `normal` is that of the pixel.
firn_rgb firn_shade_crumb(const firn_view* view, const firn_light* light, firn_vec3 normal,
                          float tone);
