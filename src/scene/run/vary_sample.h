// SPDX-License-Identifier: MIT
// The factors of a volume of snow at a point.
#pragma once
#include "geometry/levelset/texture.h"
#include "scene/data/scene.h"
#include "scene/data/snow.h"

typedef struct firn_vary_sampler {
    const firn_vary* vary;                  // borrowed
    const firn_shapes* shapes;              // borrowed
    firn_local shape;                       // -1: none
    firn_vec3 up;                           // unit, against gravity
    double reach;                           // [m] depth of the deepest layer
    double stride;                          // [m] shortest step on the way to the surface
    firn_texture texture[FIRN_VARY_COUNT];  // owned
} firn_vary_sampler;

// Reads the textures. `cell` [m] is the size that particles are spaced by. Everything but the
// textures is borrowed from `scene` until destroy.
firn_result firn_vary_sampler_create(const firn_scene_data* scene, const firn_snow* snow,
                                     double cell, firn_vary_sampler* out_sampler,
                                     firn_error* error);
void firn_vary_sampler_destroy(firn_vary_sampler* sampler);
// `x` lies inside the body. Re-entrant.
void firn_vary_sample(const firn_vary_sampler* sampler, firn_vec3 x,
                      double out_factor[FIRN_VARY_COUNT]);
// [m] from x straight up to where the shape ends; at least `reach` when that is further.
double firn_vary_depth(const firn_vary_sampler* sampler, firn_vec3 x);
