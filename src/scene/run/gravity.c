// SPDX-License-Identifier: MIT
#include "scene/run/gravity.h"

#include <string.h>

#include "physics/force_field.h"
#include "scene/data/scene.h"

firn_vec3 firn_scene_gravity(const firn_scene_data* scene, double time)
{
    return firn_gravity_value(scene->gravity, scene->gravity_keys, scene->gravity_key_count, time);
}

firn_vec3 firn_scene_force(const firn_scene_data* scene, firn_vec3 x, double time)
{
    return firn_forces_at(scene->forces, scene->force_count, x, time);
}

void firn_scene_gravity_copy(const firn_scene_data* scene, firn_gravity* out)
{
    memcpy(out->constant, scene->gravity, sizeof out->constant);
    out->key_count = scene->gravity_key_count;
    memcpy(out->keys, scene->gravity_keys, sizeof out->keys);
}

const firn_force* firn_scene_forces(const firn_scene_data* scene, firn_local* out_count)
{
    *out_count = scene->force_count;
    return scene->forces;
}
