// SPDX-License-Identifier: MIT
#include "scene/run/snow_mass.h"

#include <math.h>

#include "math/random.h"
#include "scene/data/snow.h"
#include "scene/run/vary_sample.h"

#define VOLUME_SAMPLES 200000
#define SIDE 40  // samples of the density along each side of the bounds
#define SEED 0x6d617373ull

// Mean of the factor on the density over stratified points of the shape; 1: there are none.
static double mean_factor(const firn_vary_sampler* vary, const firn_shapes* shapes,
                          firn_local shape)
{
    const firn_box3 b = firn_shape_bounds(shapes, shape);
    double sum = 0;
    int64_t inside = 0;
    for (int64_t at = 0; at < (int64_t)SIDE * SIDE * SIDE; at++) {
        const int64_t cell[3] = {at % SIDE, at / SIDE % SIDE, at / (SIDE * SIDE)};
        double share[3];
        for (int d = 0; d < 3; d++)
            share[d] = ((double)cell[d] + firn_random_unit(SEED, (uint64_t)(3 * at + d))) / SIDE;
        const firn_vec3 x = firn_v3(b.low.x + (firn_real)share[0] * (b.high.x - b.low.x),
                                    b.low.y + (firn_real)share[1] * (b.high.y - b.low.y),
                                    b.low.z + (firn_real)share[2] * (b.high.z - b.low.z));
        if (!(firn_shape_distance(shapes, shape, x) <= 0)) continue;
        double factor[FIRN_VARY_COUNT];
        firn_vary_sample(vary, x, factor);
        sum += factor[FIRN_VARY_DENSITY];
        inside++;
    }
    return inside > 0 ? sum / (double)inside : 1;
}

double firn_snow_density(const firn_scene_data* scene, const firn_snow* snow, double cell)
{
    const double density = (double)scene->materials[snow->material].snow.density;
    if (snow->shape < 0 || !firn_vary_changes(&snow->vary, FIRN_VARY_DENSITY)) return density;
    if (!isfinite(firn_shape_volume(&scene->shapes, snow->shape, 1))) return density;
    firn_vary_sampler vary;
    firn_error error;
    // a texture that cannot be read is reported when the snow is seeded
    if (firn_vary_sampler_create(scene, snow, cell, &vary, &error) != FIRN_OK) return density;
    const double factor = mean_factor(&vary, &scene->shapes, snow->shape);
    firn_vary_sampler_destroy(&vary);
    return density * factor;
}

double firn_snow_mass(const firn_scene_data* scene, const firn_snow* snow, double cell)
{
    if (snow->shape < 0 || snow->material < 0 || snow->material >= scene->material_count) return 0;
    const double volume = firn_shape_volume(&scene->shapes, snow->shape, VOLUME_SAMPLES);
    if (!isfinite(volume)) return 0;
    return volume * firn_snow_density(scene, snow, cell) / pow(snow->loose, 3);
}
