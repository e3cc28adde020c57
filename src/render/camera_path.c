// SPDX-License-Identifier: MIT
#include "render/camera_path.h"

#include "math/vec3.h"
#include "scene/run/camera_key.h"

static firn_vec3 to_vec3(const double v[3])
{
    return firn_v3((firn_real)v[0], (firn_real)v[1], (firn_real)v[2]);
}

firn_camera firn_camera_of_scene(const firn_render_block* render, double time)
{
    const firn_camera_key key = firn_camera_key_at(render, time);
    return firn_camera_make_rolled(to_vec3(key.eye), to_vec3(key.look_at), to_vec3(key.up),
                                   key.fov_deg, (int32_t)render->width, (int32_t)render->height);
}
