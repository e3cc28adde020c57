// SPDX-License-Identifier: MIT
#include "run/frame_keys.h"

#include "core/memory.h"
#include "geometry/collider/collider.h"
#include "geometry/deform/deforming.h"

void firn_frame_keys_hold(firn_frame_keys* keys, const firn_scene_data* scene, double time)
{
    firn_local deforming = 0;
    for (firn_local c = 0; c < scene->collider_count; c++)
        deforming += scene->colliders[c].deforming != NULL;
    if (deforming == 0) return;
    keys->poses = firn_alloc((size_t)deforming, sizeof *keys->poses);
    if (keys->poses == NULL) return;
    for (firn_local c = 0; c < scene->collider_count; c++) {
        firn_deforming* d = scene->colliders[c].deforming;
        if (d != NULL && firn_deforming_move(d, time, &keys->poses[keys->count], NULL) == FIRN_OK)
            keys->count++;
    }
}

void firn_frame_keys_release(firn_frame_keys* keys)
{
    for (firn_local k = 0; k < keys->count; k++) firn_deform_pose_release(&keys->poses[k]);
    firn_free(keys->poses);
    *keys = (firn_frame_keys){0};
}
