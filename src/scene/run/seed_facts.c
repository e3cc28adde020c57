// SPDX-License-Identifier: MIT
// What the particles of a scene have beside positions and masses.
#include <math.h>

#include "geometry/collider/collider.h"
#include "scene/data/scene.h"
#include "scene/data/snow.h"
#include "scene/run/seed.h"

bool firn_scene_heats(const firn_scene_data* scene)
{
    bool heats = scene->air.active && !isnan(scene->air.temperature);
    for (firn_local i = 0; i < scene->collider_count; i++)
        heats |= !isnan(scene->colliders[i].temperature);
    for (firn_local i = 0; i < scene->material_count; i++)
        heats |= scene->materials[i].snow.young_count > 0;
    return heats;
}

bool firn_scene_has_cam_clay(const firn_scene_data* scene)
{
    bool has = false;
    for (firn_local i = 0; i < scene->material_count; i++)
        has |= scene->materials[i].snow.cam_clay.friction > 0;
    return has;
}

bool firn_scene_varies(const firn_scene_data* scene)
{
    bool varies = false;
    for (firn_local i = 0; i < scene->snow_count; i++)
        for (int q = FIRN_VARY_HARDENING; q <= FIRN_VARY_STRETCH; q++)
            varies |= firn_vary_changes(&scene->snow[i].vary, q);
    return varies;
}
