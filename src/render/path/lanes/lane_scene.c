// SPDX-License-Identifier: MIT
// Prepares a picture for a GPU: our own BVH for each shutter time, in the host's memory.
#include "render/path/lanes/lane_scene.h"

#include "render/path/geometry/geometry_part.h"

static firn_result create_shutter(const firn_shutter_sample* from, firn_lane_shutter* out,
                                  firn_error* error)
{
    *out = (firn_lane_shutter){.medium = from->medium,
                               .has_interfaces = from->has_interfaces,
                               .submerged = from->submerged,
                               .camera = from->camera,
                               .lens = from->lens};
    FIRN_TRY(firn_bvh_create(from->geometry, &out->bvh, error));
    out->has_surfaces = out->bvh.plane_count > 0 || out->bvh.item_count > 0;
    return FIRN_OK;
}

firn_result firn_lane_scene_create(const firn_picture_work* work, firn_lane_scene* out_scene,
                                   firn_error* error)
{
    *out_scene = (firn_lane_scene){.lights = *work->lights,
                                   .width = work->width,
                                   .height = work->height,
                                   .tiles_x = work->tiles_x,
                                   .tiles_y = work->tiles_y,
                                   .seed = work->seed,
                                   .transparent = work->transparent};
    for (int32_t k = 0; k < work->shutter->count; k++) {
        firn_lane_shutter* at = &out_scene->at[k];
        const firn_result r = create_shutter(&work->shutter->at[k], at, error);
        if (r != FIRN_OK) {
            firn_lane_scene_destroy(out_scene);
            return r;
        }
        out_scene->count++;
        out_scene->has_interfaces |= at->has_interfaces;
    }
    firn_lane_scene_connect(out_scene);
    return FIRN_OK;
}

void firn_lane_scene_destroy(firn_lane_scene* scene)
{
    for (int32_t k = 0; k < scene->count; k++) firn_bvh_destroy(&scene->at[k].bvh);
    scene->count = 0;
}
