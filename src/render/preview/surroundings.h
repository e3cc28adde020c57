// SPDX-License-Identifier: MIT
// Light that arrives at a point from outside: the sun through snow and past bodies, and what comes
// from all around: sky, ground, bodies, and other snow.
#pragma once
#include "render/preview/view.h"

// Share of the sun that reaches x, just outside a surface. `start` [voxels]: snow nearer than this
// does not count.
float firn_sun_share(const firn_view* view, firn_vec3 x, float start);

// Mean radiance over the hemisphere of unit normal n, weighted by the cosine. `own`: the body x
// lies on, -1: snow.
firn_rgb firn_light_around(const firn_view* view, firn_vec3 x, firn_vec3 n, int32_t own);
