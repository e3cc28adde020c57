// SPDX-License-Identifier: MIT
// Light on surfaces: how sun and sky reach a point, and what snow and bodies make of it.
#pragma once
#include "render/preview/view.h"

// Light that arrives at a point, as radiance of a white surface there.
typedef struct firn_light {
    firn_rgb sun;    // facing the sun; 0 in full shadow
    firn_rgb sky;    // from all around, over the hemisphere of the normal
    firn_rgb below;  // u in the snow below (snow_medium.h)
    bool on_snow;    // there is snow below
} firn_light;

// Small things that the grain of the snow adds to a pixel.
typedef struct firn_grain {
    float tilt_x, tilt_y;  // of the normal, along the camera's right and up
    float tone;            // of the surface, about -1..1
    float glint;           // sunlight mirrored by a facet, 0..1
} firn_grain;

// Light of the sky found last: neighbouring pixels less than half a voxel away take it over. It
// varies slowly and is the costliest part of a pixel. Zero: nothing found yet.
typedef struct firn_sky_memo {
    bool valid;
    int32_t body;  // -1: snow
    firn_vec3 x, normal;
    firn_rgb sky;
} firn_sky_memo;

// `memo` may be null.
firn_light firn_light_on_snow(const firn_view* view, firn_vec3 x, firn_vec3 normal,
                              firn_sky_memo* memo);

// The same for a crumb in the open, which has no surface to speak of: a shortcut.
firn_light firn_light_on_crumb(const firn_view* view, firn_vec3 x);

firn_rgb firn_shade_snow(const firn_view* view, firn_vec3 x, firn_vec3 eye_ward, firn_grain grain,
                         firn_sky_memo* memo);
firn_rgb firn_shade_body(const firn_view* view, int32_t body, firn_vec3 x, firn_ray ray,
                         firn_real t, firn_sky_memo* memo);
// A crumb: a particle that lies or flies alone. `normal` is that of the visible pixel.
firn_rgb firn_shade_crumb(const firn_view* view, const firn_light* light, firn_vec3 normal,
                          float tone);
