// SPDX-License-Identifier: MIT
// Light that reaches a point from outside: the sun, attenuated by snow and blocked by colliders,
// and ambient light from sky, ground, colliders and other snow.
#pragma once
#include "render/preview/view.h"

// Fraction of the sunlight that reaches x, just outside a surface. `start` [voxels]: snow nearer
// than this is ignored.
float firn_sun_visibility(const firn_view* view, firn_vec3 x, float start);

// Cosine-weighted mean radiance over the hemisphere of unit normal n. `own`: the collider that x
// lies on, -1: snow.
firn_rgb firn_ambient_light(const firn_view* view, firn_vec3 x, firn_vec3 n, int32_t own);
