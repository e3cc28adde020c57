// SPDX-License-Identifier: MIT
#include "scene/run/gravity.h"

#include "physics/force_field.h"
#include "scene/data/scene.h"

firn_vec3 firn_scene_gravity(const firn_scene_data* scene, double time)
{
    const double* g = scene->gravity;
    double keyed[3];
    if (scene->gravity_key_count > 0) {
        for (int d = 0; d < 3; d++)
            keyed[d] = firn_time_keys_at(&scene->gravity_keys[0].time, 4, scene->gravity_key_count,
                                         1 + d, time);
        g = keyed;
    }
    return firn_v3((firn_real)g[0], (firn_real)g[1], (firn_real)g[2]);
}

firn_vec3 firn_scene_force(const firn_scene_data* scene, firn_vec3 x, double time)
{
    const double at[3] = {(double)x.x, (double)x.y, (double)x.z};
    double sum[3] = {0, 0, 0};
    for (firn_local k = 0; k < scene->force_count; k++)
        firn_force_add(&scene->forces[k], at, time, sum);
    return firn_v3((firn_real)sum[0], (firn_real)sum[1], (firn_real)sum[2]);
}
