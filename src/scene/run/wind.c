// SPDX-License-Identifier: MIT
// The wind: uniform or from a volume, with gusts added.
#include "scene/run/wind.h"

#include "geometry/levelset/velocity_volume.h"
#include "scene/data/scene.h"
#include "scene/run/gusts.h"

firn_vec3 firn_wind(const firn_scene_data* scene, firn_vec3 x, double time)
{
    const firn_air_block* air = &scene->air;
    if (!air->active) return firn_v3(0, 0, 0);
    firn_vec3 wind = firn_v3((firn_real)air->velocity[0], (firn_real)air->velocity[1],
                             (firn_real)air->velocity[2]);
    if (air->volume.velocities != NULL)
        wind = firn_velocity_volume_sample(air->volume.velocities, x, wind);
    return firn_gusts_add(&air->gusts, air->velocity, wind, x, time);
}
