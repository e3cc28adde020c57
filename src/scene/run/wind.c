// SPDX-License-Identifier: MIT
// The wind: uniform or from a volume, with gusts added. In double, so that float and double builds
// see the same eddies.
#include "scene/run/wind.h"

#include "geometry/levelset/velocity_volume.h"
#include "math/elementary.h"
#include "math/noise.h"
#include "scene/data/scene.h"

#define SEED_STEP 0x5851f42d4c957f2dull  // difference of the seeds of successive patterns

// Cross-fades two patterns of eddies; cos^2 + sin^2 = 1 keeps the variance constant. [m/s] for a
// strength and wind of 1.
static void add_eddies(const firn_gust_block* g, const double x[3], double time, double out[3])
{
    const double phase = time / g->period, whole = floor(phase);
    double sine, cosine;
    firn_sincos_double(1.5707963267948966 * firn_noise_fade(phase - whole), &sine, &cosine);
    const double share[2] = {cosine, sine};
    out[0] = out[1] = out[2] = 0;
    for (int k = 0; k < 2; k++) {
        if (share[k] == 0) continue;
        const uint64_t pattern = (uint64_t)((int64_t)whole + k);
        double curl[3];
        firn_noise_curl((uint64_t)g->seed + SEED_STEP * pattern, x, curl);
        for (int d = 0; d < 3; d++) out[d] += share[k] * curl[d] / FIRN_NOISE_CURL_RMS;
    }
}

firn_vec3 firn_wind(const firn_scene_data* scene, firn_vec3 x, double time)
{
    const firn_air_block* air = &scene->air;
    if (!air->active) return firn_v3(0, 0, 0);
    firn_vec3 wind = firn_v3((firn_real)air->velocity[0], (firn_real)air->velocity[1],
                             (firn_real)air->velocity[2]);
    if (air->volume.velocities != NULL)
        wind = firn_velocity_volume_sample(air->volume.velocities, x, wind);
    const firn_gust_block* g = &air->gusts;
    const double strength = g->strength * (double)firn_v3_length(wind);
    if (!(strength > 0)) return wind;
    // the pattern drifts with the mean wind (Taylor's hypothesis)
    const double position[3] = {((double)x.x - air->velocity[0] * time) / g->length,
                                ((double)x.y - air->velocity[1] * time) / g->length,
                                ((double)x.z - air->velocity[2] * time) / g->length};
    double eddy[3];
    add_eddies(g, position, time, eddy);
    return firn_v3_add(wind,
                       firn_v3((firn_real)(strength * eddy[0]), (firn_real)(strength * eddy[1]),
                               (firn_real)(strength * eddy[2])));
}
